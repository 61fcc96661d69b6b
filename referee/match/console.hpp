// Where a match talks to its user: lines for good, and on a terminal a block below them that is drawn again and again.
#pragma once

#include <cstdio>
#include <mutex>
#include <string>
#include <vector>

namespace referee::match {

class Console {
 public:
  enum class Kind { plain, terminal };
  /// `out` outlives it. Plain: every line is flushed, no colour, no cursor movement.
  Console(std::FILE* out, Kind kind) noexcept : out_(out), kind_(kind) {}
  ~Console();  // takes the block away
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  /// Any thread. May hold several lines. Control characters are shown as '?': engines' words are among them.
  void line(const std::string& text);
  /// Any thread. Replaces the block; cut to the terminal's size. Nothing on a plain one.
  void block(std::vector<std::string> lines);
  /// Rows and columns; 24 by 80 if nobody knows.
  struct Size {
    std::size_t rows = 24, columns = 80;
  };
  [[nodiscard]] Size size() const;

 private:
  void erase_block(std::string& out) const;
  void draw_block(std::string& out);
  void write(const std::string& bytes);

  std::FILE* out_;
  Kind kind_;
  std::mutex mutex_;
  std::vector<std::string> block_;
  std::size_t drawn_ = 0;  // lines of the block on the screen
};

/// Terminal if `out` is one (and TERM is not "dumb").
[[nodiscard]] Console::Kind kind_of_console(std::FILE* out);

}  // namespace referee::match
