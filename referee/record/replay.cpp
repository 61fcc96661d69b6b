#include "referee/record/replay.hpp"

namespace referee::record {

namespace {

std::string json(const game::Rulings& rulings) {
  std::string text;
  append_rulings(text, rulings);
  return text;
}

// An outcome, with the half-moves that belong to the game.
std::string json(const std::optional<game::Outcome>& outcome, std::size_t plies) {
  game::Rulings ending;
  if (outcome) ending.push_back({game::GameOver{*outcome}, {}, {}});
  return "{\"plies\":" + std::to_string(plies) + ",\"rulings\":" + json(ending) + "}";
}

}  // namespace

std::optional<ReplayDifference> replay(const RecordedGame& recorded, const std::shared_ptr<const laws::Edition>& edition,
                                       const ReplayWitness& witness) {
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
  if (!recorded.row.outcome) return std::nullopt;  // still running, or stopped: its events are all there is to compare
  const std::string then = json(recorded.row.outcome, static_cast<std::size_t>(recorded.row.plies));
  const std::string now = json(game.outcome(), game.plies());
  if (then != now) return ReplayDifference{0, then, now};
  return std::nullopt;
}

}  // namespace referee::record
