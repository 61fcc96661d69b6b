#include "referee/daemon/http.hpp"

#include <algorithm>
#include <boost/beast/core/string.hpp>

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

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// RFC 3986: unreserved and sub-delims.
bool is_name_character(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("-._~!$&'()*+,;=").find(c) != std::string_view::npos;
}

/// Takes "http://host" from the front of a target in absolute form; the target itself in any other. nullopt if the host is none.
std::optional<std::string_view> without_host(std::string_view target, std::string& host) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!boost::beast::iequals(target.substr(0, scheme.size()), scheme)) continue;
    target.remove_prefix(scheme.size());
    const std::string_view authority = target.substr(0, target.find_first_of("/?"));
    // RFC 9110, 4.2.1 and 4.2.4: an empty host is invalid, a user's name before it an error.
    if (authority.empty() || authority.front() == ':' || !is_host(authority)) return std::nullopt;
    host = authority;
    return target.substr(authority.size());
  }
  return target;
}

}  // namespace

bool is_host(std::string_view text) {
  std::size_t end = 0;
  if (text.starts_with('[')) {
    const auto in_brackets = [](char c) { return is_name_character(c) || c == ':'; };
    end = text.find(']');
    if (end == std::string_view::npos || !std::ranges::all_of(text.substr(1, end - 1), in_brackets)) return false;
    ++end;
  } else {
    while (end < text.size() && text[end] != ':') {
      const bool escaped = text[end] == '%';
      if (escaped && (end + 2 >= text.size() || hex_digit(text[end + 1]) < 0 || hex_digit(text[end + 2]) < 0)) return false;
      if (!escaped && !is_name_character(text[end])) return false;
      end += escaped ? 3 : 1;
    }
  }
  const std::string_view port = text.substr(end);
  return port.empty() || (port.front() == ':' && std::ranges::all_of(port.substr(1), is_digit));
}

std::optional<std::string> Request::parameter(std::string_view name) const {
  for (const auto& [key, value] : query) {
    if (key == name) return value;
  }
  return std::nullopt;
}

bool read_target(std::string_view target, Request& request) {
  const auto local = without_host(target, request.host);
  if (!local || target.empty()) return false;
  const bool absolute = local->size() < target.size();
  target = *local;
  const std::size_t mark = target.find('?');
  std::string_view path = target.substr(0, mark);
  if (absolute && path.empty()) path = "/";
  if (!path.starts_with('/')) return false;
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
