// Protocol compliance of one engine: a list of checks, each in a process that is known to be in order, each finished whatever the others
// found.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine_iface/engine.hpp"

namespace referee::engine {

/// tolerated = not what the protocol says, but a referee can live with it; also what the engine does not offer and need not.
enum class ProbeVerdict : std::uint8_t { pass, tolerated, fail };
[[nodiscard]] std::string_view name(ProbeVerdict verdict) noexcept;

struct ProbeCheck {
  std::string id;       // "ponder": stable, for scripts
  std::string section;  // of the protocol: "UCI go", "CECP 9 feature"
  ProbeVerdict verdict = ProbeVerdict::fail;
  std::string sent;  // the commands that matter, separated by "; "
  std::string seen;  // what came of it, in a sentence or as the engine's own line
};

struct ProbeReport {
  std::string engine;  // as it names itself, else the command
  ProtocolKind protocol = ProtocolKind::uci;
  std::vector<ProbeCheck> checks;
};

struct ProbeSettings {
  std::optional<ProtocolKind> protocol;             // unset = UCI, and XBoard if it does not answer that
  Duration start = std::chrono::seconds(20);        // uciok, features
  Duration answer = std::chrono::seconds(10);       // anything that should take no time
  Duration whole = std::chrono::minutes(5);         // checks that have not begun by then are not reached
  std::function<void(const ProbeCheck&)> on_check;  // as each is done
  /// As each begins, and what is tried before the first: its id, or a sentence that says what is awaited and how long.
  std::function<void(const std::string& what)> on_begin;
};

/// Blocks for some seconds up to `whole` and one check more. A program that answers neither protocol's greeting is given up within the
/// limit of one answer or two: all further checks are "not reached". `launcher` and the calling thread as in Launcher::spawn. An engine
/// that cannot even be started is reported as one that fails every check; throws nothing of its own.
[[nodiscard]] ProbeReport probe_engine(const Launcher& launcher, const EngineCommand& command, const ProbeSettings& settings);

}  // namespace referee::engine
