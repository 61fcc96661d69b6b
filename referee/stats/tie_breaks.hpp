// Final orders of tournaments: points and tie-breaks as FIDE defines them (Handbook C.07). Points are in hundredths throughout, so that
// scores an arbiter changed and halves compare exactly.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "referee/stats/meetings.hpp"

namespace referee::stats {

struct TournamentGame {
  int round = 1;
  PlayerId white = 0, black = 0;
  int white_points = 0, black_points = 0;
};
/// A round a player did not play and what it brought him (pairing-allocated bye: 100, where encounters have two games 200).
struct Bye {
  int round = 1;
  PlayerId player = 0;
  int points = 100;
  int games = 1;  // that could have been played
  enum class Why { bye, walkover /* the opponent did not play */ };
  Why why = Why::bye;
};
struct Tournament {
  std::size_t players = 0;
  std::vector<TournamentGame> games;
  std::vector<Bye> byes;
};

/// Of one player. Opponents count with what they scored in the whole tournament. A bye counts as a game against a dummy opponent with as
/// many points as the player himself (C.07, unplayed rounds); it is no game played and no win.
struct TieBreaks {
  int points = 0;
  int unplayed = 0;  // games of byes
  int games = 0, wins = 0, draws = 0, losses = 0;
  int black_games = 0, black_wins = 0;
  std::int64_t sonneborn_berger = 0;  // sum of opponents' points times what was scored against them; in ten-thousandths
  int buchholz = 0;                   // sum of the opponents' points, each once a round
  int buchholz_cut_1 = 0;             // without the lowest of them
  int koya = 0;                       // points against opponents with at least half of what they could have
  /// Share of the points that were to be had, 0..1.
  [[nodiscard]] double share() const noexcept;
};
[[nodiscard]] std::vector<TieBreaks> tie_breaks(const Tournament& tournament);

enum class TieBreak { direct_encounter, wins, black_wins, sonneborn_berger, buchholz, buchholz_cut_1, koya };
[[nodiscard]] std::optional<TieBreak> parse_tie_break(std::string_view text) noexcept;
[[nodiscard]] std::string_view name(TieBreak tie_break) noexcept;  // "direct-encounter" "wins" ...

/// What is compared before any tie-break.
enum class FirstBy {
  points,
  share,   // of the points to be had: where players have played different numbers of games
  rounds,  // of a knockout: the last round that a player came to, in the final the points there. Nothing else tells players apart.
};

struct Placing {
  PlayerId player = 0;
  int rank = 1;  // from 1; shared by those whom nothing tells apart
};
/// Best first; among equals the lower id.
[[nodiscard]] std::vector<Placing> final_order(const Tournament& tournament, const std::vector<TieBreak>& order,
                                               FirstBy first = FirstBy::points);

}  // namespace referee::stats
