#include "config/error.hpp"

#include <utility>

namespace referee::config {

std::string ConfigError::text() const {
  std::string text = file;
  if (line != 0) text += ":" + std::to_string(line) + ":" + std::to_string(column);
  text += ": " + message;
  if (!expected.empty()) text += " (expected " + expected + ")";
  return text;
}

ConfigException::ConfigException(ConfigError error) : error_(std::move(error)) {
  for (const char c : error_.text()) text_ += c == '\0' ? std::string("\\0") : std::string(1, c);  // what() ends at the first NUL
}

void fail(const std::string& file, Place place, std::string message, std::string expected) {
  throw ConfigException({file, place.line, place.column, std::move(message), std::move(expected)});
}

}  // namespace referee::config
