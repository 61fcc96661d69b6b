// How many processes and threads an engine may have, and that none is left of those it had.
#include <string>

#include "process_harness.hpp"
#include "process_survey.hpp"

using namespace referee::engine;
using namespace referee::engine::test;

namespace {

/// Forks sleepers until it is refused or has `most`, says how many there are, and waits to be told to end.
EngineCommand forks(int most, Isolation isolation) {
  return shell("exec perl -e '$| = 1; $n = 0; for (1.." + std::to_string(most) +
                   ") { $p = fork(); last unless defined $p; if (!$p) { setpgrp(0, 0); sleep 1000; exit } ++$n } print \"$n\\n\"; <STDIN>'",
               isolation);
}

bool limit_is_missing(const Host& host) {
  return std::any_of(host.notices.begin(), host.notices.end(),
                     [](const std::string& notice) { return notice.find("a limit on processes and threads") != std::string::npos; });
}

}  // namespace

TEST_CASE("a fork bomb meets the limit on processes, and all of it ends with the engine", "[processes]") {
  Host host("bomb");
  const auto isolation = GENERATE(Isolation::basic, Isolation::strict);
  EngineCommand command = forks(2000, isolation);
  command.process_limit = 40;
  {
    Recorder bomb(host, command);
    REQUIRE(host.run_until([&] { return !bomb.lines.empty(); }));
    if (limit_is_missing(host)) {
      CHECK(std::stoi(bomb.lines.front()) == 2000);
    } else {
      CHECK(std::stoi(bomb.lines.front()) == 39);  // and itself
    }
    // Others are not limited by it: it is each engine's own.
    Recorder other(host, command);
    REQUIRE(host.run_until([&] { return !other.lines.empty(); }));
    CHECK(other.lines.front() == bomb.lines.front());
    bomb.process().close_input();
    REQUIRE(bomb.run_until_exit());
  }
  if (host.launcher.namespaces() != NamespaceSupport::none) CHECK(wait_for_processes("REFEREE_RUN=" + host.launcher.run_id(), 0));
  end_leftovers(host.launcher.run_id());
}

TEST_CASE("threads count as processes do", "[processes]") {
  Host host("threads");
  EngineCommand command = shell(
      "exec perl -e 'use threads; $| = 1; $n = 0; for (1..30) { last unless threads->create(sub { sleep 1000 }); ++$n } print \"$n\\n\"; "
      "<STDIN>; exit' 2>/dev/null");
  command.process_limit = 12;
  Recorder engine(host, command);
  REQUIRE(host.run_until([&] { return !engine.lines.empty(); }));
  if (!limit_is_missing(host)) CHECK(std::stoi(engine.lines.front()) == 11);
}

TEST_CASE("without a limit of its own an engine has that of the host's size", "[processes]") {
  CHECK(default_process_limit() >= 512);
  Host host("default");
  Recorder engine(host, forks(600, Isolation::basic));
  REQUIRE(host.run_until([&] { return !engine.lines.empty(); }));
  if (!limit_is_missing(host) && default_process_limit() == 512) CHECK(std::stoi(engine.lines.front()) == 511);
}
