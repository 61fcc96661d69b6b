#include "referee/daemon/office.hpp"

#include <malloc.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <future>
#include <limits>
#include <sstream>
#include <tuple>
#include <utility>

#include "referee/daemon/allotment.hpp"
#include "referee/daemon/office_entry.hpp"
#include "referee/match/host.hpp"
#include "referee/match/openings.hpp"
#include "referee/match/plan_so_far.hpp"
#include "referee/record/append_file.hpp"
#include "referee/record/schema.hpp"

namespace referee::daemon {

namespace fs = std::filesystem;

namespace {

constexpr int highest_priority = 100;
constexpr std::size_t longest_match_file = 1024 * 1024;

/// Throws record::JournalError, which names it.
std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (in) text << in.rdbuf();
  if (!in) throw record::JournalError(path.string() + ": cannot be read: " + std::strerror(errno));
  return text.str();
}

fs::path match_folder(const std::string& data, int id) { return fs::path(data) / "matches" / std::to_string(id); }

/// Threads that one game keeps busy: one side thinks at a time, unless it ponders.
int threads_a_game(const config::MatchFile& file) {
  int most = 1;
  for (const config::EngineEntry& engine : file.engines) most = std::max(most, match::threads_of(engine) * (engine.ponder ? 2 : 1));
  return most;
}

/// For a journal that an earlier version of this program wrote.
void bring_up_to_date(const std::string& path) {
  if (!record::is_of_older_schema(path)) return;
  (void)record::Journal::open(path, record::Journal::Mode::open_existing);
}

/// Games that could be played now. A plan that follows from results may grow, so that only the match itself knows its end: until then it
/// wants at least one, unless all that is left waits for an arbiter.
int games_left(const MatchBoard::Counts& counts) {
  if (counts.planned == 0) return std::numeric_limits<int>::max();
  const int left = counts.planned - counts.finished - counts.voided - counts.halted;
  return std::max(left, counts.halted > 0 ? 0 : 1);
}

/// After these the plan may have another round, or its end.
bool moves_the_course(const record::Fact& fact) {
  return std::holds_alternative<record::MatchStarted>(fact) || std::holds_alternative<record::PlanExtended>(fact) ||
         std::holds_alternative<record::PointsGiven>(fact) || std::holds_alternative<record::EngineWithdrawn>(fact) ||
         std::holds_alternative<record::GameVoided>(fact) || std::holds_alternative<record::MatchFinished>(fact);
}

}  // namespace

Office::Office(OfficeSettings settings, Hooks hooks)
    : settings_(std::move(settings)), hooks_(std::move(hooks)), registry_((fs::path(settings_.data) / "referee.sqlite").string()) {
  for (MatchRecord& record : registry_.matches()) {
    const int id = record.id;
    auto entry = std::make_unique<Entry>();
    entry->record = std::move(record);
    if (entry->record.state == MatchState::finished) entry->record.problem.clear();  // earlier versions kept what they saw of its files
    entries_.emplace(id, std::move(entry));
    logs_.emplace(id, nullptr);
  }
  for (const auto& [before, now] : registry_.mend_names())
    hooks_.log(std::string("'").append(before).append("', a name that is none, is called '").append(now).append("' from here on"));
  worker_ = std::make_unique<match::Worker>();
  std::promise<void> ready;  // who is told of a match must find it
  post([this, &ready] {
    const std::shared_ptr<void> told(nullptr, [&ready](void*) { ready.set_value(); });
    for (auto& [id, entry] : entries_) {
      const bool over = entry->record.state == MatchState::finished || entry->record.state == MatchState::failed;
      if (over && !fs::exists(stale_mark(id))) continue;
      try {
        // An end of the daemon in the middle of an order may have kept from the registry what the journal has.
        if (entry->record.state == MatchState::finished && owes_a_game(*entry)) {
          entry->record.state = MatchState::active;
          save(*entry);
        }
        prepare(*entry);
      } catch (const std::exception& error) {
        if (over) continue;  // who looks at it is told
        entry->record.state = MatchState::failed;
        entry->record.problem = error.what();
        hooks_.log("match " + std::to_string(id) + " cannot go on: " + error.what());
        save(*entry);
      }
    }
    hooks_.on_tokens(registry_.tokens());
    rebalance();
  });
  ready.get_future().get();
}

Office::~Office() { stop(); }

void Office::post(std::function<void()> job) {
  worker_->post(
      [this, job = std::move(job)] {
        try {
          job();
        } catch (const std::exception& error) { hooks_.log(std::string("error: ") + error.what()); }
      },
      match::Worker::When::now);
}

void Office::stop() {
  if (std::exchange(stopped_, true)) return;
  stopping_ = true;
  post([this] {
    for (auto& [id, entry] : entries_) {
      if (entry->playing) entry->playing->run.stop(match::MatchRun::Stop::at_once);
    }
  });
  for (bool busy = true; busy;) {  // every match tells the office of its end as the last it does
    std::promise<bool> answer;
    post([this, &answer] {
      answer.set_value(std::ranges::any_of(entries_, [](const auto& entry) { return entry.second->playing != nullptr; }));
    });
    busy = answer.get_future().get();
    if (busy) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  std::map<std::string, std::thread> probes;
  std::promise<void> taken;
  post([this, &probes, &taken] {
    probes.swap(probes_);
    taken.set_value();
  });
  taken.get_future().get();
  for (auto& [name, thread] : probes) thread.join();
  worker_->flush();
}

std::shared_ptr<LiveLog> Office::log_of(int match) const {
  const std::lock_guard lock(logs_mutex_);
  const auto found = logs_.find(match);
  return found == logs_.end() ? nullptr : found->second;
}

bool Office::knows(int match) const {
  const std::lock_guard lock(logs_mutex_);
  return logs_.contains(match);
}

// Matches ----------------------------------------------------------------------------------------------------------------

Office::Entry& Office::entry(int id) {
  const auto found = entries_.find(id);
  if (found == entries_.end()) throw Refusal(404, "there is no match " + std::to_string(id));
  return *found->second;
}

std::string Office::folder(int id) const { return match_folder(settings_.data, id).string(); }

std::string Office::output(int id, std::string_view name) const { return (match_folder(settings_.data, id) / name).string(); }

std::unique_ptr<record::Journal> Office::journal(int id) {
  Entry& own = entry(id);
  const std::string path = output(id, "match.sqlite");
  if (!fs::exists(path) || record::is_unwritten(path)) return nullptr;
  if (!std::exchange(own.journal_is_current, true)) bring_up_to_date(path);
  return record::Journal::open(path, record::Journal::Mode::read_only);
}

void Office::load(Entry& entry) {
  if (entry.file) return;
  const fs::path own = match_folder(settings_.data, entry.record.id);
  entry.text = read_file(own / "match.yaml");
  const bool from_elsewhere = fs::exists(own / "origin");
  config::MatchFile file = config::parse_match_file(entry.text, from_elsewhere ? read_file(own / "origin") : (own / "match.yaml").string());
  file.output.folder = own.string();
  file.output.journal = "match.sqlite";
  file.output.pgn = "games.pgn";
  file.output.live.clear();
  file.output.events.clear();
  file.output.also_hidden = {fs::absolute(settings_.data).string()};
  if (!settings_.socket.empty()) file.output.also_hidden.push_back(fs::absolute(settings_.socket).string());
  entry.threads = threads_a_game(file);
  entry.most = file.concurrency.value_or(std::max(1, settings_.cores / entry.threads));
  entry.file = std::move(file);
}

void Office::prepare_board(Entry& entry) {
  load(entry);
  if (entry.board && !entry.lost_its_games) return;
  auto board = std::make_shared<MatchBoard>(*entry.file, entry.record.planned);
  const auto past = journal(entry.record.id);
  if (past) board->load(*past);
  entry.lost_its_games = !past && entry.record.state == MatchState::finished;
  (void)malloc_trim(0);  // what the journal was read with
  entry.board = std::move(board);
  forget_course(entry);
}

void Office::prepare(Entry& entry) {
  prepare_board(entry);
  if (entry.log) return;
  rewrite_pgn(entry);  // if an earlier run of the daemon has left it to do
  const bool over = entry.record.state == MatchState::finished || entry.record.state == MatchState::failed;
  auto log = std::make_shared<LiveLog>(output(entry.record.id, "events"), LiveLogLimits{},
                                       over ? LiveLog::Opening::when_written : LiveLog::Opening::at_once);
  if (const auto past = journal(entry.record.id)) {
    if (const std::size_t missing = catch_up(*log, *past); missing > 0)
      hooks_.log("match " + std::to_string(entry.record.id) + ": " + std::to_string(missing) + " events told after an interruption");
  }
  entry.log = log;
  const std::lock_guard lock(logs_mutex_);
  logs_[entry.record.id] = std::move(log);
}

/// What `run` would know at this moment: who has the bye, who has won which encounter. Done when somebody looks, not for every fact.
void Office::follow_course(Entry& entry) {
  if (entry.playing && entry.playing->course_moved.exchange(false)) entry.course_stale = true;
  if (!std::exchange(entry.course_stale, false) || !entry.board->needs_plan()) return;
  try {
    if (entry.plan)
      match::bring_to_now(*entry.plan);
    else
      entry.plan.emplace(match::plan_so_far(*entry.file));
    entry.board->follow(*entry.plan);
    // To draw up all rounds of a large Swiss tournament takes a second, the last of them a part of it.
    const bool worth_keeping = entry.plan->growth() == match::MatchPlan::Growth::by_results && !entry.board->games().empty();
    if (!entry.playing || !worth_keeping) entry.plan.reset();
  } catch (const std::exception& error) {  // a file that it names is gone: the table stands without it
    hooks_.log("match " + std::to_string(entry.record.id) + ": its rounds are not shown: " + error.what());
    entry.plan.reset();
  }
}

void Office::forget_course(Entry& entry) {
  entry.course_stale = true;
  entry.plan.reset();
}

void Office::open_log(int id) noexcept {
  try {
    prepare(entry(id));
  } catch (const std::exception&) {
    // Whoever asks for the match itself is told what is wrong with it.
  }
}

std::vector<MatchSummary> Office::matches() {
  std::vector<MatchSummary> found;
  for (auto& [id, entry] : entries_) found.push_back(match(id));
  return found;
}

MatchSummary Office::match(int id) {
  Entry& own = entry(id);
  MatchSummary summary;
  try {
    prepare_board(own);
    if (own.lost_its_games) summary.seen = output(id, "match.sqlite") + ": holds no games (expected those of the match, which is finished)";
    prepare(own);
  } catch (const Refusal&) { throw; } catch (const std::exception& error) {
    summary.seen = error.what();
  }
  summary.record = own.record;
  summary.counts.planned = own.record.planned;
  if (own.board) summary.counts = own.board->counts();
  summary.playing = own.playing != nullptr;
  summary.games_at_once = own.allowed;
  if (own.log) summary.next_event = own.log->next();
  return summary;
}

std::shared_ptr<MatchBoard> Office::board(int id) {
  Entry& own = entry(id);
  prepare_board(own);
  return own.board;
}

std::shared_ptr<MatchBoard> Office::board_with_course(int id) {
  Entry& own = entry(id);
  prepare_board(own);
  follow_course(own);
  return own.board;
}

const config::MatchFile& Office::file(int id) {
  Entry& own = entry(id);
  load(own);
  return *own.file;
}

std::string Office::file_text(int id) {
  (void)entry(id);
  return read_file(match_folder(settings_.data, id) / "match.yaml");
}

void Office::change(Entry& entry, MatchRecord record, const std::string& who, const std::string& what, const std::string& detail) {
  registry_.at_once([&] {
    registry_.audit(who, what, detail);
    registry_.update_match(record);
  });
  entry.record = std::move(record);
  hooks_.on_news("matches");
}

void Office::save(Entry& entry) {
  try {
    registry_.update_match(entry.record);
  } catch (const record::JournalError& error) {
    hooks_.log("match " + std::to_string(entry.record.id) + ", " + std::string(name(entry.record.state)) + " now: " + error.what());
  }
  hooks_.on_news("matches");
}

int Office::submit(const NewMatch& match) {
  if (match.text.size() > longest_match_file) throw Refusal(413, "the match file is too long (expected at most 1 MiB)");
  if (std::abs(match.priority) > highest_priority) throw Refusal(400, "the priority is out of range (expected -100 to 100)");
  SubmissionContext context;
  context.trust = match.trust;
  context.engines = engine_keys();
  context.folder = (fs::path(settings_.data) / "matches" / "new").string();
  context.path = match.trust == Trust::local ? match.path : "";
  context.openings_folder = (fs::path(settings_.data) / "openings").string();
  const Submission submission = read_submission(match.text, context);
  int planned = 0;
  try {
    planned = match::MatchPlan::make(submission.file).expected_games();
  } catch (const match::BookException& error) { throw Refusal(400, error.what()); }

  auto entry = std::make_unique<Entry>();
  entry->record.event = submission.file.event;
  entry->record.priority = match.priority;
  entry->record.submitted = wall_now();
  entry->record.who = match.who;
  entry->record.planned = planned;
  entry->record.state = MatchState::failed;  // until its files are there
  entry->record.problem = "its submission was interrupted";
  const int id = registry_.add_match(entry->record);
  entry->record.id = id;
  Entry& stored = *entries_.emplace(id, std::move(entry)).first->second;
  {
    const std::lock_guard lock(logs_mutex_);
    logs_.emplace(id, nullptr);
  }
  const fs::path own = match_folder(settings_.data, id);
  std::error_code error;
  fs::create_directories(own, error);
  if (error) throw Refusal(500, own.string() + ": cannot be made: " + error.message());
  record::replace_file((own / "match.yaml").string(), submission.text);
  if (!context.path.empty()) record::replace_file((own / "origin").string(), context.path);
  prepare(stored);
  MatchRecord record = stored.record;
  record.state = MatchState::active;
  record.problem.clear();
  change(stored, record, match.who, "submit", "match " + std::to_string(id) + ": " + record.event);
  rebalance();
  return id;
}

void Office::pause(int id, const std::string& who) {
  Entry& own = entry(id);
  if (own.record.state != MatchState::active) throw Refusal(409, "the match is " + std::string(name(own.record.state)) + ", not active");
  MatchRecord record = own.record;
  record.state = MatchState::paused;
  change(own, std::move(record), who, "pause", "match " + std::to_string(id));
  rebalance();
}

/// What was changed on disk since. If it does not read, all stays as it was. Needs: not being played.
void Office::read_again(Entry& entry) {
  auto before = std::tuple(entry.file, entry.text, entry.board, entry.threads, entry.most);
  entry.file.reset();
  entry.board.reset();
  try {
    prepare(entry);
  } catch (...) {
    std::tie(entry.file, entry.text, entry.board, entry.threads, entry.most) = std::move(before);
    throw;
  }
}

void Office::resume(int id, Changes changes, const std::string& who) {
  Entry& own = entry(id);
  if (own.record.state == MatchState::finished && !owes_a_game(own)) throw Refusal(409, "the match is finished");
  if (own.record.state == MatchState::stopped && own.playing) throw Refusal(409, "the match is still finishing its running games");
  if (!own.playing) read_again(own);
  MatchRecord record = own.record;
  record.state = MatchState::active;
  record.problem.clear();
  change(own, std::move(record), who, "resume", "match " + std::to_string(id) + (changes == Changes::accept ? ", changes accepted" : ""));
  own.accept_changes = changes == Changes::accept;
  rebalance();
}

void Office::stop_match(int id, match::MatchRun::Stop how, const std::string& who) {
  Entry& own = entry(id);
  if (own.record.state == MatchState::finished) throw Refusal(409, "the match is finished");
  const bool at_once = how == match::MatchRun::Stop::at_once;
  MatchRecord record = own.record;
  record.state = MatchState::stopped;
  change(own, std::move(record), who, "stop", "match " + std::to_string(id) + (at_once ? " at once" : ""));
  if (own.playing) own.playing->run.stop(how);
  rebalance();
}

void Office::set_priority(int id, int priority, const std::string& who) {
  Entry& own = entry(id);
  if (std::abs(priority) > highest_priority) throw Refusal(400, "the priority is out of range (expected -100 to 100)");
  MatchRecord record = own.record;
  record.priority = priority;
  change(own, std::move(record), who, "priority", "match " + std::to_string(id) + ": " + std::to_string(priority));
  rebalance();
}

// Who plays --------------------------------------------------------------------------------------------------------------

int Office::cores_busy() const {
  int busy = 0;
  for (const auto& [id, entry] : entries_) {
    if (entry->playing && entry->board) busy += entry->threads * std::min(entry->board->counts().running, std::max(1, entry->allowed));
  }
  return busy;
}

void Office::rebalance_soon() {
  if (rebalance_due_.exchange(true)) return;
  post([this] {
    rebalance_due_ = false;  // before it looks: what changes from here on asks again
    rebalance();
  });
}

void Office::rebalance() {
  if (stopping_) return;
  std::vector<CoreClaim> claims;
  std::vector<Entry*> claimants;
  for (auto& [id, entry] : entries_) {
    const bool wants = entry->record.state == MatchState::active;
    if ((!wants && !entry->playing) || !entry->board || !entry->file || !entry->log) continue;
    CoreClaim claim;
    claim.priority = entry->record.priority;
    claim.threads = entry->threads;
    const MatchBoard::Counts counts = entry->board->counts();
    claim.most = wants ? std::min(games_left(counts), entry->most) : 0;
    if (entry->playing) claim.held = wants ? std::max(std::min(counts.running, entry->allowed), 0) : counts.running;
    claims.push_back(claim);
    claimants.push_back(entry.get());
  }
  const std::vector<int> allowed = allot(claims, settings_.cores);
  for (std::size_t i = 0; i < claims.size(); ++i) {
    Entry& entry = *claimants[i];
    const bool wants = entry.record.state == MatchState::active;
    entry.allowed = wants ? allowed[i] : 0;
    if (entry.playing) {
      if (entry.record.state == MatchState::stopped) continue;
      const bool hold = entry.allowed == 0;
      if (!hold) entry.playing->run.set_concurrency(entry.allowed);
      if (hold != entry.playing->held_back) {
        entry.playing->held_back = hold;
        hold ? entry.playing->run.pause() : entry.playing->run.resume();
      }
    } else if (wants && (entry.allowed > 0 || entry.board->counts().halted > 0)) {
      start(entry);  // with adjourned games alone it waits for an arbiter
    }
  }
}

void Office::start(Entry& entry) {
  const int id = entry.record.id;
  match::RunSettings settings;
  settings.signals = match::RunSettings::Signals::leave;
  settings.missing_journal = match::RunSettings::MissingJournal::is_lost;
  settings.arbiter = match::Arbiter::at_hand;
  settings.findings = match::RunSettings::Findings::results;
  if (std::exchange(entry.accept_changes, false)) settings.changes = match::RunSettings::Changes::accept;
  ++entry.runs;
  entry.playing = std::make_unique<Playing>(output(id, "log.txt"), *entry.file, entry.text, settings);
  LiveFeed::Hooks hooks;
  hooks.on_batch = hooks_.on_batch;
  hooks.on_desk = [this] {
    hooks_.on_news("desk");
    rebalance_soon();
  };
  hooks.on_turning_point = [this, playing = entry.playing.get()](const record::Fact& fact) {
    if (!std::holds_alternative<record::GameStarted>(fact)) hooks_.on_news("matches");
    if (moves_the_course(fact)) playing->course_moved = true;
    rebalance_soon();
  };
  entry.playing->run.add_view(std::make_unique<LiveFeed>(id, entry.log, entry.board, std::move(hooks)));
  entry.playing->run.set_concurrency(std::max(1, entry.allowed));
  entry.playing->held_back = entry.allowed == 0;
  if (entry.playing->held_back) entry.playing->run.pause();
  hooks_.log("match " + std::to_string(id) + " (" + entry.record.event + ") is played, " + std::to_string(entry.allowed) + " at once");
  entry.playing->thread = std::thread([this, id, playing = entry.playing.get()] {
    std::optional<match::MatchResult> result;
    std::string problem;
    try {
      result = playing->run.play();
    } catch (const std::exception& error) { problem = error.what(); }
    post([this, id, result = std::move(result), problem]() mutable { ended(id, std::move(result), problem); });
  });
}

void Office::ended(int id, std::optional<match::MatchResult> result, const std::string& problem) {
  Entry& own = entry(id);
  own.playing->thread.join();
  own.playing.reset();
  own.board->stand_still();
  rewrite_pgn(own);
  forget_course(own);
  own.allowed = 0;
  if (!result) {
    own.record.state = MatchState::failed;
    own.record.problem = problem;
  } else {
    own.record.planned = result->planned;
    own.board->set_planned(result->planned);
    switch (result->end) {
      case match::MatchResult::End::complete:
        if (own.record.state != MatchState::stopped || own.board->counts().running == 0)
          own.record.state = std::exchange(own.replay_due, false) ? MatchState::active : MatchState::finished;
        break;
      case match::MatchResult::End::record_failed:
        own.record.state = MatchState::failed;
        own.record.problem = "the record could not be written; see log.txt in " + folder(id);
        break;
      case match::MatchResult::End::interrupted:
      case match::MatchResult::End::terminated:
        break;
      case match::MatchResult::End::closed:  // begun anew it would end at once, or wait for tomorrow
        if (own.record.state == MatchState::active) own.record.state = MatchState::stopped;
        break;
    }
  }
  hooks_.log("match " + std::to_string(id) + ": " +
             (own.record.problem.empty() ? std::string(name(own.record.state)) : own.record.problem));
  save(own);
  rebalance();
}

// Tokens -----------------------------------------------------------------------------------------------------------------

void Office::put_token(const TokenRecord& token, const std::string& who) {
  registry_.at_once([&] {
    registry_.put_token(token);
    registry_.audit(who, "token", token.name + ": " + std::string(name(token.role)));
  });
  hooks_.on_tokens(registry_.tokens());
}

void Office::remove_token(const std::string& name, const std::string& who) {
  registry_.at_once([&] {
    if (!registry_.remove_token(name)) throw Refusal(404, "there is no token " + name);
    registry_.audit(who, "token removed", name);
  });
  hooks_.on_tokens(registry_.tokens());
}

void Office::reload() {
  hooks_.on_tokens(registry_.tokens());
  rebalance();
}

}  // namespace referee::daemon
