// What the commands that talk to a daemon have in common.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "referee/cli/command.hpp"
#include "referee/daemon/client.hpp"

namespace referee::cli {

/// --data --socket --connect --token-file: where the daemon is.
[[nodiscard]] std::vector<OptionDefinition> daemon_options();
[[nodiscard]] daemon::ClientTarget daemon_target(const Arguments& arguments);

/// Sends, prints the daemon's error on stderr if there is one. nullopt then, and `exit_code` is what the command returns.
struct Asked {
  std::optional<boost::json::value> answer;
  int exit_code = exit_done;
};
[[nodiscard]] Asked ask_daemon(const Arguments& arguments, const std::string& method, const std::string& target,
                               const std::string& body = "");

/// The operand as the number of a match, or of a game in one. Throw UsageError.
[[nodiscard]] int match_number(const std::string& text);
[[nodiscard]] int game_number(const std::string& text);

/// "12.3 s", "1:02:03": a clock in milliseconds, for people; "no clock" for null.
[[nodiscard]] std::string shown_ms(const boost::json::value& ms);
[[nodiscard]] std::string text_of(const boost::json::object& object, const char* name);

}  // namespace referee::cli
