// `serve`: the daemon.
#include <cstdio>
#include <iostream>
#include <mutex>

#include "referee/cli/registry.hpp"
#include "referee/cli/together.hpp"
#include "referee/daemon/access.hpp"
#include "referee/daemon/daemon.hpp"
#include "referee/daemon/http.hpp"
#include "referee/daemon/http_server.hpp"
#include "referee/daemon/registry.hpp"

#include <filesystem>

#ifndef REFEREE_VERSION
#define REFEREE_VERSION "0"
#endif

namespace referee::cli {

namespace {

int new_token(const std::string& data, const std::string& role_text, const std::string& name) {
  const auto role = daemon::parse_role(role_text);
  if (!role) throw UsageError("--new-token " + role_text + ": no role (expected viewer, operator or arbiter)");
  if (const auto fault = daemon::fault_of_name(name)) throw UsageError("--name: " + *fault);
  std::filesystem::create_directories(data);
  daemon::Registry registry((std::filesystem::path(data) / "referee.sqlite").string());
  daemon::TokenRecord token;
  token.name = name;
  token.role = *role;
  const std::string secret = daemon::new_token();
  token.sha256 = daemon::hash_of_token(secret);
  token.created = daemon::wall_now();
  registry.put_token(token);
  registry.audit("local", "token", name + ": " + role_text);
  std::cout << secret << std::endl;
  std::cerr << "token of " << name << " (" << role_text
            << "); it is shown this once. A running daemon learns of it by SIGHUP (systemctl reload referee).\n";
  return exit_done;
}

int run(const Arguments& arguments) {
  belongs_to(arguments, {"name"}, {"new-token"});
  daemon::DaemonSettings settings;
  settings.data = std::filesystem::absolute(arguments.value("data").value_or(daemon::default_data_folder())).string();
  try {
    if (const auto role = arguments.value("new-token")) return new_token(settings.data, *role, arguments.value("name").value_or(*role));
    settings.socket = arguments.value("socket").value_or(daemon::default_socket(settings.data));
    settings.listen = arguments.values("listen");
    settings.hosts = arguments.values("host");
    for (const std::string& host : settings.hosts) {
      if (host.empty() || host.find_first_of(":[") != std::string::npos || !daemon::is_host(host))
        throw UsageError("--host " + (host.empty() ? "''" : host) + ": no host name (expected a name alone, as chess.example.org)");
    }
    for (const std::string& proxy : arguments.values("trust-proxy")) {
      const auto network = daemon::parse_network(proxy);
      if (!network)
        throw UsageError("--trust-proxy " + proxy + ": no address (expected an IP address or a network, as 127.0.0.1 or 10.0.0.0/8)");
      settings.proxies.push_back(*network);
    }
    settings.public_view = arguments.has("public-view");
    if (const auto cores = arguments.integer("cores", 1, 4096)) settings.cores = static_cast<int>(*cores);
    settings.version = REFEREE_VERSION;
    std::mutex mutex;
    return daemon::serve(settings, [&mutex](const std::string& line) {
      const std::lock_guard lock(mutex);
      (void)std::fprintf(stderr, "referee: %s\n", line.c_str());
      (void)std::fflush(stderr);
    });
  } catch (const daemon::ListenError& error) { std::cerr << error.what() << '\n'; } catch (const record::JournalError& error) {
    std::cerr << error.what() << '\n';
  } catch (const std::filesystem::filesystem_error& error) { std::cerr << error.what() << '\n'; }
  return exit_usage;
}

}  // namespace

CommandDefinition serve_command() {
  CommandDefinition command;
  command.name = "serve";
  command.summary = "run matches as a service, with a page to watch them";
  command.description =
      "Accepts matches (`referee submit`), plays them by priority within the machine's cores, and goes on with them after a restart. "
      "Everything it keeps is in one data folder. Commands reach it by a Unix socket in that folder; whoever may open the socket may do "
      "everything.\n\n"
      "TCP is off unless --listen is given. Then the page and the API under /api/v1 need a token (--new-token), whose role says what it "
      "may do: viewer looks, operator submits and stops matches with the engines registered by `referee engines`, arbiter gives orders. "
      "There is no TLS here: put a proxy in front for anything beyond the machine, and name its host with --host. Requests and wrong "
      "tokens are limited "
      "for each address; behind a proxy that is the proxy's own, unless --trust-proxy names it: then the last address of X-Forwarded-For "
      "that is no trusted proxy counts. From anybody else that header is not looked at. A proxy must not be given the Unix socket: all its "
      "visitors could do everything.\n\n"
      "SIGTERM and SIGINT stop it: running games are continued by the next start, or played anew, as `on_interrupt` of their match file "
      "says. SIGHUP reads the tokens again.\n\n"
      "Exit: 0 stopped; 2 it cannot begin (the data folder or an address is in use).";
  command.options = {
      {"data", "FOLDER", "data folder (default: $REFEREE_DATA_FOLDER, else ~/.local/state/referee)", false, {}},
      {"socket", "PATH", "Unix socket (default: `socket` in the data folder)", false, {}},
      {"listen", "ADDRESS:PORT", "also listen on TCP", true, {}},
      {"host", "NAME", "a host name under which browsers reach --listen, besides localhost and addresses", true, {}},
      {"trust-proxy",
       "ADDRESS",
       "a proxy (address or network) whose X-Forwarded-For is believed, so that limits are each visitor's own",
       true,
       {}},
      {"public-view", "", "on TCP, looking needs no token", false, {}},
      {"cores", "N", "cores that games may keep busy (default: physical cores - 1)", false, {}},
      {"new-token", "ROLE", "make a token, print it, and end", false, {"viewer", "operator", "arbiter"}},
      {"name", "NAME", "whose token it is (default: its role)", false, {}},
  };
  command.examples = {"referee serve --data /srv/chess --listen 127.0.0.1:8080",
                      "referee serve --data /srv/chess --new-token arbiter --name alice"};
  command.run = run;
  return command;
}

}  // namespace referee::cli
