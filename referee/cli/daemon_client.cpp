#include "referee/cli/daemon_client.hpp"
#include "referee/cli/json_text.hpp"
#include "referee/cli/together.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>
#include <string_view>

#include "referee/daemon/daemon.hpp"
#include "referee/game/explain.hpp"

namespace referee::cli {

namespace json = boost::json;

namespace {

constexpr const char* service_socket = "/run/referee/socket";  // of the packaged service

/// A token as it may be written down: blanks and the end of the line around it are none of it. Throws UsageError, which never shows it.
std::string token_in(std::string text, const std::string& place) {
  constexpr std::string_view blanks = " \t\r\n";
  text.erase(0, std::min(text.find_first_not_of(blanks), text.size()));
  text.erase(text.find_last_not_of(blanks) + 1);
  // RFC 6750, 2.1
  const auto of_a_token = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._~+/=").find(c) != std::string_view::npos;
  };
  if (text.empty() || !std::ranges::all_of(text, of_a_token)) throw UsageError(place + ": no token can be read (expected the token alone)");
  return text;
}

std::string token_in_file(const std::string& path) {
  constexpr std::size_t longest_token_file = 4096;
  std::ifstream in(path, std::ios::binary);
  std::string text(longest_token_file, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return token_in(std::move(text), path);
}

}  // namespace

std::vector<OptionDefinition> daemon_options() {
  return {
      {"data", "FOLDER", "the daemon's data folder (default: $REFEREE_DATA_FOLDER, else ~/.local/state/referee)", false, {}},
      {"socket",
       "PATH",
       "the daemon's Unix socket (default: `socket` in the data folder, else the one of the packaged service)",
       false,
       {}},
      {"connect", "ADDRESS:PORT", "a daemon that listens on TCP", false, {}},
      {"token-file", "FILE", "file with the token for --connect (default: $REFEREE_TOKEN)", false, {}},
  };
}

daemon::ClientTarget daemon_target(const Arguments& arguments) {
  belongs_to(arguments, {"token-file"}, {"connect"});
  exclude(arguments, "socket", "connect");
  exclude(arguments, "data", "connect");
  daemon::ClientTarget target;
  if (const auto address = arguments.value("connect")) {
    target.address = *address;
    if (const auto file = arguments.value("token-file"))
      target.token = token_in_file(*file);
    else if (const char* token = std::getenv("REFEREE_TOKEN"); token != nullptr && *token != '\0')
      target.token = token_in(token, "$REFEREE_TOKEN");
    return target;
  }
  const std::string data = arguments.value("data").value_or(daemon::default_data_folder());
  target.socket = arguments.value("socket").value_or(daemon::default_socket(data));
  // One's own daemon, else the machine's.
  const bool said = arguments.has("data") || arguments.has("socket");
  std::error_code error;
  if (!said && !std::filesystem::exists(target.socket, error) && std::filesystem::exists(service_socket, error))
    target.socket = service_socket;
  return target;
}

Asked ask_daemon(const Arguments& arguments, const std::string& method, const std::string& target, const std::string& body) {
  Asked asked;
  try {
    daemon::Client client(daemon_target(arguments));
    const daemon::ClientResponse response = client.request(method, target, body);
    json::error_code error;
    json::value value = json::parse(response.body, error);
    if (response.status < 400 && !error) {
      asked.answer = std::move(value);
      return asked;
    }
    if (response.status == 409 && !error && value.is_object() && value.as_object().contains("rulings")) {  // the Laws forbid it
      asked.answer = std::move(value);
      asked.exit_code = exit_fault_found;
      return asked;
    }
    const json::value* why = !error && value.is_object() ? value.as_object().if_contains("error") : nullptr;
    std::cerr << (why != nullptr && why->is_string() ? std::string(why->as_string().c_str())
                                                     : "the daemon answers " + std::to_string(response.status))
              << '\n';
    asked.exit_code = response.status == 409 ? exit_fault_found : exit_usage;
  } catch (const daemon::ClientError& error) {
    std::cerr << error.what() << '\n';
    asked.exit_code = exit_usage;
  }
  return asked;
}

namespace {

std::optional<int> positive(const std::string& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 1) return std::nullopt;
  return number;
}

}  // namespace

int match_number(const std::string& text) {
  if (const auto number = positive(text)) return *number;
  throw UsageError("'" + text + "' is no match (expected its number, as `referee status` shows it)");
}

int game_number(const std::string& text) {
  if (const auto number = positive(text)) return *number;
  throw UsageError("'" + text + "' is no game (expected its number in the match, from 1)");
}

std::string shown_ms(const json::value& ms) {
  if (!ms.is_number()) return "no clock";
  constexpr double tenth_ns = 1e8;
  return game::describe_time(game::Duration(static_cast<std::int64_t>(ms.to_number<double>() / 100) * static_cast<std::int64_t>(tenth_ns)));
}

std::string text_of(const json::object& object, const char* name) {
  const json::value* value = object.if_contains(name);
  if (value == nullptr || value->is_null()) return "";
  if (value->is_string()) return {value->as_string().data(), value->as_string().size()};
  if (value->is_double()) {
    std::ostringstream out;
    out << value->as_double();
    return out.str();
  }
  return json_text(*value);
}

}  // namespace referee::cli
