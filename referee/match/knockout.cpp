#include "referee/match/knockout.hpp"

#include <algorithm>
#include <optional>

#include "referee/match/random.hpp"

namespace referee::match {

namespace {

constexpr std::uint64_t lots_of_a_round = 100'000;  // more encounters than any round has

struct Encounter {
  std::size_t first = 0, second = 0;  // seeds: places in the ranking
  int first_points = 0, second_points = 0;
  std::optional<std::size_t> winner;
  Duel::By by = Duel::By::points;
};

class Knockout {
 public:
  explicit Knockout(const ScheduleSoFar& so_far) : so_far_(so_far), ranking_(so_far.ranking) {
    if (so_far.file.schedule.draw == config::KnockoutDraw::drawn) Random(so_far.file.schedule.seed).shuffle(ranking_);
  }

  NextRound next() {
    NextRound next;
    std::size_t places = 1;
    while (places < ranking_.size()) places *= 2;
    std::vector<std::optional<std::size_t>> field;
    for (const std::size_t seed : bracket_places(places)) { field.push_back(seed < ranking_.size() ? std::optional(seed) : std::nullopt); }
    for (round_ = 1; field.size() > 1; ++round_) {
      std::vector<std::optional<std::size_t>> winners(field.size() / 2);
      std::vector<Encounter> encounters;
      std::vector<std::size_t> slots;
      for (std::size_t slot = 0; slot < winners.size(); ++slot) {
        const auto& first = field[2 * slot];
        const auto& second = field[2 * slot + 1];
        if (!first || !second) {
          winners[slot] = first ? first : second;
          continue;
        }
        Encounter encounter;
        encounter.first = std::min(*first, *second);
        encounter.second = std::max(*first, *second);
        encounters.push_back(encounter);
        slots.push_back(slot);
      }
      auto games = play(encounters);
      for (const Encounter& encounter : encounters) note(encounter);
      if (!games.empty()) {
        next.games = std::move(games);
        return next_with_duels(std::move(next));
      }
      for (std::size_t i = 0; i < encounters.size(); ++i) winners[slots[i]] = encounters[i].winner;
      field = std::move(winners);
    }
    if (field.front()) next.champion = ranking_[*field.front()];
    return next_with_duels(std::move(next));
  }

 private:
  void note(const Encounter& encounter) {
    duels_.push_back({.round = round_,
                      .first = ranking_[encounter.first],
                      .second = ranking_[encounter.second],
                      .first_points = encounter.first_points,
                      .second_points = encounter.second_points,
                      .winner = encounter.winner ? std::optional(ranking_[*encounter.winner]) : std::nullopt,
                      .by = encounter.by});
  }
  NextRound next_with_duels(NextRound next) {
    next.duels = std::move(duels_);
    return next;
  }

  /// Replays what was played of a round; the games that are due now, or none when every encounter has its winner.
  std::vector<Pairing> play(std::vector<Encounter>& encounters) {
    const config::Schedule& schedule = so_far_.file.schedule;
    int encounter_game = 0;  // number of the next game of two engines
    for (int step = 0;; ++step) {
      for (Encounter& encounter : encounters) walk_over(encounter);
      const bool is_first = step == 0;
      const bool is_last_resort = step > schedule.extra_pairs;
      if (is_last_resort && schedule.last_resort != config::LastResort::armageddon) decide_without_play(encounters);
      const int games = is_first ? schedule.games_per_pairing : is_last_resort ? 1 : 2;
      std::vector<Pairing> due;
      std::vector<std::size_t> owner;
      for (std::size_t i = 0; i < encounters.size(); ++i) {
        if (encounters[i].winner) continue;
        // White in the first game: the better seed; in the deciding game and in a lone first one, the lot.
        const bool by_lot = is_last_resort || (is_first && games % 2 == 1);
        const bool reversed = by_lot && lot(i, step) == 1;
        for (int game = 0; game < games; ++game) {
          const bool swapped = reversed != (game % 2 == 1);
          const auto& encounter = encounters[i];
          due.push_back({.round = round_,
                         .white = ranking_[swapped ? encounter.second : encounter.first],
                         .black = ranking_[swapped ? encounter.first : encounter.second],
                         .encounter = encounter_game + game,
                         .deciding = is_last_resort});
          owner.push_back(i);
        }
      }
      if (due.empty()) return {};
      if (used_ + due.size() > so_far_.games.size()) return due;
      for (std::size_t i = 0; i < due.size(); ++i) count(encounters[owner[i]], so_far_.games[used_ + i]);
      used_ += due.size();
      encounter_game += games + games % 2;
      for (Encounter& encounter : encounters) {
        walk_over(encounter);
        if (encounter.winner) continue;
        if (encounter.first_points != encounter.second_points) {
          encounter.winner = encounter.first_points > encounter.second_points ? encounter.first : encounter.second;
        } else if (is_last_resort) {
          encounter.winner = drawn_for_black(encounter, due, owner, encounters);
          encounter.by = Duel::By::draw_for_black;
        }
      }
    }
  }

  /// The deciding game was level: Black has won the encounter.
  [[nodiscard]] std::size_t drawn_for_black(const Encounter& encounter, const std::vector<Pairing>& due,
                                            const std::vector<std::size_t>& owner, const std::vector<Encounter>& encounters) const {
    const auto index = static_cast<std::size_t>(&encounter - encounters.data());
    const auto at = static_cast<std::size_t>(std::ranges::find(owner, index) - owner.begin());
    return due[at].black == ranking_[encounter.first] ? encounter.first : encounter.second;
  }

  [[nodiscard]] bool gone(std::size_t seed) const { return so_far_.presence[ranking_[seed]].until <= static_cast<int>(used_); }
  /// Who has been withdrawn loses without play; of two, the worse seed.
  void walk_over(Encounter& encounter) const {
    if (encounter.winner) return;
    if (gone(encounter.second))
      encounter.winner = encounter.first;
    else if (gone(encounter.first))
      encounter.winner = encounter.second;
    if (encounter.winner) encounter.by = Duel::By::withdrawal;
  }

  void count(Encounter& encounter, const ScheduledGame& game) const {
    const bool straight = game.pairing.white == ranking_[encounter.first];
    if (game.fate == ScheduledGame::Fate::scored) {
      encounter.first_points += straight ? game.score.white : game.score.black;
      encounter.second_points += straight ? game.score.black : game.score.white;
    }
  }

  void decide_without_play(std::vector<Encounter>& encounters) const {
    for (std::size_t i = 0; i < encounters.size(); ++i) {
      Encounter& encounter = encounters[i];
      if (encounter.winner) continue;
      const bool upset = so_far_.file.schedule.last_resort == config::LastResort::lot && lot(i, 0) == 1;
      encounter.winner = upset ? encounter.second : encounter.first;
      encounter.by = so_far_.file.schedule.last_resort == config::LastResort::lot ? Duel::By::lot : Duel::By::seed;
    }
  }

  [[nodiscard]] std::uint64_t lot(std::size_t encounter, int step) const {
    Random random(so_far_.file.schedule.seed ^
                  ((static_cast<std::uint64_t>(round_) << 32U) + static_cast<std::uint64_t>(step) * lots_of_a_round + encounter + 1));
    return random.below(2);
  }

  const ScheduleSoFar& so_far_;
  std::vector<std::size_t> ranking_;
  std::vector<Duel> duels_;
  std::size_t used_ = 0;  // of the games so far
  int round_ = 1;
};

}  // namespace

std::vector<std::size_t> bracket_places(std::size_t places) {
  std::vector<std::size_t> seeds{0};
  while (seeds.size() < places) {
    std::vector<std::size_t> wider;
    for (const std::size_t seed : seeds) {
      // Each place of the smaller bracket becomes an encounter whose seeds add up alike.
      wider.push_back(seed);
      wider.push_back(2 * seeds.size() - 1 - seed);
    }
    seeds = std::move(wider);
  }
  return seeds;
}

NextRound next_knockout_round(const ScheduleSoFar& so_far) { return Knockout(so_far).next(); }

}  // namespace referee::match
