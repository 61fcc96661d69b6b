#include "referee/match/schedule.hpp"

#include <algorithm>
#include <map>

namespace referee::match {

namespace {

using config::ScheduleKind;
using Table = std::vector<std::vector<std::pair<std::size_t, std::size_t>>>;

constexpr std::size_t most_games = 10'000'000;

[[noreturn]] void refuse(const config::MatchFile& file, std::string message, std::string expected) {
  throw config::ConfigException(config::ConfigError{.file = file.path,
                                                    .line = file.schedule.place.line,
                                                    .column = file.schedule.place.column,
                                                    .message = std::move(message),
                                                    .expected = std::move(expected)});
}

/// Seeds and others met in rotation, so that nobody plays twice in a round.
Table gauntlet_table(const config::MatchFile& file) {
  std::vector<std::size_t> seeds;
  for (const std::string& seed : file.schedule.seeds) {
    const auto found = std::ranges::find(file.engines, seed, &config::EngineEntry::name);
    if (found == file.engines.end()) refuse(file, "the seed '" + seed + "' is no engine of this match", "names under engines:");
    const auto index = static_cast<std::size_t>(found - file.engines.begin());
    if (std::ranges::find(seeds, index) != seeds.end()) refuse(file, "the seed '" + seed + "' is named twice", "each seed once");
    seeds.push_back(index);
  }
  if (seeds.empty()) seeds.push_back(0);
  std::vector<std::size_t> others;
  for (std::size_t index = 0; index < file.engines.size(); ++index) {
    if (std::ranges::find(seeds, index) == seeds.end()) others.push_back(index);
  }
  if (others.empty()) refuse(file, "every engine is a seed, so nobody is left to meet", "at least one engine that is no seed");

  const std::size_t rounds = std::max(seeds.size(), others.size());
  Table table(rounds);
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t step = 0; step < std::min(seeds.size(), others.size()); ++step) {
      const std::size_t met = (round + step) % rounds;
      const std::size_t seed = seeds.size() <= others.size() ? step : met;
      const std::size_t other = seeds.size() <= others.size() ? met : step;
      const bool seed_is_white = (seed + other) % 2 == 0;
      table[round].push_back(seed_is_white ? std::pair{seeds[seed], others[other]} : std::pair{others[other], seeds[seed]});
    }
  }
  return table;
}

}  // namespace

Table berger_table(std::size_t players) {
  const std::size_t even = players + players % 2;
  const std::size_t wheel = even - 1;  // players 1 .. wheel turn, the last one stays
  Table table(wheel);
  for (std::size_t round = 1; round <= wheel; ++round) {
    auto& games = table[round - 1];
    const bool last_is_black = round % 2 == 1;
    const std::size_t pivot = last_is_black ? (round + 1) / 2 : (even + round) / 2;
    if (even == players) games.push_back(last_is_black ? std::pair{pivot - 1, even - 1} : std::pair{even - 1, pivot - 1});
    for (std::size_t step = 1; step < even / 2; ++step) {
      const std::size_t one = (pivot - 1 + step) % wheel + 1;
      const std::size_t two = (pivot - 1 + wheel - step) % wheel + 1;
      const std::size_t low = std::min(one, two) - 1;
      const std::size_t high = std::max(one, two) - 1;
      games.push_back((low + high) % 2 == 1 ? std::pair{low, high} : std::pair{high, low});
    }
  }
  return table;
}

std::vector<Pairing> make_pairings(const config::MatchFile& file) {
  const config::Schedule& schedule = file.schedule;
  const std::size_t engines = file.engines.size();
  switch (schedule.kind) {
    case ScheduleKind::swiss:
      refuse(file, "Swiss schedules are not played yet", "round-robin, match or gauntlet");
    case ScheduleKind::knockout:
      refuse(file, "knockout schedules are not played yet", "round-robin, match or gauntlet");
    case ScheduleKind::pyramid:
      refuse(file, "pyramid schedules are not played yet", "round-robin, match or gauntlet");
    case ScheduleKind::match:
      if (engines != 2)
        refuse(file, "a match is played by two engines, here are " + std::to_string(engines), "two engines, or kind: round-robin");
      break;
    case ScheduleKind::round_robin:
    case ScheduleKind::gauntlet:
      break;
  }
  if (engines < 2) refuse(file, "one engine alone has nobody to play", "at least two engines");
  if (schedule.games && engines != 2)
    refuse(file, "'games' counts the games of two engines, here are " + std::to_string(engines), "cycles and games_per_pairing");
  if (schedule.games_per_pairing < 1 || schedule.cycles < 1 || schedule.games.value_or(1) < 1)
    refuse(file, "no game would be played", "counts of at least 1");

  const Table table = schedule.kind == ScheduleKind::gauntlet ? gauntlet_table(file) : berger_table(engines);
  std::size_t per_cycle = 0;
  for (const auto& round : table) per_cycle += round.size();
  const auto per_pairing = static_cast<std::size_t>(schedule.games_per_pairing);
  const auto cycles = static_cast<std::size_t>(schedule.cycles);
  const std::size_t total = schedule.games ? static_cast<std::size_t>(*schedule.games) : per_cycle * per_pairing * cycles;
  const bool too_many =
      schedule.games ? total > most_games : per_pairing > most_games / per_cycle || cycles > most_games / (per_cycle * per_pairing);
  if (too_many) refuse(file, "the schedule has too many games", "at most " + std::to_string(most_games));

  std::vector<Pairing> pairings;
  pairings.reserve(total);
  for (int round_number = 1, cycle = 0; pairings.size() < total; ++cycle) {
    for (const auto& round : table) {
      for (const auto& [first, second] : round) {
        const bool by_file = schedule.games_per_pairing % 2 == 0;
        const std::size_t opens_white = by_file ? std::min(first, second) : first;
        const std::size_t opens_black = by_file ? std::max(first, second) : second;
        for (int game = 0; game < schedule.games_per_pairing && pairings.size() < total; ++game) {
          const int encounter = cycle * schedule.games_per_pairing + game;
          const bool swapped = encounter % 2 == 1;
          pairings.push_back({.round = round_number,
                              .white = swapped ? opens_black : opens_white,
                              .black = swapped ? opens_white : opens_black,
                              .encounter = encounter});
        }
      }
      ++round_number;
    }
  }
  return pairings;
}

}  // namespace referee::match
