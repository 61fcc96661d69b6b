#include "referee/match/plan.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "config/editions.hpp"
#include "engine_iface/protocol_base.hpp"
#include "engine_iface/told_clock.hpp"
#include "referee/match/speed.hpp"

namespace referee::match {

namespace {

constexpr std::size_t most_named_openings = 10;
constexpr int first_of_an_endless_plan = 100;             // enough to see what the book holds
constexpr int not_yet = std::numeric_limits<int>::max();  // engines that enter with the next round

bool never_varies(const config::EngineEntry& engine) { return engine.limits.depth || engine.limits.nodes; }

[[noreturn]] void refuse(const config::MatchFile& file, std::string message, std::string expected) {
  throw config::ConfigException(config::ConfigError{.file = file.path,
                                                    .line = file.schedule.place.line,
                                                    .column = file.schedule.place.column,
                                                    .message = std::move(message),
                                                    .expected = std::move(expected)});
}

/// The file as it stood at a stage.
config::MatchFile at_stage(const config::MatchFile& file, const Stage& stage) {
  config::MatchFile then = file;
  then.engines.resize(stage.engines);
  then.schedule.cycles = stage.cycles;
  std::erase_if(then.schedule.seeds, [&then](const std::string& seed) {
    return std::ranges::find(then.engines, seed, &config::EngineEntry::name) == then.engines.end();
  });
  return then;
}

}  // namespace

std::string to_text(const std::vector<Stage>& stages) {
  std::string text;
  for (const Stage& stage : stages) {
    if (!text.empty()) text += ' ';
    text += std::to_string(stage.engines) + 'x' + std::to_string(stage.cycles);
    if (stage.after > 0) text += '@' + std::to_string(stage.after);
  }
  return text;
}

std::vector<Stage> parse_stages(std::string_view text) {
  std::vector<Stage> stages;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    Stage stage;
    const auto engines = std::from_chars(at, end, stage.engines);
    if (engines.ec != std::errc{} || engines.ptr == end || *engines.ptr != 'x') return {};
    const auto cycles = std::from_chars(engines.ptr + 1, end, stage.cycles);
    if (cycles.ec != std::errc{}) return {};
    at = cycles.ptr;
    if (at != end && *at == '@') {
      const auto after = std::from_chars(at + 1, end, stage.after);
      if (after.ec != std::errc{}) return {};
      at = after.ptr;
    }
    stages.push_back(stage);
    if (at != end && *at++ != ' ') return {};
  }
  return stages;
}

MatchPlan MatchPlan::make(config::MatchFile file, const std::vector<Stage>& earlier) {
  MatchPlan plan;
  plan.file_ = std::move(file);
  const std::string folder = std::filesystem::path(plan.file_.path).parent_path().string();
  plan.edition_ = config::load_edition(plan.file_.edition, folder.empty() ? "." : folder);
  const config::ScheduleKind kind = plan.file_.schedule.kind;
  const bool by_results = kind == config::ScheduleKind::swiss || kind == config::ScheduleKind::knockout;
  const bool endless = plan.file_.sprt && !plan.file_.schedule.games;
  plan.growth_ = by_results ? Growth::by_results : endless ? Growth::on_demand : Growth::none;
  plan.stages_ = earlier;
  const Stage now{.engines = plan.file_.engines.size(),
                  .cycles = kind == config::ScheduleKind::swiss ? swiss_rounds(plan.file_) : plan.file_.schedule.cycles,
                  .after = 0};
  if (plan.file_.schedule.games || endless) {
    plan.stages_ = {now};
  } else if (earlier.empty() || earlier.back().engines != now.engines || earlier.back().cycles != now.cycles) {
    const std::string_view unit = kind == config::ScheduleKind::swiss ? " rounds" : " cycles";
    if (!earlier.empty() && (earlier.back().engines > now.engines || earlier.back().cycles > now.cycles)) {
      refuse(plan.file_,
             "the match had " + std::to_string(earlier.back().engines) + " engines and " + std::to_string(earlier.back().cycles) +
                 std::string(unit) + " when it began",
             "no fewer of either, or --fresh");
    }
    if (!earlier.empty() && kind == config::ScheduleKind::knockout && earlier.back().engines != now.engines)
      refuse(plan.file_, "a knockout that has begun takes no more engines", "the engines it began with, or --fresh");
    plan.stages_.push_back(now);
    if (by_results && !earlier.empty()) plan.stages_.back().after = not_yet;
  }
  plan.book_ = OpeningBook::read(plan.file_.openings, plan.file_.chess960);
  plan.order_.emplace(plan.file_.openings, plan.book_.size());
  plan.opening_count_.emplace(plan.file_.openings);
  plan.warnings_ = plan.book_.notes();
  if (auto warning = warning_of_unrated(plan.file_)) plan.warnings_.push_back(std::move(*warning));
  plan.read_books();
  plan.number_games();
  plan.warn_of_finished_openings();
  plan.warn_of_copies();
  plan.warn_of_times_each_move();
  return plan;
}

void MatchPlan::read_books() {
  std::map<std::string, std::shared_ptr<const PolyglotBook>> known;
  for (const config::EngineEntry& engine : file_.engines) {
    books_.emplace_back();
    if (!engine.book) continue;
    const auto fail = [&](const std::string& what, std::string expected) {
      throw config::ConfigException(
          {file_.path, engine.place.line, engine.place.column, "book of " + engine.name + ": " + what, std::move(expected)});
    };
    if (file_.chess960) fail("a Polyglot book is of standard chess", "no book in a Chess960 match");
    auto& book = known[engine.book->file];
    try {
      if (book == nullptr) book = std::make_shared<const PolyglotBook>(PolyglotBook::read(engine.book->file));
    } catch (const std::runtime_error& error) { fail(engine.book->file + ": " + error.what(), ""); }
    books_.back() = book;
  }
}

std::optional<chess::Move> MatchPlan::book_move(const PlannedGame& game, std::size_t engine, const PolyglotPlace& place,
                                                std::size_t plies) const {
  if (books_[engine] == nullptr || plies >= static_cast<std::size_t>(file_.engines[engine].book->plies)) return std::nullopt;
  // A generator of its own for each move, so that a game that goes on after an interruption goes on alike.
  Random seeds(file_.openings.seed);
  Random random(seeds.next() ^ (static_cast<std::uint64_t>(game.number) << 32U | static_cast<std::uint64_t>(plies)));
  return books_[engine]->draw(place, random);
}

void MatchPlan::number_games() {
  check_schedule(file_);
  if (growth_ == Growth::on_demand) {
    grow_to(first_of_an_endless_plan);
    return;
  }
  if (growth_ == Growth::by_results) {
    ranking_ = seeding(file_);
    grow({}, {});
    return;
  }
  std::set<std::tuple<std::size_t, std::size_t, int>> planned;  // of earlier stages
  for (const Stage& stage : stages_) {
    std::vector<Pairing> pairings = make_pairings(at_stage(file_, stage));
    if (stages_.size() > 1) {
      std::erase_if(pairings, [&planned](const Pairing& pairing) {
        return !planned.emplace(std::min(pairing.white, pairing.black), std::max(pairing.white, pairing.black), pairing.encounter).second;
      });
    }
    append(pairings);
  }
}

void MatchPlan::append(const std::vector<Pairing>& pairings) {
  round_there_ = 0;
  games_.reserve(games_.size() + pairings.size());
  for (const Pairing& pairing : pairings) {
    const std::size_t low = std::min(pairing.white, pairing.black);
    const std::size_t high = std::max(pairing.white, pairing.black);
    if (growth_ == Growth::by_results) {
      last_round_ = pairing.round;
    } else if (pairing.round != round_there_) {
      ++last_round_;
      round_there_ = pairing.round;
    }
    const auto [pair, added] = pairs_.try_emplace({low, high, pairing.encounter / 2}, static_cast<int>(pairs_.size()) + 1);
    const int number = static_cast<int>(games_.size()) + 1;
    const std::size_t k = opening_count_->of(number, pair->second, last_round_, low, high);
    games_.push_back({.number = number,
                      .pair = pair->second,
                      .round = last_round_,
                      .white = pairing.white,
                      .black = pairing.black,
                      .opening = order_->line_for(k),
                      .deciding = pairing.deciding});
  }
}

// Plans that grow --------------------------------------------------------------------------------------------------------

bool MatchPlan::grow_to(int number) {
  if (number > static_cast<int>(most_games)) return false;
  // A match of two: game N depends on N alone.
  const auto per_pairing = static_cast<int>(file_.schedule.games_per_pairing);
  for (int next = static_cast<int>(games_.size()) + 1; next <= number; ++next) {
    const bool swapped = next % 2 == 0;
    const std::size_t k = opening_count_->of(next, (next + 1) / 2, (next - 1) / per_pairing + 1, 0, 1);
    games_.push_back({.number = next,
                      .pair = (next + 1) / 2,
                      .round = (next - 1) / per_pairing + 1,
                      .white = swapped ? 1U : 0U,
                      .black = swapped ? 0U : 1U,
                      .opening = order_->line_for(k)});
  }
  return true;
}

std::size_t MatchPlan::grow(const std::vector<GameFate>& fates, const std::map<std::size_t, int>& withdrawn) {
  const std::size_t before = games_.size();
  std::vector<ScheduledGame> so_far;
  so_far.reserve(before);
  for (std::size_t i = 0; i < before; ++i) {
    if (i >= fates.size() || fates[i].kind == GameFate::Kind::open) return 0;
    so_far.push_back({.pairing = pairings_[i],
                      .fate = fates[i].kind == GameFate::Kind::scored ? ScheduledGame::Fate::scored : ScheduledGame::Fate::not_played,
                      .score = fates[i].score});
  }
  std::vector<Presence> presence(file_.engines.size());
  int last_round = 1;
  std::size_t entered = 0;
  for (const Stage& stage : stages_) {
    for (; entered < stage.engines; ++entered) presence[entered].from = stage.after;
    if (stage.after <= static_cast<int>(before)) last_round = stage.cycles;
  }
  for (const auto& [engine, planned] : withdrawn) presence[engine].until = planned;
  NextRound next = next_round({.file = file_, .ranking = ranking_, .games = so_far, .presence = presence, .last_round = last_round});
  if (!next.note.empty() && std::ranges::find(warnings_, next.note) == warnings_.end()) warnings_.push_back(next.note);
  course_ = {.gifts = std::move(next.gifts), .duels = std::move(next.duels), .champion = next.champion, .complete = next.games.empty()};
  pairings_.insert(pairings_.end(), next.games.begin(), next.games.end());
  append(next.games);
  if (!next.games.empty()) growths_.push_back(static_cast<int>(games_.size()));
  return next.games.size();
}

int MatchPlan::drawn_with(int number) const {
  const auto found = std::ranges::lower_bound(growths_, number);
  return found == growths_.end() ? static_cast<int>(games_.size()) : *found;
}

bool MatchPlan::is_settled(int number) const {
  return file_.schedule.kind == config::ScheduleKind::knockout && drawn_with(number) < static_cast<int>(games_.size());
}

void MatchPlan::admit_new_engines() {
  if (!stages_.empty() && stages_.back().after == not_yet) stages_.back().after = static_cast<int>(games_.size());
}

int MatchPlan::expected_games() const noexcept {
  const auto standing = static_cast<int>(games_.size());
  const int per_pairing = file_.schedule.games_per_pairing;
  const auto field = static_cast<int>(file_.engines.size());
  switch (growth_) {
    case Growth::none:
      return standing;
    case Growth::on_demand:
      return 0;
    case Growth::by_results:
      break;
  }
  if (course_.complete) return standing;
  if (file_.schedule.kind == config::ScheduleKind::swiss) return std::max(standing, stages_.back().cycles * (field / 2) * per_pairing);
  return std::max(standing, (field - 1) * per_pairing);
}

const clock::TimeControl& MatchPlan::time_control(std::size_t engine) const {
  const auto& own = file_.engines[engine].time_control;
  return own ? *own : file_.time_control;
}

game::GameSetup MatchPlan::setup(const PlannedGame& game) const {
  Opening line = opening(game);
  game::GameSetup setup;
  setup.start = line.start;
  setup.chess960 = file_.chess960;
  setup.opening_moves = std::move(line.moves);
  setup.time_control = {time_control(game.white), time_control(game.black)};
  if (game.deciding && file_.schedule.deciding_time) setup.time_control = *file_.schedule.deciding_time;
  if (time_factor_ != 1) {
    for (clock::TimeControl& control : setup.time_control) control = scaled(control, time_factor_);
  }
  setup.margin = {file_.engines[game.white].time_margin, file_.engines[game.black].time_margin};
  if (file_.supervision) setup.supervision = *file_.supervision;
  setup.event_default_time = file_.rules.default_time;
  setup.guidelines_iii = file_.rules.guidelines_iii;
  setup.agreement_forbidden = file_.rules.agreement_forbidden;
  setup.agreement_min_moves = file_.rules.agreement_min_moves;
  setup.adjudication = file_.adjudication;
  return setup;
}

void MatchPlan::warn_of_finished_openings() {
  std::vector<bool> seen(book_.size());
  std::size_t finished = 0;
  for (const PlannedGame& planned : games_) {
    if (seen[planned.opening]) continue;
    seen[planned.opening] = true;
    const game::Game game(setup(planned), edition_);
    if (!game.outcome()) continue;
    if (++finished > most_named_openings) continue;
    warnings_.push_back("opening " + opening(planned).name + " is over after " + std::to_string(game.moves().size()) + " plies (" +
                        std::string(game::code(game.outcome()->reason)) + "): its games are recorded so, no engine is asked");
  }
  if (finished > most_named_openings)
    warnings_.push_back("and " + std::to_string(finished - most_named_openings) + " more openings that are over");
}

// Engines that are given a fixed time a move use all of it, and a little more until their answer is read.
void MatchPlan::warn_of_times_each_move() {
  std::string tight;
  for (std::size_t engine = 0; engine < file_.engines.size(); ++engine) {
    const config::EngineEntry& entry = file_.engines[engine];
    const clock::TimeControl& control = time_control(engine);
    const bool is_enforced = control.mode == clock::Mode::move_time;
    if (!is_enforced && !entry.limits.move_time) continue;
    if (is_enforced && entry.time_margin == clock::Duration::zero()) tight += (tight.empty() ? "" : ", ") + entry.name;
    if (entry.protocol != engine::ProtocolKind::xboard) continue;
    const clock::Duration wanted = entry.limits.move_time ? *entry.limits.move_time : control.periods.front().base;
    const std::chrono::seconds told = engine::whole_seconds(wanted);
    if (told == wanted) continue;
    warnings_.push_back(entry.name + " speaks XBoard, which knows whole seconds a move: of '" +
                        (entry.limits.move_time ? "movetime: " + engine::describe(wanted) : clock::to_text(control)) + "' it is told " +
                        std::to_string(told.count()) + " s");
  }
  if (!tight.empty())
    warnings_.push_back("a fixed time a move without a time_margin: whoever uses all of it loses on time (" + tight +
                        "; time_margin: 100ms would give room)");
}

void MatchPlan::warn_of_copies() {
  std::set<std::tuple<std::size_t, std::size_t, std::size_t>> seen;
  std::size_t fixed = 0;
  for (const PlannedGame& game : games_) {
    if (seen.emplace(game.white, game.black, game.opening).second) continue;
    ++copies_;
    if (never_varies(white(game)) && never_varies(black(game))) ++fixed;
  }
  if (fixed == 0 && (copies_ == 0 || !file_.openings.file.empty())) return;
  const std::size_t warned = fixed > 0 ? fixed : copies_;
  warnings_.push_back(
      std::to_string(warned) + (warned == 1 ? " game has" : " games have") + " the same players, colours and opening as an earlier one" +
      (fixed > 0 ? " and a fixed depth or node limit: engines that always play alike only repeat it, and error bars lie"
                 : ": a book would vary them") +
      (file_.openings.file.empty() ? " (openings: is not set)" : " (the book has " + std::to_string(book_.size()) + " openings)"));
}

}  // namespace referee::match
