#include "referee/match/engine_pool.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <utility>
#include <variant>

#include "engine_iface/protocol_base.hpp"
#include "referee/match/engine_spec.hpp"
#include "referee/match/game_faults.hpp"

namespace referee::match {

namespace {

// Between the attempts to start an engine: the first for all, the others where it has started in this match before. Whoever killed it, or
// took the memory or the disk it needs, may be gone in a moment; a list that runs for weeks should not lose an engine for that.
constexpr std::array before_the_next_attempt{std::chrono::milliseconds(300), std::chrono::milliseconds(1'000),
                                             std::chrono::milliseconds(3'000), std::chrono::milliseconds(10'000)};
constexpr std::chrono::seconds beyond_the_quit_limit{2};  // the engine's own limit ends it long before
constexpr std::size_t last_lines_shown = 12;
constexpr std::chrono::seconds before_a_word{3};
constexpr std::size_t most_remarks = 100;  // on one engine

std::string last_lines(const engine::Engine& engine) {
  const std::vector<engine::LoggedLine> lines = engine.recent_lines();
  std::string text;
  const std::size_t from = lines.size() > last_lines_shown ? lines.size() - last_lines_shown : 0;
  for (std::size_t i = from; i < lines.size(); ++i) append_line(text, engine.spec().name, lines[i]);
  return text;
}

std::string awaited_of(const config::EngineEntry& engine) {
  const engine::Timeouts& limits = engine.timeouts;
  if (engine.protocol.value_or(engine::ProtocolKind::uci) == engine::ProtocolKind::uci)
    return "waiting for " + engine.name + " to answer `uci` and `isready`: " + engine::describe(limits.start) + " for uciok, then " +
           engine::describe(limits.ready) + " for readyok (timeouts: start, ready)";
  return "waiting for " + engine.name + " to tell its features and answer `ping`: " + engine::describe(limits.features) +
         " for features, " + engine::describe(limits.features_extended) + " after done=0, then " + engine::describe(limits.ready) +
         " for pong (timeouts: features, loading, ready)";
}

/// Is a number of nodes all that ends a turn of it?
bool counts_nodes_alone(const config::EngineEntry& entry, const clock::TimeControl& common) {
  const engine::SearchLimits& limits = entry.limits;
  return limits.nodes && !limits.depth && !limits.move_time && entry.time_control.value_or(common).mode == clock::Mode::infinite;
}

/// UCI has a word for it, XBoard only where time may be counted in nodes.
bool can_count_nodes(const engine::Engine& engine) {
  if (engine.spec().protocol == engine::ProtocolKind::uci) return true;
  const auto& features = engine.identity().features;
  const auto nps = features.find("nps");
  return nps != features.end() && nps->second != "0";
}

}  // namespace

struct EnginePool::Start {
  std::unique_ptr<Instance> instance;
  std::size_t engine_index = 0;
  std::vector<int> cpus;
  std::size_t failures = 0;
  bool cannot_play = false;  // this match: no attempt will be another
  Acquired acquired;
  std::unique_ptr<engine::Deadline> retry;
  std::unique_ptr<engine::Deadline> word;  // to the user, of what is awaited
};

EnginePool::EnginePool(boost::asio::io_context& io, engine::DeadlineQueue& deadlines, const engine::Launcher& launcher,
                       const MatchPlan& plan, ProtocolLog* log, Hooks hooks)
    : io_(io),
      deadlines_(deadlines),
      launcher_(launcher),
      plan_(plan),
      log_(log),
      hooks_(std::move(hooks)),
      remarks_(plan.file().engines.size()),
      told_of_(plan.file().engines.size(), false),
      is_known_to_start_(plan.file().engines.size(), false) {
  for (const config::EngineEntry& entry : plan.file().engines) specs_.push_back(engine_spec(entry, plan.file().output));
}

EnginePool::~EnginePool() { *alive_ = false; }

void EnginePool::has_started(std::size_t engine_index) { is_known_to_start_[engine_index] = true; }

void EnginePool::acquire(std::size_t engine_index, std::vector<int> cpus, Acquired acquired) {
  const auto found =
      std::ranges::find_if(idle_, [&](const auto& instance) { return instance->engine_index == engine_index && instance->cpus == cpus; });
  if (found != idle_.end()) {
    Instance* instance = found->get();
    busy_.splice(busy_.end(), idle_, found);
    boost::asio::post(io_, [alive = alive_, instance, acquired = std::move(acquired)] {
      if (*alive) acquired(instance, nullptr);
    });
    return;
  }
  auto start = std::make_shared<Start>();
  start->engine_index = engine_index;
  start->cpus = std::move(cpus);
  start->acquired = std::move(acquired);
  starting_.push_back(start);
  launch(start);
}

void EnginePool::launch(const std::shared_ptr<Start>& start) {
  engine::EngineSpec spec = specs_[start->engine_index];
  spec.command.cpus = start->cpus;

  start->instance = std::make_unique<Instance>();
  start->instance->engine_index = start->engine_index;
  start->instance->cpus = start->cpus;
  start->instance->serial = ++last_serial_;
  start->instance->engine = std::make_unique<engine::Engine>(io_, deadlines_, launcher_, std::move(spec));
  if (log_ != nullptr) log_->attach(*start->instance->engine, start->instance->serial);
  start->instance->engine->set_listener([this, weak = std::weak_ptr<Start>(start)](const engine::Message& message) {
    const auto pending = weak.lock();
    if (!pending || !pending->instance) return;
    if (std::holds_alternative<engine::Ready>(message))
      started(pending);
    else if (const auto* failure = std::get_if<engine::Failure>(&message))
      failed(pending, failure->detail, reason_of_start(failure->kind));
    else if (std::holds_alternative<engine::Bye>(message))
      failed(pending, "ended before the handshake was over", game::Reason::disconnect);
    else
      remark(pending->engine_index, message);
  });
  start->instance->engine->start();
  start->word = std::make_unique<engine::Deadline>(deadlines_, [this, weak = std::weak_ptr<Start>(start)](engine::Instant /*now*/) {
    const auto pending = weak.lock();
    if (!pending || !pending->instance || !hooks_.on_wait || told_of_[pending->engine_index]) return;
    told_of_[pending->engine_index] = true;
    hooks_.on_wait(awaited_of(plan_.file().engines[pending->engine_index]));
  });
  start->word->set(std::chrono::steady_clock::now() + before_a_word);
}

void EnginePool::started(const std::shared_ptr<Start>& start) {
  if (plan_.file().chess960 && !start->instance->engine->supports_chess960()) {
    start->cannot_play = true;
    return failed(start, "does not play Chess960 (expected the option UCI_Chess960, or fischerandom among the variants)",
                  game::Reason::protocol_error);
  }
  if (const config::EngineEntry& entry = plan_.file().engines[start->engine_index];
      counts_nodes_alone(entry, plan_.file().time_control) && !can_count_nodes(*start->instance->engine)) {
    start->cannot_play = true;
    return failed(start, "cannot be told of its only limit, the nodes (expected feature nps=1, or limits with depth or movetime)",
                  game::Reason::protocol_error);
  }
  has_started(start->engine_index);
  starting_.remove(start);
  start->word.reset();
  Instance* instance = start->instance.get();
  instance->engine->set_listener([this, instance](const engine::Message& message) { hear_idle(instance, message); });
  busy_.push_back(std::move(start->instance));
  boost::asio::post(io_, [alive = alive_, instance, acquired = std::move(start->acquired)] {
    if (*alive) acquired(instance, nullptr);
  });
}

void EnginePool::failed(const std::shared_ptr<Start>& start, const std::string& why, game::Reason reason) {
  start->word.reset();
  StartFailure failure{.why = why, .last_lines = last_lines(*start->instance->engine), .reason = reason};
  leave(std::move(start->instance), Goodbye::none);
  const std::size_t forgiven = is_known_to_start_[start->engine_index] ? before_the_next_attempt.size() : 1;
  if (!start->cannot_play && start->failures < forgiven && !on_closed_) {
    const std::chrono::milliseconds wait = before_the_next_attempt[start->failures++];
    remark(start->engine_index, "start", "a start failed (" + why + "); it is tried once more", {});
    start->retry = std::make_unique<engine::Deadline>(deadlines_, [this, weak = std::weak_ptr<Start>(start)](engine::Instant /*now*/) {
      if (const auto pending = weak.lock()) launch(pending);
    });
    start->retry->set(std::chrono::steady_clock::now() + wait);
    return;
  }
  starting_.remove(start);
  boost::asio::post(io_, [alive = alive_, acquired = std::move(start->acquired), failure = std::move(failure)] {
    if (*alive) acquired(nullptr, &failure);
  });
}

void EnginePool::release(Instance* instance, Fate fate) {
  std::unique_ptr<Instance> own = take(busy_, instance);
  if (!own) return;
  if (fate == Fate::lost) return leave(std::move(own), Goodbye::none);
  if (fate == Fate::restart || on_closed_ || !own->engine->alive() || !may_reuse(*own)) return leave(std::move(own), Goodbye::quit);
  own->engine->set_listener([this, instance](const engine::Message& message) { hear_idle(instance, message); });
  idle_.push_back(std::move(own));
}

bool EnginePool::may_reuse(const Instance& instance) const {
  const engine::Engine& engine = *instance.engine;
  switch (plan_.file().engines[instance.engine_index].restart) {
    case config::Restart::on:
      return false;
    case config::Restart::automatic:
      return engine.reusable();
    case config::Restart::off:
      break;
  }
  // Asked to keep it: only an engine that forbids its reuse itself is started afresh.
  const auto& features = engine.identity().features;
  const auto reuse = features.find("reuse");
  return reuse == features.end() || reuse->second != "0";
}

void EnginePool::trim(std::size_t most_idle, const std::vector<std::size_t>& wanted) {
  const auto is_wanted = [&wanted](const std::unique_ptr<Instance>& instance) {
    return std::ranges::find(wanted, instance->engine_index) != wanted.end();
  };
  while (idle_.size() > most_idle) {
    auto victim = std::ranges::find_if_not(idle_, is_wanted);
    if (victim == idle_.end()) victim = idle_.begin();
    std::unique_ptr<Instance> own = std::move(*victim);
    idle_.erase(victim);
    leave(std::move(own), Goodbye::quit);
  }
}

void EnginePool::hear_idle(Instance* instance, const engine::Message& message) {
  if (std::holds_alternative<engine::Failure>(message) || std::holds_alternative<engine::Bye>(message)) {
    if (const auto* failure = std::get_if<engine::Failure>(&message))
      remark(instance->engine_index, "start", "ended between games: " + failure->detail, {});
    if (std::unique_ptr<Instance> own = take(idle_, instance)) leave(std::move(own), Goodbye::none);
    return;  // a busy one is in its session's hands, which finds it dead
  }
  remark(instance->engine_index, message);
}

void EnginePool::leave(std::unique_ptr<Instance> instance, Goodbye goodbye) {
  Instance* leaving = instance.get();
  leaving_.push_back(std::move(instance));
  const auto gone = [this, leaving] {
    boost::asio::post(io_, [this, alive = alive_, leaving] {
      if (*alive) left(leaving);
    });
  };
  if (goodbye == Goodbye::none) {
    leaving->engine->set_listener([](const engine::Message& /*message*/) {});
    leaving->engine->kill();
    return gone();
  }
  if (!leaving->engine->alive()) return gone();
  leaving->engine->set_listener([gone](const engine::Message& message) {
    if (std::holds_alternative<engine::Bye>(message) || std::holds_alternative<engine::Failure>(message)) gone();
  });
  leaving->patience = std::make_unique<engine::Deadline>(deadlines_, [gone](engine::Instant /*now*/) { gone(); });
  leaving->patience->set(std::chrono::steady_clock::now() + leaving->engine->spec().settings.timeouts.quit + beyond_the_quit_limit);
  leaving->engine->quit();
}

void EnginePool::left(Instance* instance) {
  (void)take(leaving_, instance);
  if (on_closed_ && processes() == 0) std::exchange(on_closed_, nullptr)();
}

void EnginePool::close(std::function<void()> finished) {
  on_closed_ = std::move(finished);
  while (!idle_.empty()) {
    std::unique_ptr<Instance> own = std::move(idle_.front());
    idle_.pop_front();
    leave(std::move(own), Goodbye::quit);
  }
  for (const auto& start : std::exchange(starting_, {})) {
    start->retry.reset();
    if (start->instance) leave(std::move(start->instance), Goodbye::quit);
  }
  if (processes() == 0) {
    boost::asio::post(io_, [this, alive = alive_] {
      if (*alive && on_closed_) std::exchange(on_closed_, nullptr)();
    });
  }
}

void EnginePool::kill_all() {
  for (Instances* list : {&idle_, &busy_, &leaving_}) {
    for (const auto& instance : *list) instance->engine->kill();
  }
  for (const auto& start : starting_) {
    if (start->instance) start->instance->engine->kill();
  }
}

void EnginePool::remark(std::size_t engine_index, const engine::Message& message) {
  if (const auto* complaint = std::get_if<engine::Complaint>(&message))
    remark(engine_index, "complaint", complaint->what, {});
  else if (const auto* leniency = std::get_if<engine::Leniency>(&message))
    remark(engine_index, "leniency", leniency->what, leniency->line);
}

void EnginePool::remark(std::size_t engine_index, const std::string& kind, const std::string& text, const std::string& line) {
  std::vector<std::string>& said = remarks_[engine_index];
  if (std::ranges::find(said, text) != said.end() || said.size() >= most_remarks) return;
  said.push_back(text);
  if (hooks_.on_remark) hooks_.on_remark(engine_index, kind, text, line);
}

std::unique_ptr<Instance> EnginePool::take(Instances& from, const Instance* instance) {
  const auto found = std::ranges::find(from, instance, [](const auto& own) { return own.get(); });
  if (found == from.end()) return nullptr;
  std::unique_ptr<Instance> own = std::move(*found);
  from.erase(found);
  return own;
}

}  // namespace referee::match
