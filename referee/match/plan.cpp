#include "referee/match/plan.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "config/editions.hpp"

namespace referee::match {

namespace {

constexpr std::size_t most_named_openings = 10;

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
    stages.push_back(stage);
    at = cycles.ptr;
    if (at != end && *at++ != ' ') return {};
  }
  return stages;
}

MatchPlan MatchPlan::make(config::MatchFile file, const std::vector<Stage>& earlier) {
  if (file.sprt) refuse(file, "sprt: sequential tests are not run yet", "a number of games");
  MatchPlan plan;
  plan.file_ = std::move(file);
  const std::string folder = std::filesystem::path(plan.file_.path).parent_path().string();
  plan.edition_ = config::load_edition(plan.file_.edition, folder.empty() ? "." : folder);
  plan.stages_ = earlier;
  const Stage now{.engines = plan.file_.engines.size(), .cycles = plan.file_.schedule.cycles};
  if (plan.file_.schedule.games) {
    plan.stages_ = {now};
  } else if (earlier.empty() || earlier.back() != now) {
    if (!earlier.empty() && (earlier.back().engines > now.engines || earlier.back().cycles > now.cycles)) {
      refuse(plan.file_,
             "the match had " + std::to_string(earlier.back().engines) + " engines and " + std::to_string(earlier.back().cycles) +
                 " cycles when it began",
             "no fewer of either, or --fresh");
    }
    plan.stages_.push_back(now);
  }
  plan.book_ = OpeningBook::read(plan.file_.openings, plan.file_.chess960);
  plan.warnings_ = plan.book_.notes();
  plan.read_books();
  plan.number_games();
  plan.warn_of_finished_openings();
  plan.warn_of_copies();
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
  const OpeningOrder order(file_.openings, book_.size());
  OpeningCount opening_count(file_.openings);
  std::map<std::tuple<std::size_t, std::size_t, int>, int> pairs;
  std::set<std::tuple<std::size_t, std::size_t, int>> planned;  // of earlier stages
  int last_round = 0;
  for (const Stage& stage : stages_) {
    const std::vector<Pairing> pairings = make_pairings(at_stage(file_, stage));
    int round_there = 0;
    for (const Pairing& pairing : pairings) {
      const std::size_t low = std::min(pairing.white, pairing.black);
      const std::size_t high = std::max(pairing.white, pairing.black);
      if (stages_.size() > 1 && !planned.emplace(low, high, pairing.encounter).second) continue;
      if (pairing.round != round_there) ++last_round;
      round_there = pairing.round;
      const auto [pair, added] = pairs.try_emplace({low, high, pairing.encounter / 2}, static_cast<int>(pairs.size()) + 1);
      const int number = static_cast<int>(games_.size()) + 1;
      const std::size_t k = opening_count.of(number, pair->second, last_round, low, high);
      games_.push_back({.number = number,
                        .pair = pair->second,
                        .round = last_round,
                        .white = pairing.white,
                        .black = pairing.black,
                        .opening = order.line_for(k)});
    }
  }
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
