#include "referee/match/runner.hpp"

#include <algorithm>
#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <csignal>
#include <list>
#include <optional>
#include <utility>

#include "engine_iface/deadline_queue.hpp"
#include "referee/match/engine_pool.hpp"
#include "referee/match/game_session.hpp"
#include "referee/match/host.hpp"
#include "referee/match/pulse.hpp"
#include "referee/match/stop_signals.hpp"

namespace referee::match {

namespace {

constexpr std::chrono::milliseconds when_congested{50};

}  // namespace

struct Runner::Impl {
  struct Table {  // where one game is played
    PendingGame pending;
    std::unique_ptr<GameSession> session;
    std::array<Instance*, 2> instances{};
    std::array<bool, 2> refused{};
    int awaited = 0;                  // engines that are being started
    bool resumed = false;             // its engines come a second time, for a game that an arbiter had adjourned
    std::optional<std::size_t> seat;  // place in RunnerInput::seats
  };

  Impl(MatchPlan& plan, record::Recorder& recorder, Worker& worker, const engine::Launcher& launcher, ProtocolLog* log, RunnerInput input,
       Notice notice)
      : plan_(plan),
        recorder_(recorder),
        worker_(worker),
        io_(1),
        deadlines_(std::make_unique<engine::DeadlineQueue>(io_)),
        input_(std::move(input)),
        notice_(std::move(notice)),
        games_(plan, recorder, worker, std::move(input_.left),
               {.notice = notice_, .on_test_decided = [this] { drop_games(); }, .on_the_board = [this] { return on_the_board(); }}),
        signals_(io_, [this](int signal) { on_signal(signal); }) {
    EnginePool::Hooks hooks;
    hooks.on_remark = [this](std::size_t engine, const std::string& kind, const std::string& text, const std::string& line) {
      recorder_.post(record::EngineWarning{
          .game = 0, .ply = 0, .engine = plan_.file().engines[engine].name, .kind = kind, .text = text, .line = line});
    };
    hooks.on_wait = [this](const std::string& text) { notice_(text); };
    pool_ = std::make_unique<EnginePool>(io_, *deadlines_, launcher, plan, log, std::move(hooks));
    for (const std::size_t engine : games_.engines_that_have_played()) pool_->has_started(engine);
    later_ = std::make_unique<engine::Deadline>(*deadlines_, [this](engine::Instant /*now*/) { fill_tables(); });
    if (input_.stop_at) {
      closing_time_ = std::make_unique<engine::Deadline>(*deadlines_, [this](engine::Instant /*now*/) { close_for_the_day(); });
      closing_time_->set(*input_.stop_at);
    }
  }

  RunReport run() {
    ask_for_real_time();
    pulse_ = std::make_unique<Pulse>(*deadlines_, [this](const Pause& pause) { on_pause(pause); });
    if (input_.signals == RunnerInput::Signals::heed) signals_.listen();
    games_.begin();
    boost::asio::post(io_, [this] {
      shelve_adjourned();
      if (input_.stop_at && *input_.stop_at <= std::chrono::steady_clock::now()) return close_for_the_day();
      fill_tables();
    });
    const auto stays = boost::asio::make_work_guard(io_);  // paused, or all games adjourned: there is nothing to do, and yet no end
    io_.run();
    return report_;
  }

  // Signals ----------------------------------------------------------------------------------------------------------------

  void on_signal(int signal) {
    const RunEnd end = signal == SIGINT ? RunEnd::stopped_by_interrupt : RunEnd::stopped_by_termination;
    if (report_.end == RunEnd::complete || report_.end == RunEnd::closing_time) report_.end = end;
    ++signals_heard_;
    if (signals_heard_ > 2) return pool_->kill_all();
    if (!draining_) return drain(" (once more to stop at once)");
    // The time to stop, or an order, has begun what the first signal asks for.
    if (signals_heard_ == 1 && playing() > 0) return notice_("stopping already (once more to stop at once)");
    notice_("stopping at once");
    stop_now("stopped by the user");
  }

  void drain(const std::string& hint) {
    draining_ = true;
    // Nothing has begun where an engine is still awaited, unless an arbiter has the game in hand already: nobody waits for that.
    if (input_.arbiter == Arbiter::none && give_up_waiting_tables()) unfinished_ = true;
    if (playing() > 0) {
      notice_("stopping: finishing " + std::to_string(playing()) + (playing() == 1 ? " running game" : " running games") + hint);
    }
    fill_tables();
  }

  // Orders -----------------------------------------------------------------------------------------------------------------

  void close_for_the_day() {
    if (draining_) return;
    closing_time_->clear();
    notice_("the time to stop has come (stop_at: " + plan_.file().stop_at + ")");
    if (report_.end == RunEnd::complete) report_.end = RunEnd::closing_time;
    drain("");
  }

  void stop(Stop how) {
    if (report_.end == RunEnd::complete || report_.end == RunEnd::closing_time) report_.end = RunEnd::stopped_by_interrupt;
    if (how == Stop::at_once) return stop_now("stopped by the user");
    if (!draining_) drain("");
  }

  void set_paused(bool paused) {
    if (std::exchange(paused_, paused) == paused) return;
    notice_(paused ? "paused: running games are finished, no new one starts" : "the match goes on");
    fill_tables();
  }

  void set_concurrency(int games) {
    if (std::exchange(input_.games_at_once, std::max(1, games)) == std::max(1, games)) return;
    notice_(std::to_string(input_.games_at_once) + (input_.games_at_once == 1 ? " game" : " games") + " at once from now on");
    fill_tables();
  }

  void order(int game, game::EventBody body, const OrderAnswered& answered) {
    bool comes_back = games_.comes_again(game);
    for (const auto* tables : {&tables_, &adjourned_, &returning_}) {
      const auto found = std::ranges::find_if(*tables, [game](const auto& table) { return table->pending.number == game; });
      if (found == tables->end()) continue;
      Table& table = **found;
      if (!table.session || table.session->finished()) {
        comes_back = true;
        break;
      }
      OrderAnswer answer{.status = OrderAnswer::Status::judged, .rulings = table.session->order(std::move(body))};
      if (tables == &adjourned_ && table.session->game().phase() == game::Phase::playing) {
        returning_.splice(returning_.end(), adjourned_, found);
        fill_tables();
      }
      return answered(std::move(answer));
    }
    const auto status = comes_back ? OrderAnswer::Status::not_yet : OrderAnswer::Status::not_on_the_board;
    // The end of a game is posted by the worker, behind the findings on its last moves.
    worker_.post([answered, status] { answered({.status = status, .rulings = {}}); }, Worker::When::now);
  }

  void change_result(int game, const game::Outcome& outcome) {
    games_.change_result(game, outcome);
    fill_tables();
  }

  void stop_now(const std::string& why) {
    draining_ = true;
    const auto how =
        plan_.file().on_interrupt == config::OnInterrupt::resume ? GameSession::Abort::leave_running : GameSession::Abort::replay;
    for (const auto& table : tables_) {
      if (!table->session || table->awaited > 0) continue;
      // What an arbiter has in hand is never played anew.
      const bool in_hand = input_.arbiter == Arbiter::at_hand && table->session->game().phase() != game::Phase::playing;
      table->session->abort(why, in_hand ? GameSession::Abort::leave_running : how);
    }
    if (give_up_waiting_tables()) unfinished_ = true;
    fill_tables();
  }

  /// Tables whose engines are still being started have told nobody of their game: they are just given up. True if there were any.
  bool give_up_waiting_tables() {
    for (const auto& table : tables_) {
      if (table->awaited > 0) release_engines(*table);
    }
    return std::erase_if(tables_, [](const std::shared_ptr<Table>& table) { return table->awaited > 0; }) > 0;
  }

  /// Those that have arrived at a table where nothing was played.
  void release_engines(Table& table) {
    for (Instance*& present : table.instances) {
      if (present != nullptr) pool_->release(std::exchange(present, nullptr), EnginePool::Fate::keep);
    }
  }

  void on_pause(const Pause& pause) {
    int annulled = 0;
    for (const auto& table : tables_) {
      if (!table->session || table->awaited > 0 || table->session->finished()) continue;
      if (table->session->game().phase() != game::Phase::playing) continue;  // its clocks stand
      table->session->abort(text(pause), GameSession::Abort::play_again);
      ++annulled;
    }
    std::string what = text(pause);
    if (annulled > 0) what += ": " + std::to_string(annulled) + (annulled == 1 ? " game is" : " games are") + " annulled and played again";
    record::EngineWarning warning;
    warning.kind = "pause";
    warning.text = std::move(what);
    recorder_.post(std::move(warning));
  }

  // Games ------------------------------------------------------------------------------------------------------------------

  [[nodiscard]] std::size_t playing() const { return tables_.size(); }

  void fill_tables() {
    if (closing_) return;
    if (recorder_.congested() && !draining_) {
      later_->set(std::chrono::steady_clock::now() + when_congested);
      return;
    }
    while (!draining_ && !returning_.empty() && tables_.size() < static_cast<std::size_t>(input_.games_at_once)) {
      tables_.push_back(returning_.front());
      returning_.pop_front();
      tables_.back()->resumed = true;
      seat_engines(tables_.back());
    }
    while (!draining_ && !paused_ && tables_.size() < static_cast<std::size_t>(input_.games_at_once) && has_more()) {
      const auto now = engine::Instant(std::chrono::steady_clock::now());
      if (now < next_start_) {
        later_->set(next_start_);
        break;
      }
      if (plan_.file().wait_between_games.count() > 0) next_start_ = now + plan_.file().wait_between_games;
      open_table(games_.take());
    }
    if (tables_.empty() && (draining_ || (adjourned_.empty() && returning_.empty() && !has_more()))) close();
  }

  /// Adjourned games need no engines: an arbiter finds them even if nothing else is played now.
  void shelve_adjourned() {
    if (input_.arbiter != Arbiter::at_hand) return;
    for (PendingGame& game : games_.take_adjourned()) open_table(std::move(game));
  }

  [[nodiscard]] bool has_more() { return games_.has_more(!tables_.empty()); }

  /// The sequential test is decided.
  void drop_games() {
    for (const auto& table : tables_) {
      if (table->session && table->awaited == 0) table->session->abort("the sequential test is decided", GameSession::Abort::replay);
    }
    give_up_waiting_tables();
  }

  [[nodiscard]] std::set<int> on_the_board() const {
    std::set<int> games;
    for (const auto* tables : {&tables_, &adjourned_, &returning_}) {
      for (const auto& table : *tables) games.insert(table->pending.number);
    }
    return games;
  }

  void open_table(PendingGame pending) {
    const PlannedGame planned = plan_.game(pending.number);
    auto table = std::make_shared<Table>();
    table->pending = std::move(pending);
    SessionContext context{io_, plan_, *deadlines_, recorder_, worker_, input_.arbiter, input_.tables.get(), input_.watch, pulse_.get()};
    table->session =
        std::make_unique<GameSession>(context, planned,
                                      Attempt{.number = table->pending.attempt,
                                              .replay = table->pending.replayed_for_fault ? FaultReplay::spent : FaultReplay::available,
                                              .annulled_for_lateness = table->pending.annulled_for_lateness},
                                      [this, weak = std::weak_ptr<Table>(table)](SessionResult result) {
                                        if (const auto own = weak.lock()) game_ended(own, std::move(result));
                                      });
    if (table->pending.unfinished) table->session->restore(*table->pending.unfinished);
    if (table->session->game().phase() == game::Phase::adjourned && input_.arbiter == Arbiter::at_hand) return adjourned_.push_back(table);
    tables_.push_back(table);
    if (table->session->over_already()) return table->session->record_at_once();
    seat_engines(table);
  }

  void seat_engines(const std::shared_ptr<Table>& table) {
    const PlannedGame& planned = plan_.game(table->pending.number);
    table->instances = {};
    table->refused = {};
    table->awaited = 2;
    const std::array<std::size_t, 2> players{planned.white, planned.black};
    table->seat = free_seat();
    for (std::size_t side = 0; side < 2; ++side) {
      std::vector<int> cpus;
      if (table->seat) {
        const Seats& seats = input_.seats[*table->seat];
        cpus = players[side] < players[1 - side] ? seats.first : seats.second;
      }
      pool_->acquire(players[side], std::move(cpus),
                     [this, weak = std::weak_ptr<Table>(table), side, engine = players[side]](Instance* instance,
                                                                                              const EnginePool::StartFailure* failure) {
                       const auto own = weak.lock();
                       // Where nobody waits for it any more, as when the match is being stopped, nothing is decided by it.
                       if (failure != nullptr && own) could_not_start(engine, *failure);
                       if (!own || own->session->finished()) {
                         if (instance != nullptr) pool_->release(instance, EnginePool::Fate::keep);
                         return;
                       }
                       engine_arrived(own, side, instance);
                     });
    }
    // Not more processes stand by than games could use at once.
    const std::size_t most = 2 * static_cast<std::size_t>(input_.games_at_once);
    pool_->trim(most > 2 * tables_.size() ? most - 2 * tables_.size() : 0, games_.next_players());
  }

  /// The first one that no running game has.
  [[nodiscard]] std::optional<std::size_t> free_seat() const {
    for (std::size_t seat = 0; seat < input_.seats.size(); ++seat) {
      if (std::ranges::none_of(tables_, [seat](const auto& table) { return table->seat == seat; })) return seat;
    }
    return std::nullopt;
  }

  void engine_arrived(const std::shared_ptr<Table>& table, std::size_t side, Instance* instance) {
    table->instances[side] = instance;
    table->refused[side] = instance == nullptr;
    if (--table->awaited > 0) return;
    const auto falls_out = games_.why_it_falls_out(table->pending.number);
    // What was begun before a withdrawal is played to its end.
    if (!table->refused[0] && !table->refused[1] && (!falls_out || table->resumed || table->pending.is_begun())) {
      return table->session->play({table->instances[0]->engine.get(), table->instances[1]->engine.get()});
    }
    // A failed start is no game: its engine is withdrawn, which makes this game void. So does a withdrawal while it was being set up.
    const bool refused = table->refused[0] || table->refused[1];
    release_engines(*table);
    games_.make_void(table->pending.number, refused ? "an engine could not be started" : *falls_out);
    tables_.remove(table);
    fill_tables();
  }

  /// The session is done with its engines: for good, or until an adjourned game is resumed.
  void game_ended(const std::shared_ptr<Table>& table, SessionResult result) {
    const PlannedGame planned = plan_.game(table->pending.number);
    const std::array<std::size_t, 2> players{planned.white, planned.black};
    const bool comes_back = result.adjourned && !table->session->finished();
    const bool ended_since = result.adjourned && !comes_back;  // an order has ended it meanwhile: that is told next
    if (!result.adjourned) table->session.reset();
    for (std::size_t side = 0; side < 2; ++side) {
      const SeatReport& seat = result.seats[side];
      // After a fault the engine starts afresh: what it did wrong may still be going on inside.
      const auto fate = seat.unusable ? EnginePool::Fate::lost : seat.fault ? EnginePool::Fate::restart : EnginePool::Fate::keep;
      if (table->instances[side] != nullptr) pool_->release(std::exchange(table->instances[side], nullptr), fate);
      if (!seat.fault) continue;
      ++report_.faults;
      games_.count_fault(players[side], *seat.fault);
    }
    if (ended_since) return;
    tables_.remove(table);
    if (comes_back) {
      // Resumed in the instant in which its engines were given back?
      const bool playing_again = table->session->game().phase() == game::Phase::playing;
      (playing_again ? returning_ : adjourned_).push_back(table);
      return fill_tables();
    }
    adjourned_.remove(table);
    returning_.remove(table);
    if (result.aborted && !result.replay && !games_.test_is_decided()) unfinished_ = true;
    games_.ended(table->pending, result);
    fill_tables();
  }

  // Faults -----------------------------------------------------------------------------------------------------------------

  void could_not_start(std::size_t engine, const EnginePool::StartFailure& failure) {
    const std::string& name = plan_.file().engines[engine].name;
    if (!report_.could_not_start.insert(engine).second) return;
    notice_(name + " could not be started: " + failure.why +
            (failure.last_lines.empty() ? "" : "\nits last lines:\n" + failure.last_lines));
    record::EngineFault fault;
    fault.engine = name;
    fault.reason = failure.reason;
    fault.detail = "could not be started: " + failure.why;
    fault.log = failure.last_lines;
    recorder_.post(std::move(fault));
    ++report_.faults;
    games_.withdraw(engine, "could not be started: " + failure.why);
  }

  // The end ----------------------------------------------------------------------------------------------------------------

  void close() {
    closing_ = true;
    closing_time_.reset();
    const bool all_played = adjourned_.empty() && returning_.empty() && !unfinished_ && !has_more();
    if (report_.end != RunEnd::record_failed && all_played) report_.end = RunEnd::complete;
    later_->clear();
    pool_->close([this] {
      signals_.clear();  // nothing is left that a signal should spare: from here on it ends the program
      io_.stop();
    });
  }

  MatchPlan& plan_;
  record::Recorder& recorder_;
  Worker& worker_;
  // One thread runs it; others only post.
  boost::asio::io_context io_{BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO};
  std::unique_ptr<engine::DeadlineQueue> deadlines_;
  RunnerInput input_;
  Notice notice_;
  GamesToPlay games_;
  std::list<std::shared_ptr<Table>> tables_;
  std::list<std::shared_ptr<Table>> adjourned_;  // without engines, until an order resumes them
  std::list<std::shared_ptr<Table>> returning_;  // resumed, until there is room for them
  StopSignals signals_;
  std::unique_ptr<EnginePool> pool_;
  std::unique_ptr<engine::Deadline> later_;
  std::unique_ptr<engine::Deadline> closing_time_;
  std::unique_ptr<Pulse> pulse_;
  engine::Instant next_start_{};
  RunReport report_;
  bool unfinished_ = false;  // a game was stopped in the middle
  int signals_heard_ = 0;
  std::atomic<bool> draining_ = false;
  bool paused_ = false;
  bool closing_ = false;
};

Runner::Runner(MatchPlan& plan, record::Recorder& recorder, Worker& worker, const engine::Launcher& launcher, ProtocolLog* log,
               RunnerInput input, Notice notice)
    : impl_(std::make_unique<Impl>(plan, recorder, worker, launcher, log, std::move(input), std::move(notice))) {}

Runner::~Runner() = default;

RunReport Runner::run() { return impl_->run(); }

void Runner::record_failed() {
  boost::asio::post(impl_->io_, [impl = impl_.get()] {
    impl->report_.end = RunEnd::record_failed;
    impl->stop_now("the record cannot be written");
  });
}

void Runner::pause() {
  boost::asio::post(impl_->io_, [impl = impl_.get()] { impl->set_paused(true); });
}

void Runner::resume() {
  boost::asio::post(impl_->io_, [impl = impl_.get()] { impl->set_paused(false); });
}

void Runner::set_concurrency(int games) {
  boost::asio::post(impl_->io_, [impl = impl_.get(), games] { impl->set_concurrency(games); });
}

void Runner::order(int game, game::EventBody body, OrderAnswered answered) {
  // Who asked is answered even if the match ends before the order is read.
  const auto asker = std::shared_ptr<OrderAnswered>(new OrderAnswered(std::move(answered)), [](OrderAnswered* unanswered) {
    if (*unanswered) (*unanswered)({});
    delete unanswered;
  });
  boost::asio::post(impl_->io_, [impl = impl_.get(), game, body = std::move(body), asker]() mutable {
    impl->order(game, std::move(body), std::exchange(*asker, nullptr));
  });
}

void Runner::change_result(int game, const game::Outcome& outcome) {
  boost::asio::post(impl_->io_, [impl = impl_.get(), game, outcome] { impl->change_result(game, outcome); });
}

bool Runner::is_stopping() const noexcept { return impl_->draining_; }

void Runner::stop(Stop how) {
  boost::asio::post(impl_->io_, [impl = impl_.get(), how] { impl->stop(how); });
}

}  // namespace referee::match
