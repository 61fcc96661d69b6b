#include "referee/cli/plain_output.hpp"

#include <unistd.h>

#include <algorithm>

#include "referee/game/printable.hpp"

namespace referee::cli {

namespace {

bool is_ascii_text(std::string_view text) noexcept {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c >= ' ' && c < '\x7F') || c == '\n' || c == '\t'; });
}

/// Bytes at the end that may go on to be one character of UTF-8.
std::size_t unfinished_bytes(std::string_view text) noexcept {
  constexpr std::size_t longest = 4;
  for (std::size_t back = 1; back < longest && back <= text.size(); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xC0U) == 0x80U) continue;  // goes on with one before it
    const std::size_t wanted = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC2 ? 2 : 1;
    return back < wanted ? back : 0;
  }
  return 0;
}

}  // namespace

PlainOutput::PlainOutput(std::ostream& out, int descriptor) : out_(out), to_(out.rdbuf()), descriptor_(descriptor) { out_.rdbuf(this); }

PlainOutput::~PlainOutput() {
  const auto state = out_.rdstate();
  if (!unfinished_.empty()) (void)write_as_is(game::with_escapes(unfinished_));
  out_.rdbuf(to_);  // and the state is good again
  out_.clear(state);
}

bool PlainOutput::is_terminal() const { return ::isatty(descriptor_) == 1; }

bool PlainOutput::write_as_is(std::string_view bytes) {
  return to_->sputn(bytes.data(), static_cast<std::streamsize>(bytes.size())) == static_cast<std::streamsize>(bytes.size());
}

bool PlainOutput::write(std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (unfinished_.empty() && is_ascii_text(text)) return write_as_is(text);
  std::string all = unfinished_.append(text);
  const std::size_t kept = unfinished_bytes(all);
  unfinished_.assign(all, all.size() - kept, kept);
  all.resize(all.size() - kept);
  return write_as_is(game::with_escapes(all));
}

std::streamsize PlainOutput::xsputn(const char* text, std::streamsize size) {
  return write({text, static_cast<std::size_t>(size)}) ? size : 0;
}

PlainOutput::int_type PlainOutput::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char one = traits_type::to_char_type(c);
  return write({&one, 1}) ? c : traits_type::eof();
}

int PlainOutput::sync() { return to_->pubsync(); }

void print_data(std::ostream& out, std::string_view data) {
  auto* const plain = dynamic_cast<PlainOutput*>(out.rdbuf());
  if (plain == nullptr || plain->is_terminal()) {
    out << data;
  } else if (!plain->write_as_is(data)) {
    out.setstate(std::ios::badbit);
  }
}

void steer_terminal(std::ostream& out, std::string_view codes) {
  if (auto* const plain = dynamic_cast<PlainOutput*>(out.rdbuf()); plain != nullptr)
    (void)plain->write_as_is(codes);
  else
    out << codes;
}

}  // namespace referee::cli
