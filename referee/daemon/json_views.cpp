#include "referee/daemon/json_views.hpp"

#include <algorithm>
#include <chrono>

#include "referee/chess/fen.hpp"
#include "referee/game/explain.hpp"
#include "referee/match/sprt_json.hpp"
#include "referee/match/sprt_tracker.hpp"
#include "referee/record/json.hpp"
#include "referee/stats/elo.hpp"

namespace referee::daemon {

namespace json = boost::json;

json::value json_ms(game::Duration time) {
  if (time == game::Duration::max()) return nullptr;
  return std::chrono::duration<double, std::milli>(time).count();
}

std::string time_text(record::WallTime time) {
  std::string text;
  record::append_time(text, time);
  return text;
}

std::string_view name(game::Phase phase) noexcept {
  switch (phase) {
    case game::Phase::playing:
      return "playing";
    case game::Phase::awaiting_arbiter:
      return "awaiting_arbiter";
    case game::Phase::paused:
      return "paused";
    case game::Phase::adjourned:
      return "adjourned";
    case game::Phase::over:
      break;
  }
  return "over";
}

json::object to_json(const MatchSummary& match) {
  const MatchBoard::Counts& counts = match.counts;
  json::object out;
  out["id"] = match.record.id;
  out["event"] = record::valid_utf8(match.record.event);
  out["state"] = record::valid_utf8(name(match.record.state));
  out["playing"] = match.playing;
  out["priority"] = match.record.priority;
  out["games_at_once"] = match.games_at_once;
  out["planned"] = counts.planned;
  out["finished"] = counts.finished;
  out["voided"] = counts.voided;
  out["running"] = counts.running;
  out["adjourned"] = counts.halted;
  out["faults"] = counts.faults;
  out["submitted"] = time_text(match.record.submitted);
  out["who"] = record::valid_utf8(match.record.who);
  if (const std::string& problem = match.record.problem.empty() ? match.seen : match.record.problem; !problem.empty())
    out["problem"] = record::valid_utf8(problem);
  out["next_event"] = match.next_event;
  return out;
}

namespace {

json::value search_json(const std::optional<record::SearchReport>& search) {
  if (!search) return nullptr;
  json::object out;
  if (search->depth) out["depth"] = *search->depth;
  if (search->selective_depth) out["selective_depth"] = *search->selective_depth;
  if (search->centipawns) out["centipawns"] = *search->centipawns;
  if (search->mate) out["mate"] = *search->mate;
  if (search->nodes) out["nodes"] = *search->nodes;
  if (search->nodes_per_second) out["nodes_per_second"] = *search->nodes_per_second;
  if (search->tablebase_hits) out["tablebase_hits"] = *search->tablebase_hits;
  if (search->time) out["time_ms"] = json_ms(*search->time);
  if (!search->pv.empty()) out["pv"] = record::valid_utf8(search->pv);
  return out;
}

}  // namespace

json::object to_json(const BoardGame& game) {
  json::object out;
  out["number"] = game.started.game;
  out["attempt"] = game.started.attempt;
  out["round"] = game.started.round;
  out["pair"] = game.started.pair;
  out["white"] = record::valid_utf8(game.started.white);
  out["black"] = record::valid_utf8(game.started.black);
  out["opening"] = record::valid_utf8(game.started.opening);
  out["edition"] = record::valid_utf8(game.started.edition);
  out["started"] = time_text(game.started.at);
  out["start_fen"] = chess::to_fen(game.started.setup.start);
  out["chess960"] = game.started.setup.chess960;
  out["fen"] = chess::to_fen(game.position);
  out["plies"] = game.plies;
  out["last_move"] = game.last_move;
  out["last_san"] = game.last_san;
  out["phase"] = record::valid_utf8(name(game.phase));
  const auto since = std::chrono::steady_clock::now() - game.told;
  json::object clocks;
  clocks["white_ms"] = json_ms(game.clock[0]);
  clocks["black_ms"] = json_ms(game.clock[1]);
  clocks["running"] = game.running ? json::value(record::valid_utf8(chess::name(*game.running))) : json::value(nullptr);
  clocks["running_for_ms"] = game.running ? json_ms(std::chrono::duration_cast<game::Duration>(since)) : json::value(0);
  out["clocks"] = std::move(clocks);
  if (game.claimant) out["claimant"] = record::valid_utf8(chess::name(*game.claimant));
  if (!game.question.empty()) out["question"] = record::valid_utf8(game.question);
  if (!game.article.empty()) out["article"] = record::valid_utf8(game.article);
  out["search"] = json::object{{"white", search_json(game.search[0])}, {"black", search_json(game.search[1])}};
  return out;
}

json::object to_json(const EngineRecord& engine) {
  json::object out{{"name", record::valid_utf8(engine.name)},
                   {"command", record::valid_utf8(engine.command)},
                   {"sha256", engine.sha256},
                   {"added", time_text(engine.added)},
                   {"who", record::valid_utf8(engine.who)},
                   {"keys", record::valid_utf8(engine.keys)}};
  json::error_code error;
  const json::value report = json::parse(engine.report, error);
  if (engine.report.empty() || error)
    out["report"] = nullptr;
  else
    out["report"] = report;
  return out;
}

json::object to_json(const TokenRecord& token) {
  return {{"name", record::valid_utf8(token.name)}, {"role", record::valid_utf8(name(token.role))}, {"created", time_text(token.created)}};
}

json::object to_json(const AuditRecord& record) {
  return {{"number", record.number},
          {"at", time_text(record.at)},
          {"who", record::valid_utf8(record.who)},
          {"what", record::valid_utf8(record.what)},
          {"detail", record::valid_utf8(record.detail)}};
}

json::array to_json(const game::Rulings& rulings) {
  std::string text;
  record::append_rulings(text, rulings);
  json::array out = json::parse(text).as_array();
  for (std::size_t i = 0; i < out.size(); ++i) out[i].as_object()["words"] = record::valid_utf8(game::describe(rulings[i]));
  return out;
}

// Statistics -------------------------------------------------------------------------------------------------------------

namespace {

void put(json::object& out, const char* name, const stats::Estimate& estimate) {
  out[name] = estimate.value ? json::value(*estimate.value) : json::value(nullptr);
  out[std::string(name) + "_error"] = estimate.error ? json::value(*estimate.error) : json::value(nullptr);
  if (estimate.bound != stats::Bound::none) out["bound"] = estimate.bound == stats::Bound::lower ? "lower" : "upper";
}

json::value optional_number(const std::optional<double>& value) { return value ? json::value(*value) : json::value(nullptr); }

/// What the first engine scored, in hundredths.
int points_of(const EndedGame& game, const std::string& first) { return game.white() == first ? game.score().white : game.score().black; }

constexpr std::size_t points_of_a_chart = 500;  // and the last pair

/// As the match itself judges its sequential test: the pairs that are complete up to the first that is not, in the order of the plan.
class TestSoFar {
 public:
  TestSoFar(const config::Sprt& rule, std::size_t pairs)
      : parameters_(match::parameters_of(rule)), step_(std::max<std::size_t>(1, (pairs + points_of_a_chart - 1) / points_of_a_chart)) {}

  /// Pairs are given by number, each once; `all` are the pairs up to and with it.
  void see(int pair, bool complete, const stats::PairCounts& all) {
    if (!in_order_) return;
    in_order_ = complete && pair == static_cast<int>(counts_.pairs()) + 1;
    if (!in_order_) return;
    counts_ = all;
    if (static_cast<std::size_t>(pair) % step_ == 0) history_.push_back(json::array{pair, stats::sprt(counts_, parameters_).llr});
  }

  [[nodiscard]] json::object json() const {
    const stats::SprtReport report = stats::sprt(counts_, parameters_);
    json::object out = match::sprt_json(parameters_, counts_, report);
    json::array history = history_;
    if (const auto pairs = static_cast<int>(counts_.pairs()); static_cast<std::size_t>(pairs) % step_ != 0)
      history.push_back(json::array{pairs, report.llr});
    out["history"] = std::move(history);
    return out;
  }

 private:
  stats::SprtParameters parameters_;
  std::size_t step_;
  stats::PairCounts counts_;
  json::array history_;
  bool in_order_ = true;
};

}  // namespace

json::array crosstable(const EndedGames& games) {
  struct Cell {
    int games = 0, points = 0;
  };
  std::map<std::pair<std::string, std::string>, Cell> cells;
  games.each([&cells](const EndedGame& game) {
    if (!game.counts()) return;
    Cell& white = cells[{game.white(), game.black()}];
    ++white.games;
    white.points += game.score().white;
    Cell& black = cells[{game.black(), game.white()}];
    ++black.games;
    black.points += game.score().black;
  });
  json::array out;
  for (const auto& [players, cell] : cells) {
    out.push_back(json::object{{"engine", record::valid_utf8(players.first)},
                               {"opponent", record::valid_utf8(players.second)},
                               {"games", cell.games},
                               {"points", cell.points / 100.0}});
  }
  return out;
}

json::object statistics(const EndedGames& games, const config::MatchFile& file) {
  json::object out;
  std::map<std::string, int> reasons;
  int counted = 0;
  int white = 0;
  int draws = 0;
  long long plies = 0;
  games.each([&](const EndedGame& game) {
    if (!game.counts()) return;
    ++counted;
    white += game.score().white;
    draws += game.score() == game::draw ? 1 : 0;
    plies += game.plies();
    ++reasons[std::string(game::code(game.reason()))];
  });
  out["games"] = counted;
  out["white_score"] = counted == 0 ? json::value(nullptr) : json::value(white / 100.0 / counted);
  out["draw_ratio"] = counted == 0 ? json::value(nullptr) : json::value(static_cast<double>(draws) / counted);
  out["mean_plies"] = counted == 0 ? json::value(nullptr) : json::value(static_cast<double>(plies) / counted);
  json::object by_reason;
  for (const auto& [reason, count] : reasons) by_reason[reason] = count;
  out["reasons"] = std::move(by_reason);
  if (file.engines.size() != 2) return out;

  const std::string& first = file.engines.front().name;
  std::map<int, std::vector<int>> by_pair;
  games.each([&](const EndedGame& game) {
    if (game.counts()) by_pair[game.pair()].push_back(points_of(game, first));
  });
  stats::PairCounts pairs;
  std::optional<TestSoFar> test;
  if (file.sprt) test.emplace(*file.sprt, by_pair.size());
  for (const auto& [pair, points] : by_pair) {
    const bool complete = points.size() == 2;
    if (complete) match::add_pair(pairs, points[0], points[1]);
    if (test) test->see(pair, complete, pairs);
  }
  const stats::EloReport report = stats::elo_report(pairs);
  json::object elo{
      {"engine", record::valid_utf8(first)},
      {"opponent", record::valid_utf8(file.engines.back().name)},
      {"los", optional_number(report.los)},
      {"score", optional_number(report.score)},
      {"games", report.games},
      {"pairs", report.pairs},
      {"draw_ratio", optional_number(report.draw_ratio)},
      {"ptnml", json::array{pairs.loss_loss, pairs.loss_draw, pairs.win_loss + pairs.draw_draw, pairs.win_draw, pairs.win_win}}};
  put(elo, "elo", report.elo);
  put(elo, "nelo", report.normalized_elo);
  out["elo"] = std::move(elo);
  if (test) out["sprt"] = test->json();
  return out;
}

}  // namespace referee::daemon
