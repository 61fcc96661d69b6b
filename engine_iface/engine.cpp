#include "engine_iface/engine.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <optional>
#include <utility>

#include "engine_iface/deadline_queue.hpp"
#include "engine_iface/engine_process.hpp"
#include "engine_iface/launcher.hpp"
#include "engine_iface/protocol_base.hpp"
#include "engine_iface/recent_lines.hpp"

namespace referee::engine {

namespace {

Instant now() { return std::chrono::steady_clock::now(); }

constexpr std::size_t limit_count = static_cast<std::size_t>(Limit::exit) + 1;

std::unique_ptr<Protocol> make_protocol(const EngineSpec& spec) {
  return spec.protocol == ProtocolKind::uci ? make_uci_protocol(spec.settings) : make_xboard_protocol(spec.settings);
}

}  // namespace

struct Engine::Impl final : EngineProcess::Observer, std::enable_shared_from_this<Engine::Impl> {
  Impl(boost::asio::io_context& context, DeadlineQueue& queue, const Launcher& owner, EngineSpec what, std::unique_ptr<Protocol> machine)
      : io(context), deadlines(queue), launcher(owner), spec(std::move(what)), protocol(std::move(machine)) {}

  // ---- orders ------------------------------------------------------------------------------------------------------------------------

  void start() {
    if (process || over) return;
    for (std::size_t i = 0; i < limit_count; ++i) {
      limits.at(i).emplace(deadlines, [this, limit = static_cast<Limit>(i)](Instant at) { limit_expired(limit, at); });
    }
    try {
      process = EngineProcess::start(io, deadlines, launcher, spec.command, *this);
      deadline(Limit::start).set(now() + spec.settings.timeouts.start);
    } catch (const LaunchError& error) { fail_to_start(FailureKind::not_executed, error.what()); }
  }

  /// Gives the protocol machine an order and does what it asks for. The instant at which a `go` had left, if one did.
  template <class Order>
  std::optional<Instant> order(Order&& give) {
    if (!running || over) return std::nullopt;
    order_effects.clear();
    give(*protocol, now(), order_effects);
    const auto go_left = act(order_effects);
    settle(order_effects);
    for (Message& message : order_effects.messages) deliver_later(std::move(message));
    return go_left;
  }

  void quit() {
    if (over) return;
    if (!running) return kill();
    order([](Protocol& machine, Instant at, Effects& out) { machine.quit(at, out); });
    if (process) process->close_input();  // also ends what does not know the word
  }

  void kill() {
    if (process) process->kill();
  }

  bool drain_now() {
    if (!process) return false;
    const auto self = shared_from_this();
    answered = false;
    process->drain();
    return answered;
  }

  /// Nobody listens any more.
  void shut_down() {
    listener.reset();
    line_log = nullptr;
    for (auto& limit : limits) limit.reset();
    over = true;
    if (process) process->abandon();
    process.reset();
  }

  // ---- what the protocol machine asks for --------------------------------------------------------------------------------------------

  Deadline& deadline(Limit limit) { return *limits.at(static_cast<std::size_t>(limit)); }

  /// All but the messages.
  std::optional<Instant> act(const Effects& effects) {
    std::optional<Instant> left;
    if (effects.interrupt) process->interrupt();
    if (!effects.to_send.empty()) {
      left = process->send(effects.to_send);
      const Instant at = left ? *left : now();
      if (!left && process->unsent() && !deadline(Limit::write).pending()) deadline(Limit::write).set(at + spec.settings.timeouts.write);
      if (effects.go_sent) go_unsent = !left;
      log_sent(effects.to_send, at);
    } else if (effects.go_sent) {
      left = now();  // a ponderhit whose answer is already here needs no words
    }
    if (effects.terminate) process->terminate();
    if (effects.kill) process->kill();
    for (const auto& change : effects.limits) {
      if (change.deadline) {
        deadline(change.limit).set(*change.deadline);
      } else {
        deadline(change.limit).clear();
      }
    }
    return effects.go_sent ? left : std::nullopt;
  }

  /// After a Failure or Bye nothing more is expected of the process.
  void settle(const Effects& effects) {
    const auto is_last = [](const Message& message) {
      return std::holds_alternative<Failure>(message) || std::holds_alternative<Bye>(message);
    };
    if (std::any_of(effects.messages.begin(), effects.messages.end(), is_last)) finish();
    for (const Message& message : effects.messages)
      if (const auto* failure = std::get_if<Failure>(&message)) failure_said = *failure;
  }

  /// To whoever gives an engine that is over a game: he may not have been there to hear of it.
  void say_again() {
    deliver_later(failure_said.value_or(Failure{FailureKind::disconnect, "had ended before the game began", ended_at.value_or(now())}));
  }

  void finish() {
    over = true;
    for (auto& limit : limits) limit.reset();
  }

  /// What happened goes to the protocol machine; then its effects are carried out and its messages delivered.
  template <class Event>
  void happen(Event&& tell) {
    if (over) return;
    const auto self = shared_from_this();
    std::unique_ptr<Effects> effects = take_effects();
    tell(*protocol, *effects);
    const auto go_left = act(*effects);
    settle(*effects);
    for (Message& message : effects->messages) deliver(std::move(message));
    if (go_left) deliver(GoSent{*go_left});
    effects->clear();
    spare_effects.push_back(std::move(effects));
  }

  // A listener may bring about another event (drain_now) while one is being delivered: each has its own effects, reused afterwards.
  std::unique_ptr<Effects> take_effects() {
    if (spare_effects.empty()) return std::make_unique<Effects>();
    auto effects = std::move(spare_effects.back());
    spare_effects.pop_back();
    return effects;
  }

  void deliver(Message&& message) {
    flush_delayed();
    tell_listener(message);
  }

  void tell_listener(Message& message) {
    if (std::holds_alternative<Answer>(message)) answered = true;
    if (const auto receiver = listener) (*receiver)(message);
  }

  void deliver_later(Message message) {
    delayed.push_back(std::move(message));
    if (delayed.size() > 1) return;
    boost::asio::post(io, [weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->flush_delayed();
    });
  }

  void flush_delayed() {
    if (delayed.empty()) return;
    auto messages = std::exchange(delayed, {});
    for (Message& message : messages) tell_listener(message);
  }

  void fail_to_start(FailureKind kind, const std::string& why) {
    log(LoggedLine::Way::note, why, now());
    finish();
    failure_said = Failure{kind, why, now()};
    deliver_later(*failure_said);
  }

  // ---- what happens to the process ---------------------------------------------------------------------------------------------------

  void started() override {
    if (over || running) return;
    running = true;
    deadline(Limit::start).clear();
    happen([](Protocol& machine, Effects& out) { machine.start(now(), out); });
  }

  void start_failed(const std::string& why) override {
    if (!over) fail_to_start(FailureKind::not_executed, why);
  }

  void line(std::string_view text, Instant at) override {
    started();  // words may overtake the report that the engine runs
    log(LoggedLine::Way::from_engine, text, at);
    happen([&](Protocol& machine, Effects& out) { machine.line(text, at, out); });
  }

  void error_line(std::string_view text, Instant at) override { log(LoggedLine::Way::from_stderr, text, at); }
  void note(const std::string& text, Instant at) override { log(LoggedLine::Way::note, text, at); }

  void written(Instant at) override {
    if (over) return;
    deadline(Limit::write).clear();
    if (std::exchange(go_unsent, false)) {
      const auto self = shared_from_this();
      deliver(GoSent{at});
    }
  }

  void end_of_file(Instant at) override {
    if (!ended_at) ended_at = at;
    log(LoggedLine::Way::note, "end of file", at);
    if (running) happen([&](Protocol& machine, Effects& out) { machine.end_of_file(at, out); });
  }

  void exited(const ExitStatus& status, Instant at) override {
    if (!ended_at) ended_at = at;
    log(LoggedLine::Way::note, describe(status), at);
    if (running) return happen([&](Protocol& machine, Effects& out) { machine.exited(status, at, out); });
    if (!over) fail_to_start(FailureKind::not_executed, "cannot start " + spec.command.command + ": the launch " + describe(status));
  }

  void limit_expired(Limit limit, Instant at) {
    if (running) return happen([&](Protocol& machine, Effects& out) { machine.limit_expired(limit, at, out); });
    process->kill();
    fail_to_start(FailureKind::stall,
                  "cannot start " + spec.command.command + ": it was not running within " + describe(spec.settings.timeouts.start));
  }

  // ---- the log -----------------------------------------------------------------------------------------------------------------------

  void log(LoggedLine::Way way, std::string_view text, Instant at) {
    recent.add(at, way, text);
    if (line_log) line_log(LoggedLine{at, way, std::string(text)});
  }

  void log_sent(std::string_view text, Instant at) {
    last_sent.assign(text);
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      log(LoggedLine::Way::to_engine, text.substr(0, end), at);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  /// The ring keeps long lines in part; what was sent last is known in full, and is what one wants to see in full.
  [[nodiscard]] std::vector<LoggedLine> recent_lines() const {
    auto lines = recent.all();
    std::string_view text = last_sent;
    for (auto line = lines.rbegin(); line != lines.rend() && !text.empty(); ++line) {
      if (line->way != LoggedLine::Way::to_engine) continue;
      if (text.back() == '\n') text.remove_suffix(1);
      const std::size_t start = text.rfind('\n') == std::string_view::npos ? 0 : text.rfind('\n') + 1;
      line->text = text.substr(start);
      text = text.substr(0, start);
    }
    return lines;
  }

  boost::asio::io_context& io;
  DeadlineQueue& deadlines;
  const Launcher& launcher;
  EngineSpec spec;
  std::unique_ptr<Protocol> protocol;
  std::shared_ptr<EngineProcess> process;
  std::array<std::optional<Deadline>, limit_count> limits;
  std::shared_ptr<const Listener> listener;
  std::function<void(const LoggedLine&)> line_log;
  RecentLines recent;
  std::string last_sent;
  Effects order_effects;
  std::vector<std::unique_ptr<Effects>> spare_effects;
  std::vector<Message> delayed;
  std::optional<Instant> ended_at;
  std::optional<Failure> failure_said;
  bool running = false;  // the engine itself, not the launch program
  bool over = false;     // a Failure or Bye was said
  bool go_unsent = false;
  bool answered = false;
};

Engine::Engine(boost::asio::io_context& io, DeadlineQueue& deadlines, const Launcher& launcher, const EngineSpec& spec)
    : impl_(std::make_shared<Impl>(io, deadlines, launcher, spec, make_protocol(spec))) {}

Engine::Engine(boost::asio::io_context& io, DeadlineQueue& deadlines, const Launcher& launcher, EngineSpec spec,
               std::unique_ptr<Protocol> protocol)
    : impl_(std::make_shared<Impl>(io, deadlines, launcher, std::move(spec), std::move(protocol))) {}

Engine::~Engine() { impl_->shut_down(); }

void Engine::set_listener(Listener listener) { impl_->listener = std::make_shared<const Listener>(std::move(listener)); }
void Engine::set_info_interest(InfoInterest interest) { impl_->protocol->set_info_interest(interest); }

void Engine::start() { impl_->start(); }

void Engine::new_game(const NewGame& game) {
  if (impl_->over) return impl_->say_again();
  impl_->order([&](Protocol& machine, Instant at, Effects& out) { machine.new_game(game, at, out); });
}
std::optional<Instant> Engine::think(const ThinkRequest& request) {
  return impl_->order([&](Protocol& machine, Instant at, Effects& out) { machine.think(request, at, out); });
}
std::optional<Instant> Engine::ponder(const ThinkRequest& request, std::string_view guess) {
  return impl_->order([&](Protocol& machine, Instant at, Effects& out) { machine.ponder(request, guess, at, out); });
}
std::optional<Instant> Engine::ponder_hit(const ThinkRequest& request) {
  return impl_->order([&](Protocol& machine, Instant at, Effects& out) { machine.ponder_hit(request, at, out); });
}
void Engine::stop() {
  impl_->order([](Protocol& machine, Instant at, Effects& out) { machine.stop(at, out); });
}
void Engine::offer_draw() {
  impl_->order([](Protocol& machine, Instant at, Effects& out) { machine.offer_draw(at, out); });
}
void Engine::notify_result(std::string_view result, std::string_view comment) {
  impl_->order([&](Protocol& machine, Instant at, Effects& out) { machine.notify_result(result, comment, at, out); });
}
void Engine::quit() { impl_->quit(); }
void Engine::kill() { impl_->kill(); }
bool Engine::drain_now() { return impl_->drain_now(); }
std::optional<Instant> Engine::ended_at() const noexcept { return impl_->ended_at; }
bool Engine::stamped_by_kernel() const noexcept { return impl_->process && impl_->process->stamped_by_kernel(); }

const EngineSpec& Engine::spec() const noexcept { return impl_->spec; }
const EngineIdentity& Engine::identity() const noexcept { return impl_->protocol->identity(); }
bool Engine::alive() const noexcept { return impl_->process && impl_->process->alive(); }
bool Engine::reusable() const noexcept { return impl_->protocol->reusable(); }
bool Engine::supports_chess960() const noexcept { return impl_->protocol->supports_chess960(); }
bool Engine::supports_pondering() const noexcept { return impl_->protocol->supports_pondering(); }
long Engine::process_id() const noexcept { return impl_->process ? impl_->process->id() : 0; }
std::vector<LoggedLine> Engine::recent_lines() const { return impl_->recent_lines(); }
void Engine::set_line_log(std::function<void(const LoggedLine&)> log) { impl_->line_log = std::move(log); }

}  // namespace referee::engine
