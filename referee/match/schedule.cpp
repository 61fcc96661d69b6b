#include "referee/match/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "referee/match/rating_list.hpp"
#include "referee/match/rounds.hpp"

namespace referee::match {

namespace {

using config::ScheduleKind;
using Table = std::vector<std::vector<std::pair<std::size_t, std::size_t>>>;

constexpr std::size_t most_swiss_engines = 300;  // the work of pairing a round grows with the cube of the field

[[noreturn]] void refuse(const config::MatchFile& file, std::string message, std::string expected) {
  throw config::ConfigException(config::ConfigError{.file = file.path,
                                                    .line = file.schedule.place.line,
                                                    .column = file.schedule.place.column,
                                                    .message = std::move(message),
                                                    .expected = std::move(expected)});
}

std::vector<std::size_t> gauntlet_seeds(const config::MatchFile& file) {
  std::vector<std::size_t> seeds;
  for (const std::string& seed : file.schedule.seeds) {
    const auto found = std::ranges::find(file.engines, seed, &config::EngineEntry::name);
    if (found == file.engines.end()) refuse(file, "the seed '" + seed + "' is no engine of this match", "names under engines:");
    const auto index = static_cast<std::size_t>(found - file.engines.begin());
    if (std::ranges::find(seeds, index) != seeds.end()) refuse(file, "the seed '" + seed + "' is named twice", "each seed once");
    seeds.push_back(index);
  }
  if (seeds.empty()) seeds.push_back(0);
  return seeds;
}

/// Seeds and others met in rotation, so that nobody plays twice in a round.
Table rotation(const std::vector<std::size_t>& seeds, const std::vector<std::size_t>& others) {
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

/// Each seed and the `count` others whose ratings are nearest to its own; equally near ones in the order of the file. One seed after the
/// other, a round an encounter.
Table nearest_table(const config::MatchFile& file, const std::vector<std::size_t>& seeds, const std::vector<std::size_t>& others) {
  const std::vector<std::optional<double>> ratings = ratings_of(file);
  const auto count = static_cast<std::size_t>(*file.schedule.nearest);
  Table table;
  for (std::size_t place = 0; place < seeds.size(); ++place) {
    const std::size_t seed = seeds[place];
    if (!ratings[seed]) {
      refuse(file, "the seed '" + file.engines[seed].name + "' has no rating in " + file.schedule.ratings, "its rating, or no 'nearest'");
    }
    std::vector<std::size_t> rated;
    std::ranges::copy_if(others, std::back_inserter(rated), [&ratings](std::size_t other) { return ratings[other].has_value(); });
    std::ranges::stable_sort(rated, {}, [&](std::size_t other) { return std::abs(*ratings[other] - *ratings[seed]); });
    if (rated.size() > count) rated.resize(count);
    if (rated.empty()) refuse(file, "no opponent has a rating in " + file.schedule.ratings, "ratings of the engines of this match");
    for (std::size_t i = 0; i < rated.size(); ++i) {
      if (table.size() <= i) table.emplace_back();
      const bool seed_is_white = (place + i) % 2 == 0;
      table[i].push_back(seed_is_white ? std::pair{seed, rated[i]} : std::pair{rated[i], seed});
    }
  }
  return table;
}

Table gauntlet_table(const config::MatchFile& file) {
  const std::vector<std::size_t> seeds = gauntlet_seeds(file);
  std::vector<std::size_t> others;
  for (std::size_t index = 0; index < file.engines.size(); ++index) {
    if (std::ranges::find(seeds, index) == seeds.end()) others.push_back(index);
  }
  if (others.empty()) refuse(file, "every engine is a seed, so nobody is left to meet", "at least one engine that is no seed");
  return file.schedule.nearest ? nearest_table(file, seeds, others) : rotation(seeds, others);
}

/// Round r: the engine r+1 in the file meets those before it, the last of them first.
Table pyramid_table(std::size_t engines) {
  Table table;
  for (std::size_t newcomer = 1; newcomer < engines; ++newcomer) {
    table.emplace_back();
    for (std::size_t step = 1; step <= newcomer; ++step) {
      const std::size_t earlier = newcomer - step;
      table.back().push_back(step % 2 == 1 ? std::pair{newcomer, earlier} : std::pair{earlier, newcomer});
    }
  }
  return table;
}

Table table_of(const config::MatchFile& file) {
  switch (file.schedule.kind) {
    case ScheduleKind::gauntlet:
      return gauntlet_table(file);
    case ScheduleKind::pyramid:
      return pyramid_table(file.engines.size());
    default:
      return berger_table(file.engines.size());
  }
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

void check_schedule(const config::MatchFile& file) {
  const config::Schedule& schedule = file.schedule;
  const std::size_t engines = file.engines.size();
  if (schedule.kind == ScheduleKind::match && engines != 2)
    refuse(file, "a match is played by two engines, here are " + std::to_string(engines), "two engines, or kind: round-robin");
  if (engines < 2) refuse(file, "one engine alone has nobody to play", "at least two engines");
  if (file.sprt && engines != 2) refuse(file, "a sequential test is of two engines, here are " + std::to_string(engines), "two engines");
  const bool by_results = schedule.kind == ScheduleKind::swiss || schedule.kind == ScheduleKind::knockout;
  if (file.sprt && by_results) refuse(file, "a sequential test has no rounds", "kind: match");
  if (schedule.games && by_results) refuse(file, "'games' counts the games of a match", "games_per_pairing");
  if (schedule.games && engines != 2)
    refuse(file, "'games' counts the games of two engines, here are " + std::to_string(engines), "cycles and games_per_pairing");
  if (schedule.games_per_pairing < 1 || schedule.cycles < 1 || schedule.games.value_or(1) < 1)
    refuse(file, "no game would be played", "counts of at least 1");
  if (by_results && schedule.cycles != 1) refuse(file, "'cycles' belong to schedules that everybody plays through", "no 'cycles'");
  if (schedule.kind != ScheduleKind::swiss) return;
  if (engines > most_swiss_engines)
    refuse(file, "a Swiss tournament of " + std::to_string(engines) + " engines", "at most " + std::to_string(most_swiss_engines));
  const auto most_rounds = engines - 1 + engines % 2;
  if (schedule.rounds && static_cast<std::size_t>(*schedule.rounds) > most_rounds)
    refuse(file, std::to_string(*schedule.rounds) + " rounds: nobody meets anybody twice in a Swiss tournament",
           "at most " + std::to_string(most_rounds) + " rounds, or kind: round-robin");
}

std::size_t count_games(const config::MatchFile& file) {
  const config::Schedule& schedule = file.schedule;
  if (schedule.games) return static_cast<std::size_t>(*schedule.games);
  if (file.sprt) return 0;
  const std::size_t engines = file.engines.size();
  const auto times = [](std::size_t count, std::size_t factor) {
    return factor > 0 && count > most_games / factor ? most_games + 1 : count * factor;
  };
  std::size_t pairings = engines * (engines - 1) / 2;
  if (schedule.kind == ScheduleKind::knockout) pairings = engines - 1;
  if (schedule.kind == ScheduleKind::swiss) pairings = engines / 2 * static_cast<std::size_t>(swiss_rounds(file));
  if (schedule.kind == ScheduleKind::gauntlet) {
    const std::size_t seeds = std::min(std::max<std::size_t>(1, schedule.seeds.size()), engines);
    pairings = seeds * std::min(engines - seeds, static_cast<std::size_t>(schedule.nearest.value_or(most_games)));
  }
  return times(times(pairings, static_cast<std::size_t>(schedule.games_per_pairing)), static_cast<std::size_t>(schedule.cycles));
}

std::vector<Pairing> make_pairings(const config::MatchFile& file) {
  check_schedule(file);
  const config::Schedule& schedule = file.schedule;
  const Table table = table_of(file);
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

std::optional<std::string> warning_of_unrated(const config::MatchFile& file) {
  if (file.schedule.kind != ScheduleKind::gauntlet || !file.schedule.nearest) return std::nullopt;
  const std::vector<std::size_t> seeds = gauntlet_seeds(file);
  const std::vector<std::optional<double>> ratings = ratings_of(file);
  std::string unrated;
  std::size_t rated = 0;
  for (std::size_t index = 0; index < ratings.size(); ++index) {
    if (std::ranges::find(seeds, index) != seeds.end()) continue;
    if (ratings[index])
      ++rated;
    else
      unrated += (unrated.empty() ? "" : ", ") + file.engines[index].name;
  }
  if (unrated.empty() || rated >= static_cast<std::size_t>(*file.schedule.nearest)) return std::nullopt;
  return "nearest: " + std::to_string(*file.schedule.nearest) + " finds " + std::to_string(rated) +
         (rated == 1 ? " opponent" : " opponents") + " with a rating in " + file.schedule.ratings +
         "; without one, and so left out: " + unrated;
}

}  // namespace referee::match
