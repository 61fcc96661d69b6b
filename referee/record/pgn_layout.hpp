// Movetext as lines: tokens joined by blanks, lines of fewer than 80 columns that break only between tokens and at blanks in comments.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace referee::record {

class Movetext {
 public:
  explicit Movetext(std::string& out) : out_(out) {}
  /// Never broken. Needs: at most 79 bytes, no blank.
  void token(std::string_view token);
  /// `{...}`; braces, control characters and what would begin an escape line are replaced, words too long for a line are cut.
  /// A command ("[%clk 0:01:00]") is never broken.
  void comment(std::string_view text);
  void end_line();

 private:
  void begin_token(std::size_t size);

  std::string& out_;
  std::size_t column_ = 0;
};

}  // namespace referee::record
