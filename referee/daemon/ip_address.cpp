#include "referee/daemon/ip_address.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>

namespace referee::daemon {

namespace {

constexpr std::size_t longest_address = 45;  // INET6_ADDRSTRLEN without the end
constexpr std::array<std::uint8_t, 12> v4_prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
constexpr int bits_before_v4 = 96;

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool is_trusted(const IpAddress& address, const std::vector<Network>& trusted) {
  return std::ranges::any_of(trusted, [&address](const Network& network) { return network.contains(address); });
}

}  // namespace

bool IpAddress::is_v4() const noexcept { return std::equal(v4_prefix.begin(), v4_prefix.end(), bytes.begin()); }

std::optional<IpAddress> parse_address(std::string_view text) {
  if (text.size() > 2 && text.front() == '[' && text.back() == ']') text = text.substr(1, text.size() - 2);
  if (text.empty() || text.size() > longest_address) return std::nullopt;
  const std::string copy(text);
  IpAddress address;
  if (inet_pton(AF_INET6, copy.c_str(), address.bytes.data()) == 1) return address;
  std::ranges::copy(v4_prefix, address.bytes.begin());
  if (inet_pton(AF_INET, copy.c_str(), address.bytes.data() + v4_prefix.size()) == 1) return address;
  return std::nullopt;
}

std::string visitor_of(const IpAddress& address) {
  const std::size_t counts = address.is_v4() ? address.bytes.size() : 8;
  return {reinterpret_cast<const char*>(address.bytes.data()), counts};
}

bool Network::contains(const IpAddress& other) const noexcept {
  for (int bit = 0; bit < bits; bit += 8) {
    const auto byte = static_cast<std::size_t>(bit / 8);
    const int wanted = std::min(8, bits - bit);
    const auto mask = static_cast<std::uint8_t>(0xff00U >> static_cast<unsigned>(wanted));
    if ((address.bytes[byte] & mask) != (other.bytes[byte] & mask)) return false;
  }
  return true;
}

std::optional<Network> parse_network(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto address = parse_address(text.substr(0, slash));
  if (!address) return std::nullopt;
  Network network{.address = *address, .bits = 128};
  if (slash == std::string_view::npos) return network;
  const std::string_view tail = text.substr(slash + 1);
  const auto [end, error] = std::from_chars(tail.data(), tail.data() + tail.size(), network.bits);
  const int most = address->is_v4() ? 32 : 128;
  if (error != std::errc{} || end != tail.data() + tail.size() || network.bits < 0 || network.bits > most) return std::nullopt;
  if (address->is_v4()) network.bits += bits_before_v4;
  return network;
}

namespace {

/// Some proxies name the port too: 192.0.2.1:4711, [2001:db8::1]:4711 (RFC 7239, 6). An address of version 6 without brackets has none.
std::string_view without_port(std::string_view text) {
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    return end == std::string_view::npos ? text : text.substr(1, end - 1);
  }
  const std::size_t colon = text.find(':');
  return colon == text.rfind(':') ? text.substr(0, colon) : text;
}

}  // namespace

IpAddress client_behind(const IpAddress& peer, std::string_view forwarded_for, const std::vector<Network>& trusted) {
  IpAddress client = peer;
  while (is_trusted(client, trusted) && !forwarded_for.empty()) {
    const std::size_t comma = forwarded_for.rfind(',');
    const std::string_view last = comma == std::string_view::npos ? forwarded_for : forwarded_for.substr(comma + 1);
    forwarded_for = comma == std::string_view::npos ? std::string_view() : forwarded_for.substr(0, comma);
    const auto told = parse_address(without_port(without_blanks(last)));
    if (!told) break;  // what stands before it is nobody's word
    client = *told;
  }
  return client;
}

}  // namespace referee::daemon
