// A stub engine under simulated time: what it writes and when, and a conversation between it and a protocol machine.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "conversation.hpp"
#include "engine_iface/stub.hpp"

namespace referee::engine::test {

inline StubScript read_script(const std::string& name) {
  std::ifstream in(REFEREE_SOURCE_FOLDER "/tests/engines/" + name + ".txt", std::ios::binary);
  REQUIRE(in);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  auto read = parse_stub_script(text);
  REQUIRE(std::holds_alternative<StubScript>(read));
  return std::get<StubScript>(read);
}

class SimulatedWorld final : public StubWorld {
 public:
  struct Event {
    enum class Kind { bytes, closed, exit, signal } kind;
    Instant at;
    std::string bytes;
    int number = 0;
  };

  void write_output(std::string_view bytes) override {
    output += bytes;
    if (!output_closed) events.push_back({Event::Kind::bytes, now, std::string(bytes)});
  }
  void write_errors(std::string_view bytes) override { errors += bytes; }
  void sleep(long long milliseconds_) override { now += milliseconds(milliseconds_); }
  void exit(int status) override {
    close_output();
    events.push_back({Event::Kind::exit, now, {}, status});
    gone = true;
  }
  void raise_signal(int number) override {
    close_output();
    events.push_back({Event::Kind::signal, now, {}, number});
    gone = true;
  }
  void ignore_everything() override { deaf = true; }
  void close_input() override { deaf = true; }
  void close_output() override {
    if (output_closed) return;
    output_closed = true;
    events.push_back({Event::Kind::closed, now, {}});
  }

  Instant now{};
  std::string output, errors;
  std::vector<Event> events;
  bool gone = false, deaf = false, output_closed = false;
};

/// Both sides; time goes by only in run().
class Rehearsal {
 public:
  Rehearsal(StubScript script, ProtocolSettings settings = {})
      : engine(script.protocol == ProtocolKind::uci ? make_uci_protocol(std::move(settings)) : make_xboard_protocol(std::move(settings))),
        stub(std::move(script), world) {
    world.now = engine.now;
    stub.start();
  }
  explicit Rehearsal(const std::string& name) : Rehearsal(read_script(name)) {}

  /// Delivers what each side has written until `duration` is over or `done` holds.
  template <class Done>
  bool run(Duration duration, Done done) {
    const auto until = engine.now + duration;
    while (true) {
      hand_over();
      if (done()) return true;
      const auto next =
          std::min_element(world.events.begin(), world.events.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
      const auto event_at = next == world.events.end() ? Instant::max() : std::max(next->at, engine.now);
      auto limit_at = Instant::max();
      for (const auto& [limit, at] : engine.deadlines) limit_at = std::min(limit_at, at);
      const auto at = std::min({event_at, limit_at, until});
      if (at == until && event_at > until && limit_at > until) {
        engine.wait(until - engine.now);
        return done();
      }
      if (limit_at < event_at) {
        engine.wait(limit_at - engine.now);
        continue;
      }
      engine.wait(event_at - engine.now);
      const auto event = *next;
      world.events.erase(next);
      happens(event);
    }
  }
  template <class M>
  bool run_to(Duration duration = seconds(60)) {
    const auto before = engine.count<M>();
    return run(duration, [&] { return engine.count<M>() > before; });
  }

  /// Start, new game, ready for its first search.
  void prepare(const NewGame& game) {
    engine.start();
    REQUIRE(run_to<Ready>());
    engine.new_game(game);
    REQUIRE(run_to<Ready>());
    transcript.clear();
  }

  SimulatedWorld world;
  Conversation engine;
  Stub stub;
  std::string transcript;  // everything that was sent to the engine

 private:
  void hand_over() {
    for (std::string text = engine.sent(); !text.empty(); text = engine.sent()) {
      transcript += text;
      world.now = std::max(world.now, engine.now);
      std::size_t begin = 0;
      for (auto end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
        if (!world.gone && !world.deaf) stub.line(std::string_view(text).substr(begin, end - begin));
        begin = end + 1;
      }
    }
    if (engine.killed && !world.gone) world.raise_signal(9);
  }
  void happens(const SimulatedWorld::Event& event) {
    switch (event.kind) {
      case SimulatedWorld::Event::Kind::bytes: {
        pending_ += event.bytes;
        std::size_t begin = 0;
        for (auto end = pending_.find('\n'); end != std::string::npos; end = pending_.find('\n', begin)) {
          engine.says(std::string_view(pending_).substr(begin, end - begin));
          begin = end + 1;
        }
        pending_.erase(0, begin);
        break;
      }
      case SimulatedWorld::Event::Kind::closed:
        if (!pending_.empty()) engine.says(pending_);
        engine.ends_output();
        break;
      case SimulatedWorld::Event::Kind::exit:
        engine.exits(event.number);
        break;
      case SimulatedWorld::Event::Kind::signal:
        engine.dies_of(event.number);
        break;
    }
  }
  std::string pending_;
};

}  // namespace referee::engine::test
