// `referee serve`: the office, its ears and its page, from start to a graceful stop.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "referee/daemon/ip_address.hpp"

namespace referee::daemon {

struct DaemonSettings {
  std::string data;                 // folder
  std::string socket;               // Unix socket; "" = none (then one must be handed over or --listen given)
  std::vector<std::string> listen;  // ADDRESS:PORT each
  std::vector<std::string> hosts;   // names under which TCP clients reach it
  std::vector<Network> proxies;     // that are believed whom they were asked by
  bool public_view = false;         // looking needs no token
  std::optional<int> cores;         // default: physical cores - 1, at least 1
  std::string version;
};

/// Blocks until SIGTERM or SIGINT; SIGHUP reads the tokens again. `say`: what the operator should read, a line each, any thread; no
/// secrets. Returns the exit code. Throws ListenError and record::JournalError when it cannot begin.
int serve(const DaemonSettings& settings, const std::function<void(const std::string&)>& say);

/// $REFEREE_DATA_FOLDER, else $STATE_DIRECTORY (systemd), else $XDG_STATE_HOME/referee, else ~/.local/state/referee.
[[nodiscard]] std::string default_data_folder();
/// $RUNTIME_DIRECTORY/socket (systemd); else of a daemon with that data folder: DATA/socket, if that is short enough for a socket; else
/// under $XDG_RUNTIME_DIR.
[[nodiscard]] std::string default_socket(const std::string& data);

}  // namespace referee::daemon
