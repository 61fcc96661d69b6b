// Who meets whom, in which round and with which colours: pure lists of numbers, before openings and names come in.
//
//   round robin   Berger tables (FIDE handbook C.05, annex 1); with an odd field each engine sits out once a cycle
//   match         two engines
//   gauntlet      the seeds meet everybody who is not a seed, or those nearest to them in a rating list
//   pyramid       every engine meets all that the file names before it, so a new version at the end plays all earlier ones
//
// Colours: with an even number of games a pairing, every pair of games starts with the engine that the file names first as White and
// swaps; with an odd number the table gives the first game's colours and they alternate from game to game and from cycle to cycle.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/match_file.hpp"
#include "referee/record/journal.hpp"

namespace referee::match {

/// One game: indices into MatchFile::engines.
struct Pairing {
  int round = 1;
  std::size_t white = 0;
  std::size_t black = 0;
  /// Number, from 0, of this game among all of the same two engines: 2j and 2j+1 share their opening, colours swapped.
  int encounter = 0;
  bool deciding = false;  // of a knockout: the one game in which a draw counts for Black
  friend bool operator==(const Pairing&, const Pairing&) = default;
};

/// More games than this no plan has.
inline constexpr std::size_t most_games = record::most_games;

/// Throws config::ConfigException (place: the schedule's): too few engines or too many, a count of games that does not fit.
void check_schedule(const config::MatchFile& file);

/// How many games the schedule comes to, without making anything of it: tie-breaks of a knockout besides, 0 for a sequential test without
/// `games`. More than most_games are told as one more than that. Needs: what check_schedule() allows.
[[nodiscard]] std::size_t count_games(const config::MatchFile& file);

/// The games of a schedule in plan order. Throws config::ConfigException (place: the schedule's) as check_schedule() does, and for unknown
/// seeds and rating lists. Needs: a kind that does not depend on results.
[[nodiscard]] std::vector<Pairing> make_pairings(const config::MatchFile& file);

/// What is to be told of a gauntlet's `nearest: N`: the opponents that are left out because the rating list cannot tell their rating, where
/// that leaves fewer than N; nullopt when there are none.
[[nodiscard]] std::optional<std::string> warning_of_unrated(const config::MatchFile& file);

/// Rounds of one cycle of a Berger table for `players` (>= 2): pairs of indices, the first has White in a single game. Odd: one is free.
[[nodiscard]] std::vector<std::vector<std::pair<std::size_t, std::size_t>>> berger_table(std::size_t players);

}  // namespace referee::match
