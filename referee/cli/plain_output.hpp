// Standard output and standard error of a command, for people: text of files, engines and arguments in it cannot steer a terminal.
#pragma once

#include <mutex>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace referee::cli {

/// As long as it lives, what is written to the stream comes out as game::with_escapes() has it.
class PlainOutput final : public std::streambuf {
 public:
  /// `descriptor`: the file descriptor behind the stream.
  PlainOutput(std::ostream& out, int descriptor);
  ~PlainOutput() override;
  PlainOutput(const PlainOutput&) = delete;
  PlainOutput& operator=(const PlainOutput&) = delete;

  /// Byte for byte. False when not all of it could be written.
  bool write_as_is(std::string_view bytes);
  [[nodiscard]] bool is_terminal() const;

 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int_type overflow(int_type c) override;
  int sync() override;

 private:
  bool write(std::string_view text);

  std::ostream& out_;
  std::streambuf* to_;
  int descriptor_;
  std::mutex mutex_;        // guards what follows, and the order of what is written
  std::string unfinished_;  // the beginning of a character of several bytes
};

/// A record, a table, a page: to a file or a pipe it goes as it is, to a terminal as text does.
void print_data(std::ostream& out, std::string_view data);
/// Moves the cursor. Needs: a terminal.
void steer_terminal(std::ostream& out, std::string_view codes);

}  // namespace referee::cli
