#include "engine_iface/probe.hpp"

#include <filesystem>

#include "engine_iface/probe_checks.hpp"

namespace referee::engine {

std::string_view name(ProbeVerdict verdict) noexcept {
  switch (verdict) {
    case ProbeVerdict::pass:
      return "pass";
    case ProbeVerdict::tolerated:
      return "tolerated";
    case ProbeVerdict::fail:
      return "fail";
  }
  return {};
}

std::string milliseconds_text(Duration duration) {
  return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(duration).count()) + " ms";
}

namespace {

/// Does it answer `uci`? An XBoard engine calls it an unknown command, or says nothing. What only repeats its input is no engine.
bool answers_uci(const Launcher& launcher, const EngineCommand& command, Duration limit) {
  ProbeTalk talk(launcher, command);
  talk.send("uci");
  const auto answer =
      talk.await([](std::string_view line) { return line == "uci" || line.find("uciok") != std::string_view::npos; }, limit);
  return answer && answer->text != "uci";
}

}  // namespace

ProbeReport probe_engine(const Launcher& launcher, const EngineCommand& command, const ProbeSettings& settings) {
  ProbeReport report;
  report.engine = std::filesystem::path(command.command).filename();
  if (settings.protocol) {
    report.protocol = *settings.protocol;
  } else {
    if (settings.on_begin) settings.on_begin("does it answer uci? (" + milliseconds_text(settings.answer) + " at most)");
    report.protocol = answers_uci(launcher, command, settings.answer) ? ProtocolKind::uci : ProtocolKind::xboard;
  }
  const auto run = report.protocol == ProtocolKind::uci ? make_uci_probe(launcher, command, settings, report)
                                                        : make_xboard_probe(launcher, command, settings, report);
  run->run();
  return report;
}

}  // namespace referee::engine
