#include "referee/record/journal_audit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>

#include "referee/record/fact.hpp"
#include "referee/record/json.hpp"
#include "referee/record/schema.hpp"
#include "referee/record/sqlite.hpp"

namespace referee::record {

namespace {

using sqlite::Connection;
using sqlite::Statement;

/// {"name":value}, the value as it stands.
std::string member(std::string_view name, std::string_view value) { return "{\"" + std::string(name) + "\":" + std::string(value) + "}"; }
std::string in_quotes(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}
std::string number(std::int64_t value) { return std::to_string(value); }
std::string truth(bool value) { return value ? "true" : "false"; }

/// What is said outside games about them.
struct Matters {
  std::map<int, int> voided;  // times, by game
  bool under_way = false, finished = false, at_rest = false;
  bool cut_off = false;   // once the match ended without an orderly stop
  bool replaced = false;  // an engine took over the games of another
  int planned_games = 0;  // as far as a plan has grown
  int pairs_of_test = 0;
  std::string started_with;  // digest of the plan, at the last start
};

Matters matters_of(Connection& connection) {
  Matters matters;
  Statement row(connection, "SELECT fact FROM matters ORDER BY id");
  while (row.step()) {
    const Fact fact = parse_fact(row.text(0));
    if (const auto* voided = std::get_if<GameVoided>(&fact)) ++matters.voided[voided->game];
    if (const auto* extended = std::get_if<PlanExtended>(&fact))
      matters.planned_games = std::max(matters.planned_games, extended->planned_games);
    if (const auto* test = std::get_if<SprtStanding>(&fact)) matters.pairs_of_test = test->pairs;
    if (const auto* start = std::get_if<MatchStarted>(&fact)) {
      matters.started_with = start->plan_digest;
      matters.cut_off = matters.cut_off || matters.under_way;
      matters.under_way = true;
      matters.finished = matters.at_rest = false;
    }
    if (std::holds_alternative<MatchPaused>(fact)) {
      matters.under_way = false;
      matters.at_rest = !matters.cut_off;
    }
    if (const auto* end = std::get_if<MatchFinished>(&fact)) {
      matters.under_way = false;
      matters.finished = end->complete;
      matters.at_rest = !matters.cut_off;
    }
    if (std::holds_alternative<EngineReplaced>(fact)) {
      matters.replaced = true;
      matters.finished = false;  // its games are to be played
    }
  }
  return matters;
}

class Audit {
 public:
  explicit Audit(const std::string& path) : connection_(path, sqlite::Access::read_only) {
    connection_.execute("BEGIN");  // everything is read as it stood at one instant
    (void)check_schema(connection_);
  }

  JournalAudit run() {
    matters_ = matters_of(connection_);
    out_.at_rest = matters_.at_rest;
    read_plan();
    for (const std::string_view table : {"games", "matters", "warnings", "faults"}) check_numbering(std::string(table));
    check_parts();
    check_order();
    check_games();
    check_plan();
    std::ranges::stable_sort(out_.findings, {}, &AuditFinding::game);
    return std::move(out_);
  }

 private:
  struct Attempt {
    int game = 0, attempt = 0;
    bool ended = false, annulled = false, counted = true, voided = false, has_fault = false;
  };

  void find(int game, int attempt, std::string recorded, std::string follows) {
    if (!is_full()) out_.findings.push_back({game, attempt, std::move(recorded), std::move(follows)});
  }

  [[nodiscard]] bool is_full() const { return out_.findings.size() >= JournalAudit::most_findings; }

  void read_plan() {
    Statement plan(connection_, "SELECT planned_games, digest FROM plan");
    if (plan.step()) {
      planned_games_ = static_cast<int>(plan.integer(0));
      was_started_ = plan.text(1) == matters_.started_with;
    }
    Statement test(connection_, "SELECT 1 FROM fingerprints WHERE name = 'sequential test'");
    has_test_ = test.step();
  }

  /// Nothing is ever taken out of these tables, so their rows are numbered without a gap.
  void check_numbering(const std::string& table) {
    Statement row(connection_, "SELECT count(*), coalesce(max(id), 0) FROM " + table);
    if (row.step() && row.integer(0) != row.integer(1))
      find(0, 0, member("rows of " + table, number(row.integer(0))), member("rows of " + table, number(row.integer(1))));
    if (table != "warnings" && table != "faults") return;
    Statement stray(connection_, "SELECT count(*) FROM " + table + " WHERE game_id IS NOT NULL AND game_id NOT IN (SELECT id FROM games)");
    if (stray.step() && stray.integer(0) > 0)
      find(0, 0, member(table + " of no game", number(stray.integer(0))), member(table + " of no game", "0"));
  }

  void check_parts() {
    Statement row(connection_,
                  "SELECT g.game, g.attempt, e.game_id, sum(e.count), min(e.part), max(e.part) + 1, count(*), "
                  "sum(CASE WHEN json_valid(e.facts) THEN json_array_length(e.facts) ELSE e.count END) "
                  "FROM events AS e LEFT JOIN games AS g ON g.id = e.game_id GROUP BY e.game_id");
    while (row.step()) {
      const int game = static_cast<int>(row.integer(0));
      const int attempt = static_cast<int>(row.integer(1));
      if (row.is_null(0)) find(0, 0, member("events of row", number(row.integer(2))), member("events of row", "null"));
      if (row.integer(4) != 0 || row.integer(5) != row.integer(6))
        find(game, attempt, member("parts", number(row.integer(6))), member("parts", number(row.integer(5))));
      if (row.integer(3) != row.integer(7))
        find(game, attempt, member("events", number(row.integer(3))), member("events", number(row.integer(7))));
    }
  }

  void check_order() {
    Statement twice(connection_,
                    "SELECT game, attempt, end_order FROM games WHERE end_order IN "
                    "(SELECT end_order FROM games WHERE end_order IS NOT NULL GROUP BY end_order HAVING count(*) > 1)");
    while (twice.step())
      find(static_cast<int>(twice.integer(0)), static_cast<int>(twice.integer(1)), member("end_order", number(twice.integer(2))),
           member("end_order", "\"its own\""));
    Statement last(connection_, "SELECT coalesce(max(end_order), 0) - count(end_order) FROM games");
    if (last.step()) out_.ends_replaced = last.integer(0);
  }

  void check_games() {
    Statement row(
        connection_,
        "SELECT game, attempt, ended, end_order, result, white_score, black_score, reason, article, undecided, annulled, counted, "
        "voided, plies, duration_ns, edition, json_extract(start, '$.edition'), "
        "EXISTS (SELECT 1 FROM faults AS f WHERE f.game_id = games.id) FROM games ORDER BY game, attempt");
    std::vector<Attempt> attempts;  // of one game
    while (row.step()) {
      Attempt now{static_cast<int>(row.integer(0)),
                  static_cast<int>(row.integer(1)),
                  !row.is_null(2),
                  row.integer(10) != 0,
                  row.integer(11) != 0,
                  row.integer(12) != 0,
                  row.integer(17) != 0};
      if (!attempts.empty() && attempts.back().game != now.game) {
        check_attempts(attempts);
        attempts.clear();
      }
      check_columns(row, now);
      attempts.push_back(now);
    }
    if (!attempts.empty()) check_attempts(attempts);
  }

  /// The columns of one row against each other.
  void check_columns(const Statement& row, const Attempt& now) {
    const auto differs = [&](std::string_view name, const std::string& recorded, const std::string& follows) {
      if (recorded != follows) find(now.game, now.attempt, member(name, recorded), member(name, follows));
    };
    differs("edition", in_quotes(row.text(15)), in_quotes(row.text(16)));
    constexpr std::string_view flags[] = {"undecided", "annulled", "counted", "voided"};
    for (int flag = 0; flag < 4; ++flag) {
      const std::int64_t value = row.integer(9 + flag);
      differs(flags[flag], number(value), number(value != 0 ? 1 : 0));
    }
    constexpr std::string_view of_an_end[] = {"end_order", "result", "white_score", "black_score", "reason", "article"};
    for (int column = 0; column < 6; ++column) {
      if (row.is_null(3 + column) == now.ended)
        find(now.game, now.attempt, member(of_an_end[column], now.ended ? "null" : "\"of an end\""), member("ended", truth(!now.ended)));
    }
    if (!now.ended) {
      differs("plies", number(row.integer(13)), "0");
      differs("duration_ns", number(row.integer(14)), "0");
      differs("counted", truth(now.counted), "true");
      return;
    }
    game::Outcome outcome;
    const double white = row.real(5) * 100;
    const double black = row.real(6) * 100;
    outcome.score = {static_cast<int>(std::lround(white)), static_cast<int>(std::lround(black))};
    outcome.annulled = now.annulled;
    differs("result", in_quotes(row.text(4)), in_quotes(game::result_text(outcome)));
    if (now.annulled) differs("counted", truth(now.counted), "false");
  }

  /// All attempts of a game against each other and against what is said about it.
  void check_attempts(const std::vector<Attempt>& attempts) {
    const int game = attempts.front().game;
    last_game_ = game;
    if (matters_.finished)
      for (const int end = std::min(game, most_games + 1); next_game_ < end && !is_full(); ++next_game_) missing(next_game_);
    next_game_ = game + 1;
    int voided = 0;
    for (std::size_t i = 0; i < attempts.size(); ++i) {
      const Attempt& now = attempts[i];
      if (now.attempt != static_cast<int>(i) + 1)
        find(game, now.attempt, member("attempt", number(now.attempt)), member("attempt", number(static_cast<std::int64_t>(i) + 1)));
      voided += now.voided ? 1 : 0;
      const bool last = i + 1 == attempts.size();
      const bool stands = now.ended && now.counted && !now.annulled && !now.voided;
      if (!last && stands) find(game, now.attempt, member("counted", "true"), member("counted", "false"));
      if (now.counted || now.annulled || !now.ended || !last) continue;
      // It is to be played again for an engine's fault.
      const bool left_so = matters_.finished && !now.voided && !has_test_;
      if (!now.has_fault || left_so) find(game, now.attempt, member("counted", "false"), member("counted", "true"));
    }
    const auto told = matters_.voided.find(game);
    const int times = told == matters_.voided.end() ? 0 : told->second;
    if (voided > times)
      find(game, attempts.back().attempt, member("voided", "true"), member("voided", "false"));
    else if (voided == 0 && times > 0 && !matters_.replaced)
      find(game, attempts.back().attempt, member("voided", "false"), member("voided", "true"));
    const Attempt& last = attempts.back();
    if (matters_.finished && !has_test_ && !last.ended && !last.voided)
      find(game, last.attempt, member("ended", "false"), member("ended", "true"));
  }

  void missing(int game) {
    if (is_required(game)) find(game, 0, member("row", "false"), member("row", "true"));
  }
  [[nodiscard]] bool is_required(int game) const {
    if (!matters_.finished || matters_.voided.contains(game)) return false;
    return !has_test_ || game <= 2 * matters_.pairs_of_test;
  }

  void check_plan() {
    if (!planned_games_) {
      if (last_game_ > 0) find(0, 0, member("plan", "false"), member("plan", "true"));
      return;
    }
    if (!was_started_) return;  // a kill came between a changed plan and its start
    const int planned = std::max(*planned_games_, matters_.planned_games);
    if (!has_test_ && last_game_ > planned)
      find(0, 0, member("planned_games", number(*planned_games_)), member("planned_games", number(last_game_)));
    if (!matters_.finished) return;
    for (const int last = std::min(planned, most_games); next_game_ <= last && !is_full(); ++next_game_) missing(next_game_);
  }

  Connection connection_;
  JournalAudit out_;
  Matters matters_;
  std::optional<int> planned_games_;
  bool was_started_ = false;  // the match was, with this plan
  bool has_test_ = false;
  int next_game_ = 1;
  int last_game_ = 0;
};

}  // namespace

JournalAudit audit(const std::string& path) {
  try {
    return Audit(path).run();
  } catch (const FactError& error) { throw JournalError(path + ": a matter cannot be read: " + error.what()); }
}

}  // namespace referee::record
