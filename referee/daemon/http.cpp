#include "referee/daemon/http.hpp"

#include <algorithm>

namespace referee::daemon {

namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

enum class Plus { plain, blank };

std::optional<std::string> decode(std::string_view text, Plus plus) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '+' && plus == Plus::blank) {
      out += ' ';
    } else if (c != '%') {
      out += c;
    } else {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = hex_digit(text[i + 1]);
      const int low = hex_digit(text[i + 2]);
      if (high < 0 || low < 0 || (high == 0 && low == 0)) return std::nullopt;
      out += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return out;
}

}  // namespace

std::optional<std::string> Request::parameter(std::string_view name) const {
  for (const auto& [key, value] : query) {
    if (key == name) return value;
  }
  return std::nullopt;
}

bool read_target(std::string_view target, Request& request) {
  if (target.empty() || target.front() != '/') return false;
  const std::size_t mark = target.find('?');
  const std::string_view path = target.substr(0, mark);
  request.path = std::string(path);
  request.segments.clear();
  request.query.clear();
  std::size_t start = 1;
  while (start <= path.size()) {
    const std::size_t end = std::min(path.find('/', start), path.size());
    if (end > start) {
      auto segment = decode(path.substr(start, end - start), Plus::plain);
      if (!segment || *segment == ".." || *segment == "." || segment->find('/') != std::string::npos) return false;
      request.segments.push_back(std::move(*segment));
    }
    start = end + 1;
  }
  if (mark == std::string_view::npos) return true;
  std::string_view rest = target.substr(mark + 1);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view item = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (item.empty()) continue;
    const std::size_t equals = item.find('=');
    auto key = decode(item.substr(0, equals), Plus::blank);
    auto value = equals == std::string_view::npos ? std::optional<std::string>("") : decode(item.substr(equals + 1), Plus::blank);
    if (!key || !value) return false;
    request.query.emplace_back(std::move(*key), std::move(*value));
  }
  return true;
}

}  // namespace referee::daemon
