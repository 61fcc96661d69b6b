// Is what engines say about their searches true? Each move's thinking lines against the board: principal variations legal and not past the
// end of the game, their first move the one that was played, announced mates of the announced length that mate, claims of mate that agree
// with each other, scores there at all. Findings are warnings; they never change a game.
//
// One object a game, fed with every move in order, off the answer path.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine_iface/protocol.hpp"
#include "referee/game/game.hpp"
#include "referee/laws/repetition.hpp"
#include "referee/record/fact.hpp"

namespace referee::match {

/// What one side said while it thought about one move.
struct SearchOutput {
  int ply = 0;  // of the move in the game, from 1, opening included
  chess::Move played;
  std::string played_uci;
  bool was_played = false;                // false: the answer was no legal move, or there was none
  std::vector<engine::SearchInfo> lines;  // in order
};

class SearchChecks {
 public:
  /// `names`, `protocols`: by colour.
  SearchChecks(int game, const game::GameSetup& setup, std::shared_ptr<const laws::Edition> edition, std::array<std::string, 2> names,
               std::array<engine::ProtocolKind, 2> protocols);

  /// Needs: outputs in the order of the moves, none left out. At most one finding of a kind a move, and `most_of_a_kind` a side and game.
  [[nodiscard]] std::vector<record::EngineWarning> move(const SearchOutput& output);
  /// At the end of the game: a side that reported no score at all, findings that were not told one by one.
  [[nodiscard]] std::vector<record::EngineWarning> finish();

  static constexpr int most_of_a_kind = 5;

 private:
  struct Claim {
    int ply = 0;
    int mate = 0;
    bool first_move_played = false;  // of the line it stood on
  };
  struct Side {
    std::string name;
    engine::ProtocolKind protocol = engine::ProtocolKind::uci;
    std::optional<Claim> claim;  // its last announced mate
    bool followed_line = false;  // this move is the first of its last line
    int moves = 0, scored = 0;
    std::map<std::string, int, std::less<>> found;
  };
  enum class LineEnd { open, illegal, past_the_end, mate, other_end, unreadable };
  struct Line {
    LineEnd end = LineEnd::open;
    int plies = 0;
    bool mates = false;  // at the end of `plies`, whatever is said behind it
    std::optional<chess::Move> first;
    std::string offender;
  };

  [[nodiscard]] Line follow(const engine::SearchInfo& info, engine::ProtocolKind protocol) const;
  void check_line(Side& side, const SearchOutput& output, const engine::SearchInfo& info, const Line& line);
  /// `followed`: what follow() found, if it was asked.
  void check_last_line(Side& side, const SearchOutput& output, const engine::SearchInfo& info, std::optional<Line> followed);
  void check_claims(Side& side, const Side& opponent, const SearchOutput& output, const engine::SearchInfo& info);
  void find(Side& side, int ply, std::string_view kind, std::string text, const std::string& line);

  int game_;
  std::shared_ptr<const laws::Edition> edition_;
  chess::CastlingText castling_;
  chess::Position position_;
  laws::RepetitionHistory history_;
  std::array<Side, 2> sides_;
  std::vector<record::EngineWarning> found_now_;
};

}  // namespace referee::match
