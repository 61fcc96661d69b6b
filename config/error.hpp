// What is wrong with a configuration file, and where.
#pragma once

#include <cstddef>
#include <exception>
#include <string>

namespace referee::config {

/// Place of a value in a file, 1-based; 0 = the whole file.
struct Place {
  std::size_t line = 0, column = 0;
};

/// `file:line:column: what is wrong (what was expected)`
struct ConfigError {
  std::string file;
  std::size_t line = 0, column = 0;  // 1-based; 0 = the whole file
  std::string message;
  std::string expected;
  [[nodiscard]] std::string text() const;
};

class ConfigException : public std::exception {
 public:
  explicit ConfigException(ConfigError error);
  [[nodiscard]] const ConfigError& error() const noexcept { return error_; }
  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }

 private:
  ConfigError error_;
  std::string text_;
};

/// Throws ConfigException.
[[noreturn]] void fail(const std::string& file, Place place, std::string message, std::string expected = "");

}  // namespace referee::config
