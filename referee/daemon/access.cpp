#include "referee/daemon/access.hpp"

#include <pwd.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <boost/beast/core/string.hpp>
#include <boost/json.hpp>
#include <stdexcept>

#include "referee/match/fingerprints.hpp"
#include "referee/record/json.hpp"

namespace referee::daemon {

namespace {

constexpr std::size_t most_visitors = 20'000;
constexpr double burst = 10;  // seconds' worth of requests at once

std::string user_name(std::uint32_t uid) {
  std::array<char, 4096> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  if (getpwuid_r(uid, &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr) return found->pw_name;
  return "uid " + std::to_string(uid);
}

/// "example.org:8080" -> "example.org", "[::1]:80" -> "::1".
std::string_view host_part(std::string_view host) {
  if (host.starts_with('[')) return host.substr(1, host.find(']') == std::string_view::npos ? 0 : host.find(']') - 1);
  return host.substr(0, host.find(':'));
}

std::string_view without_last_dot(std::string_view host) { return host.ends_with('.') ? host.substr(0, host.size() - 1) : host; }

bool is_address(std::string_view host) {
  const bool v4 = !host.empty() && std::ranges::all_of(host, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
  const bool v6 = host.find(':') != std::string_view::npos && std::ranges::all_of(host, [](char c) {
                    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == ':' || c == '.';
                  });
  return v4 || v6;
}

std::string_view cookie_value(std::string_view cookies, std::string_view name) {
  while (!cookies.empty()) {
    const std::size_t end = std::min(cookies.find(';'), cookies.size());
    std::string_view cookie = cookies.substr(0, end);
    cookies.remove_prefix(std::min(end + 1, cookies.size()));
    while (cookie.starts_with(' ')) cookie.remove_prefix(1);
    if (cookie.starts_with(name) && cookie.substr(name.size()).starts_with('=')) return cookie.substr(name.size() + 1);
  }
  return {};
}

/// Takes as long whatever the difference.
bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return difference == 0;
}

std::string_view token_of(const Request& request) {
  constexpr std::string_view bearer = "Bearer ";
  const std::string_view authorization = request.authorization;
  if (boost::beast::iequals(authorization.substr(0, bearer.size()), bearer)) return authorization.substr(bearer.size());  // RFC 9110, 11.1
  return cookie_value(request.cookie, token_cookie);
}

}  // namespace

bool Caller::may(Right right) const noexcept {
  if (local) return true;
  switch (right) {
    case Right::look:
      return !roles.empty();
    case Right::operate:
      return roles.contains(Role::operator_);
    case Right::rule:
      return roles.contains(Role::arbiter);
    case Right::own:
      break;
  }
  return false;
}

Response error_response(int status, std::string_view text) {
  Response response;
  response.status = status;
  response.body = boost::json::serialize(boost::json::object{{"error", record::valid_utf8(text)}});
  return response;
}

Response unauthorized(Token token) {
  const bool missing = token == Token::missing;
  Response response =
      error_response(401, missing ? "this needs a token (expected: Authorization: Bearer TOKEN)" : "the token is not known");
  response.headers.emplace_back("WWW-Authenticate",
                                missing ? R"(Bearer realm="referee")" : R"(Bearer realm="referee", error="invalid_token")");
  return response;
}

Response wrong_method(const Request& request, std::initializer_list<std::string_view> allowed) {
  std::string words;
  std::string field;
  const auto add = [](std::string& list, std::string_view method) { list += (list.empty() ? "" : ", ") + std::string(method); };
  for (const std::string_view method : allowed) {
    add(words, method);
    add(field, method);
    if (method == "GET") add(field, "HEAD");
  }
  Response response = error_response(405, "not with " + request.method + " (expected " + words + ")");
  response.headers.emplace_back("Allow", field);
  return response;
}

Response Access::forbidden(Right right) {
  switch (right) {
    case Right::operate:
      return error_response(403, "this needs the role operator");
    case Right::rule:
      return error_response(403, "this needs the role arbiter");
    case Right::own:
      return error_response(403, "this is for the Unix socket of the machine alone");
    case Right::look:
      break;
  }
  return unauthorized(Token::missing);
}

bool Access::host_is_ours(std::string_view host) const {
  const std::string_view name = host_part(host);
  // RFC 9110, 4.2.3: names of hosts are the same whatever their case; a dot at the end says that nothing follows.
  const auto same = [name](std::string_view known) { return boost::beast::iequals(without_last_dot(name), without_last_dot(known)); };
  return same("localhost") || is_address(name) || std::ranges::any_of(settings_.hosts, same);
}

std::string Access::visitor_of(const Request& request) const {
  const auto peer = parse_address(request.peer.address);
  if (!peer) return request.peer.address;
  return daemon::visitor_of(client_behind(*peer, request.forwarded_for, settings_.proxies));
}

Access::Visitor& Access::visitor(const std::string& who, Now now) {
  if (visitors_.size() >= most_visitors && !visitors_.contains(who)) {
    std::erase_if(visitors_, [now](const auto& entry) { return now - entry.second.last > std::chrono::minutes(2); });
    if (visitors_.size() >= most_visitors) visitors_.clear();
  }
  const auto [entry, added] = visitors_.try_emplace(who);
  Visitor& visitor = entry->second;
  const double full = settings_.requests_a_second * burst;
  if (added) {
    visitor.allowance = full;
  } else {
    const double passed = std::chrono::duration<double>(now - visitor.last).count();
    visitor.allowance = std::min(full, visitor.allowance + passed * settings_.requests_a_second);
  }
  visitor.last = now;
  return visitor;
}

Access::Verdict Access::check(const Request& request, Asked asked, Now now) {
  Verdict verdict;
  if (request.peer.transport == Peer::Transport::unix_socket) {
    verdict.caller.local = true;
    verdict.caller.who = request.peer.uid ? user_name(*request.peer.uid) : "local";
    return verdict;
  }
  Visitor& visitor = this->visitor(visitor_of(request), now);
  if (visitor.allowance < 1) {
    verdict.refused = error_response(429, "too many requests from this address");
    verdict.refused->headers.emplace_back("Retry-After", "1");
    return verdict;
  }
  visitor.allowance -= 1;
  // A page of somebody else's must not reach us through its visitor's browser: neither by a name that points here, nor from its origin.
  if (!host_is_ours(request.host)) {
    verdict.refused = error_response(400, "this service is not known by that host name");
    return verdict;
  }
  if (!request.origin.empty()) {
    const std::size_t scheme = request.origin.find("://");
    if (scheme == std::string::npos || !boost::beast::iequals(std::string_view(request.origin).substr(scheme + 3), request.host)) {
      verdict.refused = error_response(403, "requests from other origins are not served");
      return verdict;
    }
  }
  if (now - visitor.failing_since > std::chrono::minutes(1)) visitor.failures = 0;
  if (visitor.failures >= settings_.failures_a_minute) {
    verdict.refused = error_response(429, "too many wrong tokens from this address");
    verdict.refused->headers.emplace_back("Retry-After", "60");
    return verdict;
  }
  if (const std::string_view token = token_of(request); !token.empty()) {
    const std::string hash = hash_of_token(token);
    for (const TokenRecord& known : tokens_) {
      if (!same(known.sha256, hash)) continue;
      verdict.caller.roles.insert(known.role);
      verdict.caller.who = known.name;
    }
    if (verdict.caller.roles.empty()) {
      if (visitor.failures++ == 0) visitor.failing_since = now;
      if (asked == Asked::page) return verdict;
      verdict.refused = unauthorized(Token::unknown);
      return verdict;
    }
  }
  if (settings_.public_view == AccessSettings::PublicView::yes) verdict.caller.roles.insert(Role::viewer);
  if (verdict.caller.who.empty()) verdict.caller.who = "anybody";
  if (asked == Asked::service && verdict.caller.roles.empty()) verdict.refused = forbidden(Right::look);
  return verdict;
}

std::chrono::milliseconds Access::take_message(const Request& request, Now now) {
  if (request.peer.transport == Peer::Transport::unix_socket) return {};
  Visitor& visitor = this->visitor(visitor_of(request), now);
  visitor.allowance = std::max(visitor.allowance - 1, -settings_.requests_a_second * burst);  // many connections of one visitor
  if (visitor.allowance >= 1) return {};
  return std::chrono::ceil<std::chrono::milliseconds>(std::chrono::duration<double>((1 - visitor.allowance) / settings_.requests_a_second));
}

std::optional<std::string> Access::key(const Request& request) const {
  if (request.peer.transport == Peer::Transport::unix_socket) return "";
  std::string hash = hash_of_token(token_of(request));
  if (std::ranges::any_of(tokens_, [&hash](const TokenRecord& known) { return same(known.sha256, hash); })) return hash;
  if (settings_.public_view == AccessSettings::PublicView::yes) return "";
  return std::nullopt;
}

std::string new_token() {
  std::array<unsigned char, 32> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw std::runtime_error("the system gives no random numbers");
  constexpr std::string_view digits = "0123456789abcdef";
  std::string token = "referee_";
  for (const unsigned char byte : bytes) {
    token += digits[byte >> 4U];
    token += digits[byte & 15U];
  }
  return token;
}

std::string hash_of_token(std::string_view token) { return match::sha256(token); }

}  // namespace referee::daemon
