#include "referee/match/rounds.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "referee/match/knockout.hpp"
#include "referee/match/random.hpp"
#include "referee/match/rating_list.hpp"
#include "referee/match/swiss.hpp"

namespace referee::match {

namespace {

using chess::Color;

/// One encounter of a Swiss round, however many games it has.
struct Encounter {
  std::size_t white = 0, black = 0;  // of its first game
  std::vector<std::size_t> games;    // indices into the games so far
};

class SwissHistory {
 public:
  explicit SwissHistory(const ScheduleSoFar& so_far) : so_far_(so_far), number_(so_far.ranking.size()), players_(so_far.ranking.size()) {
    for (std::size_t place = 0; place < so_far.ranking.size(); ++place) number_[so_far.ranking[place]] = place;
    const auto& games = so_far.games;
    for (std::size_t from = 0; from < games.size();) {
      std::size_t end = from;
      while (end < games.size() && games[end].pairing.round == games[from].pairing.round) ++end;
      play_round(from, end);
      from = end;
    }
  }

  [[nodiscard]] int rounds() const noexcept { return rounds_; }
  [[nodiscard]] std::vector<SwissPlayer> players() const { return players_; }
  [[nodiscard]] const std::vector<Gift>& gifts() const noexcept { return gifts_; }

 private:
  [[nodiscard]] int win() const noexcept { return 100 * so_far_.file.schedule.games_per_pairing; }

  void play_round(std::size_t from, std::size_t end) {
    ++rounds_;
    std::map<std::pair<std::size_t, std::size_t>, Encounter> encounters;
    for (std::size_t i = from; i < end; ++i) {
      const Pairing& pairing = so_far_.games[i].pairing;
      Encounter& encounter = encounters[std::minmax(number_[pairing.white], number_[pairing.black])];
      if (encounter.games.empty()) {
        encounter.white = number_[pairing.white];
        encounter.black = number_[pairing.black];
      }
      encounter.games.push_back(i);
    }
    const std::vector<SwissPlayer> before = players_;
    std::vector<Float> floats(players_.size(), Float::down);  // A.4: who does not play has a downfloat
    for (const auto& [key, encounter] : encounters) play(encounter, before, floats, static_cast<int>(end));
    for (std::size_t p = 0; p < players_.size(); ++p) {
      SwissPlayer& player = players_[p];
      player.floats = {floats[p], player.floats[0]};
      const bool drawn_up =
          std::ranges::any_of(encounters, [p](const auto& entry) { return entry.second.white == p || entry.second.black == p; });
      if (drawn_up || !so_far_.presence[so_far_.ranking[p]].at(static_cast<int>(from))) continue;
      player.points += win();  // the bye
      player.may_have_bye = false;
      give(p, so_far_.file.schedule.games_per_pairing, Gift::Why::bye);
    }
  }

  void play(const Encounter& encounter, const std::vector<SwissPlayer>& before, std::vector<Float>& floats, int planned) {
    SwissPlayer& white = players_[encounter.white];
    SwissPlayer& black = players_[encounter.black];
    std::vector<Color> colours;  // of the first one
    for (const std::size_t index : encounter.games) {
      const ScheduledGame& game = so_far_.games[index];
      const bool straight = number_[game.pairing.white] == encounter.white;
      if (game.fate == ScheduledGame::Fate::scored) {
        colours.push_back(straight ? Color::white : Color::black);
        white.points += straight ? game.score.white : game.score.black;
        black.points += straight ? game.score.black : game.score.white;
        continue;
      }
      // Not played: the points go to who is still there.
      const auto gone = [&](std::size_t p) { return so_far_.presence[so_far_.ranking[p]].until <= planned; };
      if (gone(encounter.black) && !gone(encounter.white)) {
        white.points += 100;
        give(encounter.white, 1, Gift::Why::walkover);
      }
      if (gone(encounter.white) && !gone(encounter.black)) {
        black.points += 100;
        give(encounter.black, 1, Gift::Why::walkover);
      }
    }
    if (colours.empty()) {  // C1, A.6: an unplayed encounter is no meeting and gives no colour; a win without play ends the right to a bye
      for (const std::size_t p : {encounter.white, encounter.black}) {
        if (players_[p].points > before[p].points) players_[p].may_have_bye = false;
      }
      return;
    }
    white.opponents.push_back(encounter.black);
    black.opponents.push_back(encounter.white);
    // Pairings of an even number of games have both colours and leave no preference.
    if (so_far_.file.schedule.games_per_pairing % 2 == 1) {
      white.colours.push_back(Color::white);
      black.colours.push_back(Color::black);
    }
    const int difference = before[encounter.white].points - before[encounter.black].points;
    floats[encounter.white] = difference > 0 ? Float::down : difference < 0 ? Float::up : Float::none;
    floats[encounter.black] = difference > 0 ? Float::up : difference < 0 ? Float::down : Float::none;
  }

  /// One gift a round, player and reason.
  void give(std::size_t player, int games, Gift::Why why) {
    const Gift gift{.round = rounds_, .engine = so_far_.ranking[player], .games = games, .why = why};
    const auto same = std::ranges::find_if(
        gifts_, [&gift](const Gift& g) { return g.round == gift.round && g.engine == gift.engine && g.why == gift.why; });
    if (same != gifts_.end())
      same->games += games;
    else
      gifts_.push_back(gift);
  }

  const ScheduleSoFar& so_far_;
  std::vector<Gift> gifts_;
  std::vector<std::size_t> number_;  // pairing number, from 0, by engine
  std::vector<SwissPlayer> players_;
  int rounds_ = 0;
};

NextRound next_swiss_round(const ScheduleSoFar& so_far) {
  const config::Schedule& schedule = so_far.file.schedule;
  const SwissHistory history(so_far);
  NextRound next;
  next.gifts = history.gifts();
  if (history.rounds() >= so_far.last_round) return next;
  std::vector<SwissPlayer> players = history.players();
  std::size_t present = 0;
  for (std::size_t p = 0; p < players.size(); ++p) {
    players[p].present = so_far.presence[so_far.ranking[p]].at(static_cast<int>(so_far.games.size()));
    if (players[p].present) ++present;
  }
  const int round = history.rounds() + 1;
  SwissRules rules;
  rules.win = 100 * schedule.games_per_pairing;
  rules.last_round = round == so_far.last_round;
  rules.most_points = rules.win * history.rounds();
  rules.first_colour = Random(schedule.seed).below(2) == 0 ? Color::white : Color::black;
  const SwissRound pairing =
      present < 2 ? SwissRound{.pairs = {}, .bye = std::nullopt, .possible = false} : pair_swiss_round(players, rules);
  if (!pairing.possible) {
    next.note = "the Swiss tournament ends after round " + std::to_string(round - 1) + " of " + std::to_string(so_far.last_round) +
                (present < 2 ? ": nobody is left to play" : ": no pairing is left in which nobody meets anybody twice (C1 to C3)");
    return next;
  }
  if (pairing.bye) {
    next.bye = so_far.ranking[*pairing.bye];
    next.gifts.push_back({.round = round, .engine = *next.bye, .games = schedule.games_per_pairing, .why = Gift::Why::bye});
  }
  for (const auto& [white, black] : pairing.pairs) {
    for (int game = 0; game < schedule.games_per_pairing; ++game) {
      const bool swapped = game % 2 == 1;
      next.games.push_back({.round = round,
                            .white = so_far.ranking[swapped ? black : white],
                            .black = so_far.ranking[swapped ? white : black],
                            .encounter = game});
    }
  }
  return next;
}

}  // namespace

int swiss_rounds(const config::MatchFile& file) {
  if (file.schedule.rounds) return *file.schedule.rounds;
  int rounds = 1;
  for (std::size_t field = 2; field < file.engines.size(); field *= 2) ++rounds;
  return std::min(rounds, static_cast<int>(file.engines.size() - 1 + file.engines.size() % 2));
}

std::vector<std::size_t> seeding(const config::MatchFile& file) {
  std::vector<std::size_t> ranking(file.engines.size());
  std::iota(ranking.begin(), ranking.end(), std::size_t{0});
  const auto ratings = ratings_of(file);
  std::ranges::stable_sort(ranking, [&ratings](std::size_t a, std::size_t b) {
    if (ratings[a].has_value() != ratings[b].has_value()) return ratings[a].has_value();
    return ratings[a] && *ratings[a] > *ratings[b];
  });
  return ranking;
}

NextRound next_round(const ScheduleSoFar& so_far) {
  return so_far.file.schedule.kind == config::ScheduleKind::knockout ? next_knockout_round(so_far) : next_swiss_round(so_far);
}

}  // namespace referee::match
