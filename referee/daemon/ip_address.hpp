// IP addresses as far as the service needs them: who is a trusted proxy, and what counts as one visitor.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace referee::daemon {

/// Sixteen bytes in network order; an IPv4 address as IPv6 maps it (::ffff:192.0.2.1).
struct IpAddress {
  std::array<std::uint8_t, 16> bytes{};
  [[nodiscard]] bool is_v4() const noexcept;
  friend bool operator==(const IpAddress&, const IpAddress&) = default;
};
/// "192.0.2.1", "2001:db8::1", "[2001:db8::1]"; nullopt for anything else, with a port too.
[[nodiscard]] std::optional<IpAddress> parse_address(std::string_view text);
/// What of an address counts as one visitor: of IPv6 the first 64 bits, which one customer has to himself.
[[nodiscard]] std::string visitor_of(const IpAddress& address);

/// An address, or all that begin alike: "10.0.0.0/8", "::1".
struct Network {
  IpAddress address;
  int bits = 128;  // of the sixteen bytes
  [[nodiscard]] bool contains(const IpAddress& other) const noexcept;
};
[[nodiscard]] std::optional<Network> parse_network(std::string_view text);

/// Who has sent a request that came from `peer`: where that is a trusted proxy, the last address of X-Forwarded-For that is none itself,
/// because every proxy appends whom it was asked by and only ours are believed. `peer` where there is no such, or it does not read.
[[nodiscard]] IpAddress client_behind(const IpAddress& peer, std::string_view forwarded_for, const std::vector<Network>& trusted);

}  // namespace referee::daemon
