// An Engine as GameSession sees it: real processes, the UCI machine, limits.
#include "engine_iface/engine.hpp"

#include <algorithm>
#include <csignal>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "process_harness.hpp"
#include "process_survey.hpp"

using namespace referee;
using namespace referee::engine;
using namespace referee::engine::test;
using namespace std::chrono_literals;

namespace {

/// A UCI engine in shell that does `on_go` when it is asked for a move and `on_quit` when it is to end.
EngineSpec shell_engine(const std::string& on_go, const std::string& on_quit = "exit 0") {
  EngineSpec spec;
  spec.name = "shell";
  spec.command = shell(
      "while read line; do case $line in uci) echo id name Shell; echo uciok;; isready) echo readyok;; "
      "go*) " +
      on_go + ";; quit) " + on_quit + ";; esac; done; exec sleep 1000");
  return spec;
}

class Player {
 public:
  Player(Host& host, EngineSpec spec)
      : host_(host), engine(std::make_unique<Engine>(host.io, host.deadlines, host.launcher, std::move(spec))) {
    listen();
  }
  Player(Host& host, EngineSpec spec, std::unique_ptr<Protocol> protocol)
      : host_(host), engine(std::make_unique<Engine>(host.io, host.deadlines, host.launcher, std::move(spec), std::move(protocol))) {
    listen();
  }
  ~Player() {
    engine.reset();
    host_.io.restart();
    host_.io.run_for(patience);  // returns when the process has been waited for
  }
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  template <class Kind>
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(
        std::count_if(messages.begin(), messages.end(), [](const Message& m) { return std::holds_alternative<Kind>(m); }));
  }
  template <class Kind>
  [[nodiscard]] Kind last() const {
    for (auto message = messages.rbegin(); message != messages.rend(); ++message) {
      if (const auto* found = std::get_if<Kind>(&*message)) return *found;
    }
    FAIL("no such message");
    return {};
  }
  template <class Kind>
  bool run_until(std::size_t wanted = 1) {
    return host_.run_until([&] { return count<Kind>() >= wanted || count<Failure>() > 0; }) && count<Kind>() >= wanted;
  }
  bool prepare() {
    engine->start();
    if (!run_until<Ready>(1)) return false;
    NewGame game;
    game.line = line;
    engine->new_game(game);
    return run_until<Ready>(2);
  }
  std::optional<Instant> think() {
    ThinkRequest request;
    request.line = &line;
    request.clocks.has_clock = true;
    request.clocks.white = request.clocks.black = 60s;
    return engine->think(request);
  }

  std::vector<Message> messages;
  std::function<void(const Message&)> also;
  GameLine line;

 private:
  void listen() {
    engine->set_listener([this](const Message& message) {
      messages.push_back(message);
      if (also) also(message);
    });
  }
  Host& host_;

 public:
  std::unique_ptr<Engine> engine;
};

bool has_line(const std::vector<LoggedLine>& lines, LoggedLine::Way way, const std::string& text) {
  return std::any_of(lines.begin(), lines.end(), [&](const LoggedLine& line) { return line.way == way && line.text == text; });
}

/// A machine that sends what it is told to, for what no real protocol would send.
class BlurtingProtocol final : public Protocol {
 public:
  explicit BlurtingProtocol(std::string text) : text_(std::move(text)) {}
  [[nodiscard]] ProtocolKind kind() const noexcept override { return ProtocolKind::uci; }
  [[nodiscard]] const EngineIdentity& identity() const noexcept override { return identity_; }
  void start(Instant, Effects& out) override { out.messages.emplace_back(Ready{}); }
  void new_game(const NewGame&, Instant, Effects&) override {}
  void think(const ThinkRequest&, Instant, Effects& out) override {
    out.to_send = text_;
    out.go_sent = true;
  }
  void ponder(const ThinkRequest&, std::string_view, Instant, Effects&) override {}
  void ponder_hit(const ThinkRequest&, Instant, Effects&) override {}
  void stop(Instant, Effects&) override {}
  void offer_draw(Instant, Effects&) override {}
  void notify_result(std::string_view, std::string_view, Instant, Effects&) override {}
  void quit(Instant, Effects&) override {}
  void line(std::string_view text, Instant at, Effects& out) override {
    out.messages.emplace_back(Answer{std::string(text), std::nullopt, at});
  }
  void end_of_file(Instant, Effects&) override {}
  void exited(const ExitStatus&, Instant, Effects&) override {}
  void limit_expired(Limit limit, Instant at, Effects& out) override {
    out.kill = true;
    out.messages.emplace_back(Failure{FailureKind::stall, limit == Limit::write ? "write" : "other", at});
  }
  void set_info_interest(InfoInterest) noexcept override {}
  [[nodiscard]] bool reusable() const noexcept override { return true; }
  [[nodiscard]] bool supports_chess960() const noexcept override { return false; }
  [[nodiscard]] bool supports_pondering() const noexcept override { return false; }

 private:
  std::string text_;
  EngineIdentity identity_;
};

}  // namespace

TEST_CASE("an engine starts, plays a move and quits", "[engine]") {
  Host host("play");
  Player player(host, shell_engine("echo info depth 1 score cp 12 pv e2e4; echo bestmove e2e4"));
  std::vector<LoggedLine> logged;
  player.engine->set_line_log([&](const LoggedLine& line) { logged.push_back(line); });
  REQUIRE(player.prepare());
  CHECK(player.engine->identity().name == "Shell");
  CHECK(player.engine->alive());
  CHECK(player.engine->process_id() > 0);
  const auto before = std::chrono::steady_clock::now();
  const auto go = player.think();
  REQUIRE(go.has_value());
  CHECK(*go >= before);
  REQUIRE(player.run_until<Answer>());
  const Answer answer = player.last<Answer>();
  CHECK(answer.move == "e2e4");
  CHECK(answer.at > *go);
  player.engine->quit();
  REQUIRE(player.run_until<Bye>());
  CHECK(player.count<Failure>() == 0);
  const auto lines = player.engine->recent_lines();
  CHECK(has_line(lines, LoggedLine::Way::to_engine, "uci"));
  CHECK(has_line(lines, LoggedLine::Way::from_engine, "bestmove e2e4"));
  CHECK(has_line(lines, LoggedLine::Way::note, "exited with status 0"));
  CHECK(has_line(logged, LoggedLine::Way::to_engine, "quit"));
  CHECK(logged.size() == lines.size());
}

TEST_CASE("a missing engine is a failure to start, told after start() has returned", "[engine]") {
  Host host("missing");
  EngineSpec spec = shell_engine("");
  spec.command.command = "/no/such/engine";
  Player player(host, spec);
  bool inside = true, told_inside = false;
  player.also = [&](const Message&) { told_inside = told_inside || inside; };
  player.engine->start();
  inside = false;
  REQUIRE(host.run_until([&] { return player.count<Failure>() > 0; }));
  CHECK_FALSE(told_inside);
  CHECK(player.last<Failure>().kind == FailureKind::not_executed);
  CHECK(player.last<Failure>().detail == "cannot start /no/such/engine: No such file or directory");
  REQUIRE(host.run_until([&] { return !player.engine->alive(); }));
  CHECK(player.messages.size() == 1);
}

TEST_CASE("a crash is told once, with the status, and the last lines are kept", "[engine]") {
  Host host("crash");
  Player player(host, shell_engine("echo info string about to fail; echo assertion failed >&2; kill -SEGV $$"));
  REQUIRE(player.prepare());
  REQUIRE(player.think().has_value());
  REQUIRE(host.run_until([&] { return player.count<Failure>() > 0; }));
  CHECK(player.last<Failure>().kind == FailureKind::crash);
  CHECK_THAT(player.last<Failure>().detail, Catch::Contains("SIGSEGV"));
  const auto lines = player.engine->recent_lines();
  CHECK(has_line(lines, LoggedLine::Way::from_engine, "info string about to fail"));
  CHECK(has_line(lines, LoggedLine::Way::from_stderr, "assertion failed"));
  CHECK_FALSE(player.engine->alive());
  CHECK(player.count<Failure>() == 1);
  CHECK(player.count<Answer>() == 0);
  // What is ordered now has no effect.
  CHECK_FALSE(player.think().has_value());
  player.engine->quit();
}

TEST_CASE("who takes over an engine that has ended meanwhile hears of it when he begins a game", "[engine]") {
  Host host("meanwhile");
  for (const auto& [ending, kind] : {std::pair{"kill -SEGV $$", FailureKind::crash}, std::pair{"exit 0", FailureKind::disconnect}}) {
    EngineSpec spec = shell_engine("true");
    spec.command =
        shell(std::string("read line; echo uciok; while read line; do case $line in isready) echo readyok; ") + ending + ";; esac; done");
    Player player(host, std::move(spec));
    player.engine->start();
    REQUIRE(host.run_until([&] { return player.count<Failure>() == 1; }));
    CHECK(player.last<Failure>().kind == kind);
    // Another listens from here on.
    std::vector<Failure> heard;
    player.engine->set_listener([&heard](Message& message) {
      if (const auto* failure = std::get_if<Failure>(&message)) heard.push_back(*failure);
    });
    player.engine->new_game({});
    CHECK(heard.empty());  // told after new_game() has returned
    REQUIRE(host.run_until([&] { return !heard.empty(); }));
    CHECK(heard.front().kind == kind);
    CHECK(heard.front().detail == player.last<Failure>().detail);
    CHECK_FALSE(heard.front().detail.empty());
  }
}

TEST_CASE("an answer that came before the crash counts", "[engine]") {
  Host host("answer-crash");
  Player player(host, shell_engine("echo bestmove d2d4; exit 1"));
  REQUIRE(player.prepare());
  REQUIRE(player.think().has_value());
  REQUIRE(host.run_until([&] { return player.count<Failure>() > 0; }));
  REQUIRE(player.messages.size() >= 2);
  CHECK(player.count<Answer>() == 1);
  CHECK(std::holds_alternative<Failure>(player.messages.back()));
}

TEST_CASE("an engine that ignores quit, the end of its input and SIGTERM is killed when the limit expires", "[engine]") {
  Host host("stubborn");
  const std::string mark = unique_run_id("mark");
  EngineSpec spec = shell_engine("echo bestmove e2e4", "trap '' TERM HUP INT");
  spec.settings.timeouts.quit = 50ms;
  spec.command.environment = {{"REFEREE_TEST_MARK", mark}};
  Player player(host, spec);
  REQUIRE(player.prepare());
  player.engine->quit();
  REQUIRE(host.run_until([&] { return player.count<Failure>() + player.count<Bye>() > 0; }));
  REQUIRE(host.run_until([&] { return !player.engine->alive(); }));
  CHECK(wait_for_processes(mark, 0));
}

TEST_CASE("an engine whose input ends instead of a quit that it does not know", "[engine]") {
  Host host("unknowing");
  EngineSpec spec = shell_engine("echo bestmove e2e4", "continue");
  // Without `exec sleep` at its end the script ends with its input.
  spec.command.arguments.at(1).erase(spec.command.arguments.at(1).rfind("; exec sleep"));
  Player player(host, spec);
  REQUIRE(player.prepare());
  player.engine->quit();
  CHECK(player.run_until<Bye>());
}

TEST_CASE("many engines quit side by side", "[engine]") {
  Host host("many");
  std::vector<std::unique_ptr<Player>> players;
  EngineSpec spec = shell_engine("echo bestmove e2e4", "sleep 0.3; exit 0");
  for (int i = 0; i < 40; ++i) {
    players.push_back(std::make_unique<Player>(host, spec));
    players.back()->engine->start();
  }
  for (auto& player : players) REQUIRE(player->run_until<Ready>());
  const auto start = std::chrono::steady_clock::now();
  for (auto& player : players) player->engine->quit();
  for (auto& player : players) CHECK(player->run_until<Bye>());
  // One after the other they would need 12 seconds.
  CHECK(std::chrono::steady_clock::now() - start < 9s);
}

TEST_CASE("drain_now() delivers an answer that lies in the pipe", "[engine]") {
  Host host("drain-now");
  Player player(host, shell_engine("echo bestmove e2e4"));
  REQUIRE(player.prepare());
  CHECK_FALSE(player.engine->drain_now());
  REQUIRE(player.think().has_value());
  bool drained = false;
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!drained && std::chrono::steady_clock::now() < end) drained = player.engine->drain_now();
  CHECK(drained);
  CHECK(player.count<Answer>() == 1);
  CHECK_FALSE(player.engine->drain_now());
}

TEST_CASE("a listener may destroy the engine that speaks to it", "[engine]") {
  Host host("suicide");
  const std::string mark = unique_run_id("mark");
  EngineSpec spec = shell_engine("echo bestmove e2e4; echo bestmove d2d4");
  spec.command.environment = {{"REFEREE_TEST_MARK", mark}};
  Player player(host, spec);
  REQUIRE(player.prepare());
  player.also = [&](const Message& message) {
    if (std::holds_alternative<Answer>(message)) player.engine.reset();
  };
  REQUIRE(player.think().has_value());
  REQUIRE(host.run_until([&] { return player.engine == nullptr; }));
  const std::size_t told = player.messages.size();
  host.io.restart();
  host.io.run_for(patience);
  CHECK(wait_for_processes(mark, 0));
  CHECK(player.messages.size() == told);
}

TEST_CASE("a go that does not fit the pipe counts from its leaving", "[engine]") {
  Host host("held-back");
  EngineSpec spec;
  spec.command = shell("sleep 0.2; while read line; do [ \"$line\" = go ] && echo bestmove; done");
  Player player(host, spec, std::make_unique<BlurtingProtocol>(std::string(200000, 'p') + "\ngo\n"));
  player.engine->start();
  REQUIRE(player.run_until<Ready>());
  const auto before = std::chrono::steady_clock::now();
  CHECK_FALSE(player.think().has_value());
  REQUIRE(player.run_until<Answer>());
  REQUIRE(player.count<GoSent>() == 1);
  CHECK(player.last<GoSent>().at > before);
  CHECK(player.last<Answer>().at >= player.last<GoSent>().at);
  // The last thing sent is kept in full.
  CHECK(has_line(player.engine->recent_lines(), LoggedLine::Way::to_engine, std::string(200000, 'p')));
}

TEST_CASE("an engine that never reads fails when the limit on writing expires", "[engine]") {
  Host host("deaf");
  EngineSpec spec;
  spec.command = shell("exec sleep 1000");
  spec.settings.timeouts.write = 50ms;
  Player player(host, spec, std::make_unique<BlurtingProtocol>(std::string(200000, 'p') + "\n"));
  player.engine->start();
  REQUIRE(player.run_until<Ready>());
  CHECK_FALSE(player.think().has_value());
  REQUIRE(host.run_until([&] { return player.count<Failure>() > 0; }));
  CHECK(player.last<Failure>().detail == "write");
  REQUIRE(host.run_until([&] { return !player.engine->alive(); }));
}
