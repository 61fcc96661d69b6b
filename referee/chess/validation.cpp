#include "referee/chess/validation.hpp"

#include <algorithm>

#include "referee/chess/bitboard.hpp"

namespace referee::chess {

namespace {

[[nodiscard]] int count_of(Bitboard men) { return static_cast<int>(count(men)); }

[[nodiscard]] std::string with_name(Color color, std::string_view text) { return std::string(name(color)) + std::string(text); }

/// "d3 and h3". Needs: two squares.
[[nodiscard]] std::string named(Bitboard two) { return to_string(lowest(two)) + " and " + to_string(highest(two)); }

/// The position before a move, as far as attacks on the king matter.
struct Before {
  const Position& now;
  Square king;  // of the side that was not to move then: it must not have stood in check
  Color mover;
  /// `to` came from `from`, where it was a `role`; `occupied` is what stood on the board before.
  [[nodiscard]] bool quiet(Bitboard occupied, Square from, Square to, Role role) const {
    const Bitboard others = now.attackers(king, mover, occupied) & ~bit(to);
    const Bitboard attack = role == Role::pawn ? pawn_attacks(mover, from) : piece_attacks(role, from, occupied);
    return others == 0 && (attack & bit(king)) == 0;
  }
};

[[nodiscard]] bool pawn_may_have_come(const Before& before, Square to, bool promoted) {
  const Bitboard occupied = before.now.occupied();
  const int back = before.mover == Color::white ? -8 : 8;
  const int rank = before.mover == Color::white ? rank_of(to) : 7 - rank_of(to);  // seen from the mover
  if (promoted ? rank != 7 : rank < 2) return false;
  const auto behind = static_cast<Square>(index(to) + back);
  if ((occupied & bit(behind)) == 0) {
    if (before.quiet((occupied ^ bit(to)) | bit(behind), behind, to, Role::pawn)) return true;
    const auto home = static_cast<Square>(index(to) + (rank == 3 ? 2 * back : 0));
    if (rank == 3 && (occupied & bit(home)) == 0 && before.quiet((occupied ^ bit(to)) | bit(home), home, to, Role::pawn)) return true;
  }
  for (Bitboard origins = pawn_attacks(opposite(before.mover), to) & ~occupied; origins != 0;) {
    const Square from = take_lowest(origins);
    if (before.quiet(occupied | bit(from), from, to, Role::pawn)) return true;
    // En passant: the captured pawn stood behind the arrival square and had come over it.
    const auto over = static_cast<Square>(index(to) - back);
    if (!promoted && rank == 5 && ((occupied & (bit(behind) | bit(over))) == 0) &&
        before.quiet((occupied ^ bit(to)) | bit(from) | bit(behind), from, to, Role::pawn)) {
      return true;
    }
  }
  return false;
}

/// Is there a last move after which all these checks stand and before which there was none?
[[nodiscard]] bool one_move_can_give(const Position& draft) {
  const Color mover = opposite(draft.side_to_move());
  const Before before{draft, draft.king(draft.side_to_move()), mover};
  const Bitboard occupied = draft.occupied();
  // Castling never gives two checks: what it vacates lies on the home rank between king and rook.
  for (Bitboard men = draft.pieces(mover); men != 0;) {
    const Square to = take_lowest(men);
    const Role role = draft.role_at(to);
    if (role == Role::pawn) {
      if (pawn_may_have_come(before, to, false)) return true;
      continue;
    }
    if (role != Role::king && pawn_may_have_come(before, to, true)) return true;
    for (Bitboard origins = piece_attacks(role, to, occupied) & ~occupied; origins != 0;) {
      const Square from = take_lowest(origins);
      const Bitboard captured = occupied | bit(from);  // something stood on the arrival square
      if (before.quiet(captured, from, to, role) || before.quiet(captured ^ bit(to), from, to, role)) return true;
    }
  }
  return false;
}

}  // namespace

std::optional<std::string> placement_fault(const Position& draft) {
  for (const Color color : {Color::white, Color::black}) {
    const int kings = count_of(draft.pieces(color, Role::king));
    if (kings != 1) return with_name(color, " has " + std::to_string(kings) + " kings, expected 1");
  }
  for (const int rank : {0, 7}) {
    if ((draft.pieces(Role::pawn) & rank_mask(rank)) != 0) return "pawn on rank " + std::to_string(rank + 1) + ", expected on ranks 2 to 7";
  }
  for (const Color color : {Color::white, Color::black}) {
    const int men = count_of(draft.pieces(color));
    if (men > 16) return with_name(color, " has " + std::to_string(men) + " men, expected at most 16");
    const int pawns = count_of(draft.pieces(color, Role::pawn));
    if (pawns > 8) return with_name(color, " has " + std::to_string(pawns) + " pawns, expected at most 8");
  }
  return std::nullopt;
}

std::optional<std::string> en_passant_fault(const Position& draft, Square passed_square) {
  const Color mover = opposite(draft.side_to_move());
  const int rank = mover == Color::white ? 2 : 5;
  if (rank_of(passed_square) != rank) {
    return "square " + to_string(passed_square) + " is on the wrong rank, expected rank " + std::to_string(rank + 1) + " with " +
           std::string(name(draft.side_to_move())) + " to move";
  }
  const int up = mover == Color::white ? 1 : -1;
  const Square pawn = make_square(file_of(passed_square), rank + up);
  const Square origin = make_square(file_of(passed_square), rank - up);
  if ((draft.pieces(mover, Role::pawn) & bit(pawn)) == 0) {
    return "no " + std::string(name(mover)) + " pawn on " + to_string(pawn) + " that passed over " + to_string(passed_square);
  }
  for (const Square square : {passed_square, origin}) {
    if ((draft.occupied() & bit(square)) != 0)
      return "a pawn cannot have come to " + to_string(pawn) + ": " + to_string(square) + " is not empty";
  }
  return std::nullopt;
}

std::optional<std::string> position_fault(const Position& draft) {
  const Color us = draft.side_to_move();
  const Color them = opposite(us);
  if ((king_attacks(draft.king(us)) & bit(draft.king(them))) != 0) return std::string("the kings stand on adjacent squares");
  if (draft.attackers(draft.king(them), us, draft.occupied()) != 0)
    return with_name(them, " is in check but it is " + with_name(us, "'s move"));
  const Bitboard checkers = draft.checkers();
  if (count(checkers) > 2) {
    return with_name(us, " is in check from " + std::to_string(count(checkers)) + " men, no move gives more than 2 checks");
  }
  return std::nullopt;
}

std::optional<std::string> double_check_fault(const Position& draft, std::optional<Square> passed_square) {
  const Bitboard checkers = draft.checkers();
  if (!more_than_one(checkers)) return std::nullopt;
  const Square one = lowest(checkers);
  const Square other = highest(checkers);
  if (passed_square) return "a pawn's double step does not give check from " + named(checkers) + " at once";
  if ((line_through(one, other) & bit(draft.king(draft.side_to_move()))) != 0) {
    return "the king is in check from " + named(checkers) + " on one line: no move gives both checks";
  }
  return std::nullopt;
}

std::vector<std::string> history_doubts(const Position& draft) {
  std::vector<std::string> doubts;
  for (const Color color : {Color::white, Color::black}) {
    constexpr Bitboard light = 0x55AA55AA55AA55AA;
    const Bitboard bishops = draft.pieces(color, Role::bishop);
    const auto beyond = [&](Bitboard men, int at_first) { return std::max(0, count_of(men) - at_first); };
    const int missing = 8 - count_of(draft.pieces(color, Role::pawn));
    const int promoted = beyond(draft.pieces(color, Role::queen), 1) + beyond(draft.pieces(color, Role::rook), 2) +
                         beyond(draft.pieces(color, Role::knight), 2) + beyond(bishops & light, 1) + beyond(bishops & ~light, 1);
    if (promoted > missing) {
      doubts.push_back(with_name(
          color, " has " + std::to_string(promoted) + " promoted men, but only " + std::to_string(missing) + " pawns are missing"));
    }
  }
  const Bitboard checkers = draft.checkers();
  if (more_than_one(checkers) && !double_check_fault(draft, std::nullopt) && !one_move_can_give(draft)) {
    doubts.push_back("no single move gives check from " + named(checkers) + " at once");
  }
  return doubts;
}

}  // namespace referee::chess
