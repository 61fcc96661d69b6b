#include "referee/match/console.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "referee/match/text_width.hpp"

namespace referee::match {

namespace {

/// What stands on one line of the block.
std::string on_one_line(const std::string& text, std::size_t columns) {
  std::string plain = harmless(text);
  std::ranges::replace_if(
      plain, [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return cut_to(plain, columns);
}

}  // namespace

Console::Kind kind_of_console(std::FILE* out) {
  const char* term = std::getenv("TERM");
  const bool able = term != nullptr && std::strcmp(term, "dumb") != 0 && *term != '\0';
  return able && isatty(fileno(out)) == 1 ? Console::Kind::terminal : Console::Kind::plain;
}

Console::~Console() {
  const std::lock_guard lock(mutex_);
  std::string out;
  erase_block(out);
  write(out);
}

Console::Size Console::size() const {
  winsize window{};
  if (ioctl(fileno(out_), TIOCGWINSZ, &window) != 0 || window.ws_row == 0 || window.ws_col == 0) return {};
  return {window.ws_row, window.ws_col};
}

void Console::line(const std::string& text) {
  const std::lock_guard lock(mutex_);
  std::string out;
  erase_block(out);
  out += harmless(text);
  if (text.empty() || text.back() != '\n') out += '\n';
  draw_block(out);
  write(out);
}

void Console::block(std::vector<std::string> lines) {
  if (kind_ == Kind::plain) return;
  const std::lock_guard lock(mutex_);
  block_ = std::move(lines);
  std::string out;
  erase_block(out);
  draw_block(out);
  write(out);
}

void Console::erase_block(std::string& out) const {
  if (drawn_ > 0) out += "\x1b[" + std::to_string(drawn_) + "F\x1b[J";
}

void Console::draw_block(std::string& out) {
  drawn_ = 0;
  if (kind_ == Kind::plain) return;
  const Size window = size();
  const std::size_t rows = std::min(block_.size(), window.rows > 2 ? window.rows - 2 : 1);
  for (std::size_t i = 0; i < rows; ++i) out += on_one_line(block_[i], window.columns - 1) + '\n';
  drawn_ = rows;
}

void Console::write(const std::string& bytes) {
  if (bytes.empty()) return;
  (void)std::fwrite(bytes.data(), 1, bytes.size(), out_);
  (void)std::fflush(out_);
}

}  // namespace referee::match
