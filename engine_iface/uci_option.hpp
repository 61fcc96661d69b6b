// Option declarations of UCI engines, in every form that is seen, and the checks before one is set (PROTOCOLS 2.2).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "engine_iface/protocol.hpp"

namespace referee::engine {

struct UciOptionDeclaration {
  EngineIdentity::DeclaredOption option;
  /// What had to be guessed ("no type"); null when the declaration was in order. A literal.
  const char* oddity = nullptr;
};

/// `text` is what follows the word `option`; nullopt when there is no name in it.
///
///   parse_uci_option("name Hash type spin default 16 min 1 max 1024")
[[nodiscard]] std::optional<UciOptionDeclaration> parse_uci_option(std::string_view text);

/// The value in the form to send, or why it cannot be set ("must lie in 1..1024").
struct RefusedValue {
  std::string reason;
};
[[nodiscard]] std::variant<std::string, RefusedValue> checked_option_value(const EngineIdentity::DeclaredOption& option,
                                                                           std::string_view value);

/// Case does not matter, nor how many blanks there are between the words.
[[nodiscard]] bool is_same_option(std::string_view one, std::string_view other) noexcept;
/// The same text for all names of the same option.
[[nodiscard]] std::string comparable_option_name(std::string_view name);
[[nodiscard]] const EngineIdentity::DeclaredOption* find_option(const EngineIdentity& identity, std::string_view name) noexcept;

}  // namespace referee::engine
