#include "referee/match/match_run.hpp"

#include <malloc.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>

#include "config/used_files.hpp"
#include "engine_iface/launcher.hpp"
#include "referee/match/bracket.hpp"
#include "referee/match/control_file.hpp"
#include "referee/match/engine_log.hpp"
#include "referee/match/engine_spec.hpp"
#include "referee/match/fault_log_view.hpp"
#include "referee/match/fingerprints.hpp"
#include "referee/match/host.hpp"
#include "referee/match/host_watch.hpp"
#include "referee/match/plan.hpp"
#include "referee/match/progress_view.hpp"
#include "referee/match/runner.hpp"
#include "referee/match/side_files.hpp"
#include "referee/match/speed.hpp"
#include "referee/match/wall_clock.hpp"
#include "referee/match/what_is_left.hpp"
#include "referee/match/worker.hpp"
#include "referee/record/owner_lock.hpp"
#include "referee/record/recorder.hpp"
#include "referee/record/views.hpp"

namespace referee::match {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds longest_settling{2};

std::string output_path(const config::Output& output, const std::string& name) { return (fs::path(output.folder) / name).string(); }

/// One run id a journal, the same in every run: so the next run finds the engines that a killed one left behind.
std::string run_id_of(const std::string& journal_path) {
  std::error_code ignored;
  const fs::path absolute = fs::weakly_canonical(journal_path, ignored);
  return sha256(absolute.empty() ? journal_path : absolute.string()).substr(0, 16);
}

/// Games with the moves of an earlier one of the same colours. Reads every game: asked only where the plan makes copies possible.
int count_identical(const record::Journal& journal, const std::vector<record::GameRow>& rows) {
  std::set<std::string> seen;
  int identical = 0;
  for (const record::GameRow& row : rows) {
    const auto game = journal.game(row.game);
    if (!game || !is_finished(row)) continue;
    std::string moves = row.white + '\n' + row.black + '\n' + row.opening + '\n';
    for (const record::EventJudged& judged : game->events) {
      for (const game::Ruling& ruling : judged.rulings) {
        if (const auto* accepted = std::get_if<game::MoveAccepted>(&ruling.body)) moves += accepted->uci + ' ';
      }
    }
    if (!seen.insert(sha256(moves)).second) ++identical;
  }
  return identical;
}

MatchResult result_of(const record::Journal& journal, const MatchPlan& plan) {
  const config::MatchFile& file = plan.file();
  MatchResult result;
  result.journal_path = journal.path();
  if (!file.output.pgn.empty()) result.pgn_path = output_path(file.output, file.output.pgn);
  const std::set<int> voided = voided_games(journal, plan);
  std::vector<std::string> names;
  for (const config::EngineEntry& engine : file.engines) names.push_back(engine.name);
  result.course = plan.course();
  result.stop_at = file.stop_at;
  result.engines = names;
  result.kind = file.schedule.kind;
  Standings standings(std::move(names), standings_by(file.schedule.kind));
  for (const Gift& gift : result.course.gifts) standings.give(given_by(gift, file));
  std::set<int> unstarted = voided;
  int counting = std::numeric_limits<int>::max();  // games behind a test's verdict count for nothing
  if (file.sprt) {
    result.test.emplace(*file.sprt);
    journal.each_game([&](const record::GameRow& row) {
      if (!row.voided) result.test->set(row, file.engines.front().name);
    });
    if (result.test->decided()) counting = 2 * result.test->pairs();
  }
  journal.each_game([&](record::GameRow row) {
    unstarted.erase(row.game);
    row.voided = row.voided || voided.contains(row.game) || row.game > counting;
    if (row.game > counting && (!row.outcome || row.outcome->annulled)) return;  // dropped when the verdict fell
    if (!row.outcome && !row.voided) return;
    standings.set(row);
    result.games.push_back(std::move(row));
  });
  for (const int number : unstarted) {  // void before anybody sat down: only the plan knows whose game it was
    if (static_cast<std::size_t>(number) > plan.games().size()) continue;
    const PlannedGame& game = plan.game(number);
    record::GameRow row;
    row.game = number;
    row.round = game.round;
    row.pair = game.pair;
    row.white = plan.white(game).name;
    row.black = plan.black(game).name;
    row.opening = plan.opening(game).name;
    row.voided = true;
    result.games.push_back(std::move(row));
  }
  std::ranges::sort(result.games, {}, &record::GameRow::game);
  result.standings = standings.rows();
  if (result.kind == config::ScheduleKind::knockout) rank_by_rounds(result.standings, result.course, result.engines);
  result.faults = journal.faults();
  result.withdrawn = journal.withdrawals();
  std::map<std::pair<std::string, std::string>, int> warnings;
  for (const record::EngineWarning& warning : journal.warnings()) ++warnings[{warning.engine, warning.kind}];
  for (const auto& [key, count] : warnings) result.warnings.push_back({.engine = key.first, .kind = key.second, .count = count});
  result.planned = std::min(counting, static_cast<int>(plan.games().size()));
  if (plan.growth() == MatchPlan::Growth::on_demand && !result.test->decided())
    result.planned = result.games.empty() ? 0 : result.games.back().game;
  return result;
}

std::vector<std::string> accepted_changes(const record::PlanRecord& recorded, const record::PlanRecord& now, const RunSettings& settings,
                                          const std::string& journal_path) {
  std::vector<std::string> found = changes(recorded, now);
  if (found.empty() || settings.changes == RunSettings::Changes::accept) return found;
  std::string text = journal_path + ": the match was started with something else:";
  for (const std::string& change : found) text += "\n  " + change;
  throw MatchRefused(text + "\n(expected no change; --accept-change goes on and records it, --fresh starts anew)");
}

/// The journal of a match not yet begun beside a PGN with its games is one that has lost them.
void refuse_lost_games(const config::MatchFile& file, const std::string& journal_path) {
  const std::string there = games_in_pgn(file);
  if (there.empty()) return;
  throw MatchRefused(journal_path + ": holds no games, yet " + there + "; what was played last may stand in " + journal_path +
                     "-wal, which belongs to it (expected the whole journal; --fresh begins anew, behind these games)");
}

/// What a match that begins anew takes the place of; what others wrote stays. Returns what people must know of it.
std::string take_out_old(const config::Output& output, const std::string& journal_path) {
  std::error_code ignored;
  if (!fs::exists(journal_path, ignored)) return {};
  std::unique_ptr<record::Journal> old;
  try {
    old = record::Journal::open(journal_path, record::Journal::Mode::open_existing);  // and nobody else writes it
  } catch (const record::JournalError&) {
    // Or another referee owns it, which will be refused.
    return "the old journal cannot be read, and nobody knows what is of it: what it wrote into other files stays there";
  }
  if (take_out_old_match(output, *old)) return {};
  return output.events + " holds lines of others, too: all that is there stays, and the match begins behind it";
}

}  // namespace

record::PgnStyle pgn_style(const config::Output& output) {
  record::PgnStyle style;
  switch (output.comments) {
    case config::PgnComments::none:
      style.comments = record::PgnComments::none;
      break;
    case config::PgnComments::tags:
      style.comments = record::PgnComments::tags;
      break;
    case config::PgnComments::engine:
      style.comments = record::PgnComments::engine;
      break;
  }
  style.depth = output.depth;
  style.nodes = output.nodes;
  style.pv = output.pv;
  style.openings = output.openings;
  return style;
}

/// Orders, kept until there is a runner to take them and handed on while there is one.
struct MatchRun::Impl {
  Impl(config::MatchFile match_file, std::string text, RunSettings run_settings, Console& messages)
      : file(std::move(match_file)), file_text(std::move(text)), settings(run_settings), console(messages) {}

  MatchResult play();
  /// Before the first game: copies that do not run alike, the scale of the time controls.
  void measure(MatchPlan& plan, const engine::Launcher& launcher);
  void obey(const ControlOrder& given);
  /// The same of an order from another process: why it is refused, if it is.
  std::optional<std::string> heed(const ControlOrder& given);
  /// Takes such orders from now on, several times a second.
  std::unique_ptr<HostWatch> watch_for_orders(const config::Output& output);

  /// Any thread. `remember` notes an order for a runner that is not there yet.
  template <class Remember, class Hand>
  void order(const Remember& remember, const Hand& hand) {
    const std::lock_guard lock(mutex);
    remember();
    if (runner != nullptr) hand(*runner);
  }
  void attach(Runner& playing, record::Recorder& writing) {
    const std::lock_guard lock(mutex);
    runner = &playing;
    recording = &writing;
    if (record_failed) playing.record_failed();
    if (games_at_once) playing.set_concurrency(*games_at_once);
    if (paused) playing.pause();
    if (stop) playing.stop(*stop);
  }
  void detach() {
    std::unique_lock lock(mutex);
    runner = nullptr;
    recording = nullptr;
    over = true;
    settled.wait(lock, [this] { return settling == 0; });
  }

  config::MatchFile file;
  std::string file_text;
  RunSettings settings;
  Console& console;
  std::vector<std::unique_ptr<record::View>> more_views;

  std::mutex mutex;  // of what follows
  Runner* runner = nullptr;
  record::Recorder* recording = nullptr;
  int settling = 0;  // who waits for the recorder, and so may hold on to it
  std::condition_variable settled;
  bool record_failed = false;
  bool over = false;  // the last game has been played
  bool paused = false;
  std::optional<int> games_at_once;
  std::optional<Runner::Stop> stop;
};

MatchRun::MatchRun(config::MatchFile file, std::string file_text, RunSettings settings, Console& console)
    : impl_(std::make_unique<Impl>(std::move(file), std::move(file_text), settings, console)) {}

MatchRun::~MatchRun() = default;

void MatchRun::add_view(std::unique_ptr<record::View> view) { impl_->more_views.push_back(std::move(view)); }

MatchResult MatchRun::play() { return impl_->play(); }

void MatchRun::pause() { impl_->obey(PauseOrder{}); }

void MatchRun::resume() { impl_->obey(ResumeOrder{}); }

void MatchRun::set_concurrency(int games) { impl_->obey(ConcurrencyOrder{games}); }

void MatchRun::stop(Stop how) { impl_->obey(StopOrder{.now = how == Stop::at_once}); }

void MatchRun::Impl::obey(const ControlOrder& given) {
  if (std::holds_alternative<PauseOrder>(given)) {
    order([this] { paused = true; }, [](Runner& playing) { playing.pause(); });
  } else if (std::holds_alternative<ResumeOrder>(given)) {
    order([this] { paused = false; }, [](Runner& playing) { playing.resume(); });
  } else if (const auto* concurrency = std::get_if<ConcurrencyOrder>(&given)) {
    order([this, games = concurrency->games] { games_at_once = games; },
          [games = concurrency->games](Runner& playing) { playing.set_concurrency(games); });
  } else {
    const auto how = std::get<StopOrder>(given).now ? Runner::Stop::at_once : Runner::Stop::finish_running;
    order([this, how] { stop = how; }, [how](Runner& playing) { playing.stop(how); });
  }
}

std::optional<std::string> MatchRun::Impl::heed(const ControlOrder& given) {
  {
    const std::lock_guard lock(mutex);
    if (over) return "the match is over";
    const bool is_stopping = stop || (runner != nullptr && runner->is_stopping());
    if (is_stopping && !std::holds_alternative<StopOrder>(given)) return "the match is stopping";
  }
  obey(given);
  return std::nullopt;
}

std::unique_ptr<HostWatch> MatchRun::Impl::watch_for_orders(const config::Output& output) {
  std::shared_ptr<OrderBox> box;
  try {
    box = std::make_shared<OrderBox>(output);
  } catch (const record::JournalError& failure) {
    console.line(std::string("warning: no orders can be given: ") + failure.what());
    return std::make_unique<HostWatch>();
  }
  return std::make_unique<HostWatch>([this, box, complained = false]() mutable {
    try {
      box->take([this](const ControlOrder& given) { return heed(given); });
    } catch (const record::JournalError& failure) {
      if (!std::exchange(complained, true)) console.line(std::string("warning: orders are not taken: ") + failure.what());
    }
  });
}

void MatchRun::Impl::measure(MatchPlan& plan, const engine::Launcher& launcher) {
  constexpr std::chrono::milliseconds comparison{400};
  constexpr std::chrono::milliseconds calibration{2000};
  constexpr int turns = 3;
  const auto& engines = plan.file().engines;
  try {
    for (const auto& group : copies_of_one_binary(plan.file())) {
      std::vector<const config::EngineEntry*> copies;
      copies.reserve(group.size());
      for (const std::size_t engine : group) copies.push_back(&engines[engine]);
      const std::vector<double> speeds = measure_speeds(copies, plan.file().output, launcher, comparison, turns);
      const auto [slow, fast] = std::ranges::minmax_element(speeds);
      if (*fast <= *slow * (1 + alike)) continue;
      std::array<char, 40> percent{};
      (void)std::snprintf(percent.data(), percent.size(), "%.1f %%", 100 * (*fast / *slow - 1));
      console.line("warning: " + copies[static_cast<std::size_t>(fast - speeds.begin())]->name + " and " +
                   copies[static_cast<std::size_t>(slow - speeds.begin())]->name + " are copies of one binary, yet the first searches " +
                   percent.data() + " faster here: a match measures that too");
    }
  } catch (const std::runtime_error& failure) { console.line(std::string("warning: ") + failure.what()); }
  if (!plan.file().scale) return;
  const config::Scale& scale = *plan.file().scale;
  const auto bench = std::ranges::find(engines, scale.bench, &config::EngineEntry::name);
  try {
    const double speed = measure_speeds({&*bench}, plan.file().output, launcher, calibration, turns).front();
    const double factor = static_cast<double>(scale.reference_nps) / speed;
    plan.set_time_factor(factor);
    std::array<char, 160> text{};
    (void)std::snprintf(text.data(), text.size(),
                        "%s searches %.0f nodes a second here, %llu are the reference: time controls are scaled by %.4f",
                        scale.bench.c_str(), speed, static_cast<unsigned long long>(scale.reference_nps), factor);
    console.line(text.data());
  } catch (const std::runtime_error& failure) { throw MatchRefused(std::string("scale: ") + failure.what()); }
}

void MatchRun::order(int game, game::EventBody body, OrderAnswered answered) {
  {
    const std::lock_guard lock(impl_->mutex);
    if (impl_->runner != nullptr) return impl_->runner->order(game, std::move(body), std::move(answered));
  }
  answered({.status = OrderAnswer::Status::not_yet, .rulings = {}});
}

bool MatchRun::record(std::vector<record::Fact> facts) {
  const std::lock_guard lock(impl_->mutex);
  if (impl_->recording == nullptr) return false;
  for (record::Fact& fact : facts) {
    std::optional<record::GameEnded> ended;
    if (const auto* end = std::get_if<record::GameEnded>(&fact)) ended = *end;
    impl_->recording->post(std::move(fact));
    // Only then: the next attempt of an annulled game begins behind its end.
    if (ended && impl_->runner != nullptr) impl_->runner->change_result(ended->game, ended->outcome);
  }
  return true;
}

bool MatchRun::settle() {
  record::Recorder* recorder = nullptr;
  {
    const std::lock_guard lock(impl_->mutex);
    if (impl_->recording == nullptr) return false;
    recorder = impl_->recording;
    ++impl_->settling;
  }
  const bool done = recorder->flush_within(longest_settling);  // without the lock: a recorder that fails says so under it
  const std::lock_guard lock(impl_->mutex);
  --impl_->settling;
  impl_->settled.notify_all();
  return done;
}

MatchResult run_match(config::MatchFile file, const std::string& file_text, const RunSettings& settings, Console& console) {
  return MatchRun(std::move(file), file_text, settings, console).play();
}

MatchResult MatchRun::Impl::play() {
  std::error_code error;
  fs::create_directories(file.output.folder, error);
  if (error) throw MatchRefused(file.output.folder + ": the output folder cannot be made: " + error.message());
  const std::string journal_path = output_path(file.output, file.output.journal);
  const bool fresh = settings.start == RunSettings::Start::fresh;
  check_output_files(file.output);
  const config::Output output = file.output;
  if (!record::OwnerLock::is_held(journal_path)) drop_orders(output);  // whoever gives one from now on sees that we own the journal

  // The plan is made and the files are read before anything is written; with --fresh the old journal goes only then.
  std::optional<record::PlanRecord> recorded;
  std::unique_ptr<record::Journal> journal;
  std::unique_ptr<HostWatch> watch;
  if (!fresh && fs::exists(journal_path)) {
    // A kill may have left the file without its first table: that is a match not yet begun.
    journal = record::Journal::open(journal_path, record::Journal::Mode::open_or_create);
    watch = watch_for_orders(output);
    recorded = journal->plan();
    if (!recorded) refuse_lost_games(file, journal_path);
  }
  MatchPlan plan = MatchPlan::make(std::move(file), recorded ? recorded_stages(*recorded) : std::vector<Stage>{});
  const std::vector<std::string> exposed = exposed_records(plan.file());  // refused before an old journal goes
  record::PlanRecord now;
  const auto take_fingerprint = [&] {
    try {
      now = fingerprint(plan, file_text);
    } catch (const std::runtime_error& failure) { throw MatchRefused(failure.what()); }
  };
  if (!journal) {
    const std::string there = fresh ? std::string() : games_in_pgn(plan.file());
    if (!there.empty() && settings.missing_journal == RunSettings::MissingJournal::is_lost)
      throw MatchRefused(journal_path + ": is gone, yet " + there + " (expected the journal)");
    if (!there.empty()) console.line("warning: " + there + ", and no journal: the match begins anew, behind them");
    take_fingerprint();  // the files are read before an old journal goes
    const std::string left = fresh ? take_out_old(plan.file().output, journal_path) : std::string();
    journal = record::Journal::open(journal_path, fresh ? record::Journal::Mode::replace : record::Journal::Mode::open_or_create);
    watch = watch_for_orders(output);
    if (!left.empty()) console.line("warning: " + left);
  }
  RunnerInput input;
  input.left = what_is_left(plan, *journal, settings.arbiter);
  input.arbiter = settings.arbiter;
  take_fingerprint();
  if (settings.signals == RunSettings::Signals::leave) input.signals = RunnerInput::Signals::leave;
  const bool resumed = recorded.has_value();
  if (resumed && !is_anything_left(plan, input.left)) {  // whatever changed, nothing would be played
    // A kill between the last games' journal entry and their PGN leaves the file behind: it is completed.
    const config::Output& files = plan.file().output;
    if (!files.pgn.empty()) record::PgnView(output_path(files, files.pgn), pgn_style(files), *journal, record::PgnView::Existing::extend);
    if (!files.events.empty()) record::EventStreamView(output_path(files, files.events), journal.get());
    MatchResult result = result_of(*journal, plan);
    if (settings.findings == RunSettings::Findings::all && plan.has_copies())
      result.identical_games = count_identical(*journal, result.games);
    result.changed_since = changes(*recorded, now);
    return result;
  }
  const std::vector<std::string> accepted = resumed ? accepted_changes(*recorded, now, settings, journal_path) : std::vector<std::string>{};
  if (plan.file().syzygy) {
    try {
      input.tables = Tablebase::open(*plan.file().syzygy);
    } catch (const std::runtime_error& failure) { throw MatchRefused(failure.what()); }
  }
  const Capacity capacity = capacity_for(plan.file(), physical_cores(), engine::raise_open_files_limit());
  input.games_at_once = capacity.games_at_once;
  if (plan.growth() == MatchPlan::Growth::none)
    input.games_at_once = std::min(input.games_at_once, std::max(1, static_cast<int>(input.left.games.size())));
  for (const std::string& note : capacity.notes) console.line("warning: " + note);
  for (const std::string& warning : plan.warnings()) console.line("warning: " + warning);
  for (const std::string& note : exposed) console.line("warning: " + note);
  if (plan.file().openings.order == config::OpeningOrder::random)
    console.line("seed of the openings: " + std::to_string(plan.file().openings.seed));
  const std::string run_id = run_id_of(journal_path);
  if (resumed) {
    if (const std::size_t ended = engine::end_leftovers(run_id); ended > 0)
      console.line("ended " + std::to_string(ended) + " engine processes that an earlier run left behind");
  }
  engine::LauncherSettings launching;
  launching.run_id = run_id;
  launching.on_notice = [this](const std::string& notice) { console.line("note: " + notice); };
  const engine::Launcher launcher(std::move(launching));

  measure(plan, launcher);
  const Pins pins = pins_for(plan.file(), cores_of_this_machine(), input.games_at_once);
  for (const std::string& note : pins.notes) console.line("warning: " + note);
  input.seats = pins.games;
  if (!plan.file().stop_at.empty()) {
    const auto moment = std::chrono::system_clock::now();
    const auto when = stop_time(plan.file().stop_at, moment);
    if (!when) throw MatchRefused("stop_at: there is no time " + plan.file().stop_at);
    input.stop_at = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::nanoseconds>(*when - moment);
  }

  ProgressStart progress;
  progress.planned = plan.expected_games();
  progress.test = input.left.scores.test;
  for (const config::EngineEntry& engine : plan.file().engines) progress.engines.push_back(engine.name);
  progress.played = journal->games();
  progress.by = standings_by(plan.file().schedule.kind);
  for (const Gift& gift : plan.course().gifts) progress.given.push_back(given_by(gift, plan.file()));
  const bool endless = is_endless(plan, input.left);
  const std::size_t started = endless ? static_cast<std::size_t>(input.left.next_number) - 1 : plan.games().size();
  const std::size_t done = started - input.left.games.size();
  console.line((resumed ? "going on with " : "") + (endless ? "a sequential test" : std::to_string(plan.expected_games()) + " games") +
               " of " + std::to_string(plan.file().engines.size()) + " engines, " + std::to_string(input.games_at_once) + " at once" +
               (done > 0 ? "; " + std::to_string(done) + " are done" : "") + ": " + plan.file().output.folder);

  std::vector<std::unique_ptr<record::View>> views;
  if (!output.pgn.empty()) views.push_back(std::make_unique<record::PgnView>(output_path(output, output.pgn), pgn_style(output), *journal));
  if (!output.live.empty()) views.push_back(std::make_unique<record::LivePgnView>(output_path(output, output.live), pgn_style(output)));
  if (!output.events.empty()) views.push_back(std::make_unique<record::EventStreamView>(output_path(output, output.events), journal.get()));
  views.push_back(
      std::make_unique<FaultLogView>(config::fault_folder(output), [this](const std::string& what) { console.line("warning: " + what); }));
  views.push_back(std::make_unique<ProgressView>(console, std::move(progress)));
  for (auto& view : more_views) views.push_back(std::move(view));

  // The last before the start: what is refused above leaves the record as it is.
  if (!recorded || recorded->digest != now.digest || recorded->planned_games != now.planned_games) journal->write_plan(now);
  MatchResult::End end = MatchResult::End::complete;
  {
    record::Recorder recorder(
        std::move(journal), std::move(views),
        [this](const std::string& what) {
          console.line("error: " + what);
          order([this] { record_failed = true; }, [](Runner& playing) { playing.record_failed(); });
        },
        [this](const std::string& what) { console.line("warning: " + what); });
    for (const std::string& change : accepted) recorder.post(record::ChangeAccepted{.what = change});
    recorder.post(record::MatchStarted{.at = wall_now(), .plan_digest = now.digest, .resumed = resumed});
    recorder.flush();
    Worker worker;
    input.watch = watch.get();
    std::unique_ptr<ProtocolLog> log;
    if (output.protocol_log)
      log = std::make_unique<ProtocolLog>(config::protocol_folder(output), worker,
                                          [this](const std::string& what) { console.line("warning: " + what); });
    Runner playing(plan, recorder, worker, launcher, log.get(), std::move(input),
                   [this](const std::string& notice) { console.line(notice); });
    attach(playing, recorder);
    const std::shared_ptr<void> attached(nullptr, [this](void*) { detach(); });  // also if it throws, before the runner goes
    if (resumed) (void)malloc_trim(0);  // what was read to find out where the match stands is of no more use
    const RunReport report = playing.run();
    detach();
    worker.flush();
    watch.reset();  // before the journal is anybody's again, who may take orders then
    switch (report.end) {
      case RunEnd::complete:
        end = MatchResult::End::complete;
        break;
      case RunEnd::stopped_by_interrupt:
        end = MatchResult::End::interrupted;
        break;
      case RunEnd::stopped_by_termination:
        end = MatchResult::End::terminated;
        break;
      case RunEnd::closing_time:
        end = MatchResult::End::closed;
        break;
      case RunEnd::record_failed:
        end = MatchResult::End::record_failed;
        break;
    }
    if (end == MatchResult::End::complete)
      recorder.post(record::MatchFinished{.at = wall_now(), .complete = true});
    else
      recorder.post(record::MatchPaused{.at = wall_now(),
                                        .why = end == MatchResult::End::record_failed ? "the record failed"
                                               : end == MatchResult::End::closed      ? "the time to stop came"
                                                                                      : "stopped by an order"});
    if (recorder.congested())
      console.line("the record waits for room on the disk, ten minutes at most: SIGINT gives it up, and what it lacks is played again");
    recorder.flush();
    if (!recorder.healthy()) end = MatchResult::End::record_failed;
  }
  const auto reread = record::Journal::open(journal_path, record::Journal::Mode::read_only);
  bool void_after_all = false;
  reread->each_game([&void_after_all](const record::GameRow& row) { void_after_all = void_after_all || (row.voided && is_finished(row)); });
  if (void_after_all && !output.pgn.empty())
    record::PgnView(output_path(output, output.pgn), pgn_style(output), *reread, record::PgnView::Existing::extend);
  MatchResult result = result_of(*reread, plan);
  result.end = end;
  result.played_now = true;
  if (settings.findings == RunSettings::Findings::all && plan.has_copies()) result.identical_games = count_identical(*reread, result.games);
  return result;
}

void rewrite_pgn(const config::Output& output, const record::Journal& journal) {
  if (output.pgn.empty()) return;
  record::rewrite_pgn(output_path(output, output.pgn), pgn_style(output), journal);
}

}  // namespace referee::match
