#include "engine_iface/probe.hpp"

#include <filesystem>

#include "engine_iface/probe_checks.hpp"
#include "engine_iface/protocol_base.hpp"

namespace referee::engine {

namespace {

constexpr Duration prompt_end = std::chrono::seconds(2);
constexpr Duration longest_end = std::chrono::seconds(5);

}  // namespace

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

void ProbeRun::judge_time(ProbeCheck& check, const std::string& answer, Duration took, Duration allowed) {
  check.seen = answer + " after " + milliseconds_text(took) + " of " + milliseconds_text(allowed);
  if (took <= allowed) {
    check.verdict = ProbeVerdict::pass;
  } else if (took <= allowed + probe_slack) {
    check.verdict = ProbeVerdict::tolerated;
  }
}

void ProbeRun::judge_end(ProbeTalk& talk, ProbeCheck& check) {
  const auto since = ProbeTalk::now();
  const auto status = talk.await_exit(longest_end);
  if (!status) {
    check.seen = "still runs after " + describe(longest_end);
    return;
  }
  const auto took = ProbeTalk::now() - since;
  check.seen = describe(*status) + " after " + milliseconds_text(took);
  check.verdict = status->code == 0 && took <= prompt_end ? ProbeVerdict::pass : ProbeVerdict::tolerated;
}

void ProbeRun::check_quit(std::string section) {
  check_alone("quit", std::move(section), [](ProbeTalk& talk, ProbeCheck& check) {
    check.sent = "quit";
    talk.send("quit");
    judge_end(talk, check);
  });
}

void ProbeRun::check_end_of_input(const std::string& sent, const std::function<bool(ProbeTalk&)>& think) {
  check_alone("end-of-input", "end of file on stdin", [](ProbeTalk& talk, ProbeCheck& check) {
    check.sent = "(stdin closed)";
    talk.close_input();
    judge_end(talk, check);
  });
  check_alone("end-of-input-while-thinking", "end of file on stdin", [&](ProbeTalk& talk, ProbeCheck& check) {
    check.sent = sent + "; (stdin closed)";
    if (!think(talk)) return;
    talk.close_input();
    judge_end(talk, check);
  });
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
