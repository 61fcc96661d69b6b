#include "referee/record/replay.hpp"

#include <algorithm>

#include "referee/record/json.hpp"

namespace referee::record {

namespace {

std::string json(const game::Rulings& rulings) {
  std::string text;
  append_rulings(text, rulings);
  return text;
}

/// Two objects with those members alone in which a row differs from what it tells of.
class RowComparison {
 public:
  template <JsonKey name, class Value>
  void add(const Value& in_row, const Value& in_facts) {
    if (in_row == in_facts) return;
    differs_ = true;
    row_.add<name>(in_row);
    facts_.add<name>(in_facts);
  }
  template <JsonKey name>
  void add(WallTime in_row, WallTime in_facts) {
    add<name>(text(in_row), text(in_facts));
  }
  [[nodiscard]] std::optional<ReplayDifference> close() {
    row_.close();
    facts_.close();
    if (!differs_) return std::nullopt;
    return ReplayDifference{0, row_text_, facts_text_};
  }

 private:
  static std::string text(WallTime time) {
    std::string out;
    append_time(out, time);
    return out;
  }
  bool differs_ = false;
  std::string row_text_, facts_text_;
  JsonObject row_{row_text_}, facts_{facts_text_};
};

std::optional<ReplayDifference> compare_start(const GameRow& row, const GameStarted& started) {
  RowComparison fields;
  fields.add<"game">(row.game, started.game);
  fields.add<"attempt">(row.attempt, started.attempt);
  fields.add<"round">(row.round, started.round);
  fields.add<"pair">(row.pair, started.pair);
  fields.add<"white">(row.white, started.white);
  fields.add<"black">(row.black, started.black);
  fields.add<"opening">(row.opening, started.opening);
  fields.add<"started">(row.started, started.at);
  return fields.close();
}

/// A game ends with its last event, or with the latest one where an arbiter's order bears no time of play.
std::optional<ReplayDifference> compare_duration(const RecordedGame& recorded) {
  game::Duration last{};
  game::Duration latest{};
  for (const EventJudged& judged : recorded.events) {
    last = judged.event.at;
    latest = std::max(latest, last);
  }
  if (recorded.row.duration == last) return std::nullopt;
  RowComparison fields;
  fields.add<"duration_ms">(recorded.row.duration, latest);
  return fields.close();
}

// An outcome, with the half-moves that belong to the game.
std::string json(const std::optional<game::Outcome>& outcome, std::size_t plies) {
  game::Rulings ending;
  if (outcome) ending.push_back({game::GameOver{*outcome}, {}, {}});
  return "{\"plies\":" + std::to_string(plies) + ",\"rulings\":" + json(ending) + "}";
}

}  // namespace

std::optional<ReplayDifference> replay(const RecordedGame& recorded, const std::shared_ptr<const laws::Edition>& edition,
                                       const ReplayWitness& witness, EndOfGame end) {
  if (auto difference = compare_start(recorded.row, recorded.started)) return difference;
  game::Game game(recorded.started.setup, edition);
  int number = 0;
  for (const EventJudged& judged : recorded.events) {
    ++number;
    const game::Rulings ruled = game.apply(judged.event);
    if (witness) witness(number, judged, ruled, game);
    const std::string then = json(judged.rulings);
    const std::string now = json(ruled);
    if (then != now) return ReplayDifference{number, then, now};
  }
  // Still running, or stopped: its events are all there is to compare.
  if (!recorded.row.outcome && (!game.outcome() || end == EndOfGame::may_be_due)) return std::nullopt;
  const std::string then = json(recorded.row.outcome, static_cast<std::size_t>(recorded.row.plies));
  const std::string now = json(game.outcome(), game.plies());
  if (then != now) return ReplayDifference{0, then, now};
  return compare_duration(recorded);
}

}  // namespace referee::record
