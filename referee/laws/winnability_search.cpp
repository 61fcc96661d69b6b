#include "referee/laws/winnability_search.hpp"

#include <algorithm>

#include "referee/chess/bitboard.hpp"
#include "referee/chess/move_generation.hpp"
#include "referee/laws/winnability_material.hpp"
#include "referee/laws/winnability_squares.hpp"

namespace referee::laws::winnability {

using chess::Move;
using chess::opposite;
using chess::Position;
using chess::take_lowest;

namespace {

// The depth-first search is paid in detours: a move towards the picture costs nothing and lets the other side wait for nothing; a
// move of the winner's that only waits costs one. The loser always plays what looks most helpful. The numbers were found by trial on
// final positions of real games; they decide how soon a line is found, never what is true.
constexpr std::uint64_t nodes_a_corner = 100;
constexpr int detours = 2;
constexpr int loser_takes = 2;           // cost of a capture by the loser: it seldom helps
constexpr std::size_t winner_tries = 5;  // most moves tried in one position

// Which move first.
constexpr int best_promotion = 56;
constexpr int king_nearer = 20;
constexpr int takes = 12;         // plus twice the rank of the man taken: pawn 0 .. queen 4
constexpr int offers = 8;         // a piece of the loser's moves where it can be taken
constexpr int pawn_forward = -8;  // plus four a rank, where nothing stronger is on the board
constexpr int other_promotion = 12;
constexpr int king_waits_near = 1;
constexpr int waits = 0;
constexpr int minor_waits = -1;
constexpr int king_away = -3;
constexpr int leaves_block = -6;
constexpr int reaches_block = 18;
constexpr int nearer_block = 12;
constexpr int gets_ready = 22;
constexpr int becomes_helper = 30;
constexpr int worth_a_reply = 1;  // above it, the other side's next move is free

/// Distances to a set of squares, as sets: within(d) holds the squares at most d steps away.
class Distances {
 public:
  /// Squares in `blocked` are gone round where there is a way, and crossed where there is none.
  void measure(Role role, Bitboard targets, Bitboard blocked) noexcept {
    Bitboard seen = targets;
    std::size_t size = 0;
    within_[size++] = seen;
    for (;;) {
      const Bitboard next = seen | (step(role, Color::white, seen) & ~blocked);
      if (next != seen) {
        within_[size++] = seen = next;
      } else if (seen == ~Bitboard{0}) {
        return;
      } else {
        blocked = 0;
      }
    }
  }
  [[nodiscard]] std::size_t of(Square square) const noexcept {
    std::size_t d = 0;
    while ((within_[d] & bit(square)) == 0) ++d;
    return d;
  }
  [[nodiscard]] Bitboard within(std::size_t d) const noexcept { return within_[d]; }
  /// Squares nearer than this one.
  [[nodiscard]] Bitboard nearer_than(Square square) const noexcept {
    const std::size_t d = of(square);
    return d == 0 ? 0 : within_[d - 1];
  }

 private:
  std::array<Bitboard, 64> within_;  // written by measure() as far as it is read
};

/// The way to one corner.
struct Plan {
  Distances loser_king;   // to the corner
  Distances winner_king;  // to the squares from which it helps to mate there
  // For a lone knight or bishop, which needs a man of the loser's beside the cornered king:
  Bitboard block = 0;      // where that man is wanted; 0: none is
  Bitboard inner = 0;      // the corner's diagonal neighbour
  Bitboard diagonal = 0;   // the corner's diagonal
  Distances check_knight;  // of the winner's knight, to the squares from which it checks the corner
  Distances block_knight;  // of the loser's knights, to the block
};

/// Men of the loser's that may stand on the block of a plan without being able to take the man that mates.
[[nodiscard]] Bitboard helpers(const Position& position, Color winner, Bitboard block) noexcept {
  const Bitboard colour = (block & light_squares) != 0 ? light_squares : dark_squares;
  const Bitboard rooks = position.pieces(winner, Role::knight) != 0 ? position.pieces(Role::rook) : 0;
  return position.pieces(opposite(winner)) & (position.pieces(Role::knight) | (position.pieces(Role::bishop) & colour) | rooks);
}

struct Choice {
  std::uint16_t move;  // raw: a list of them is written before it is read, and never cleared
  std::int8_t order;
  std::int8_t cost;
};
[[nodiscard]] Choice choice(Move move, int order, int cost) noexcept {
  return {move.raw(), static_cast<std::int8_t>(order), static_cast<std::int8_t>(cost)};
}

/// Takes the winner's moves as the generator hands them out: which give check, and how good they look.
class WinnerMoves {
 public:
  enum class Waiting { free, costs, barred };

  WinnerMoves(const Position& position, Color winner, const Plan& plan, Waiting waiting) noexcept
      : position_(position), winner_(winner), plan_(plan), waiting_(waiting), enemy_(position.pieces(opposite(winner))) {
    const Color loser = opposite(winner);
    const Square king = position.king(loser);
    const Bitboard straight = chess::rook_attacks(king, position.occupied());
    const Bitboard diagonal = chess::bishop_attacks(king, position.occupied());
    sees_king_ = {chess::pawn_attacks(loser, king), chess::knight_attacks(king), diagonal, straight, straight | diagonal, 0};
    strong_ = (position.pieces(winner) & (position.pieces(Role::queen) | position.pieces(Role::rook))) != 0;
  }

  void piece(Square from, Bitboard targets) noexcept {
    const Role role = position_.role_at(from);
    for (Bitboard to = targets & sees_king_[chess::index(role)]; to != 0;) add_check(Move::plain(from, take_lowest(to)));
    for (Bitboard to = targets & enemy_; to != 0;) take(Move::plain(from, take_lowest(to)));
    targets &= ~enemy_;
    if (role == Role::king) return king(from, targets);
    if (plan_.block != 0) {
      // The lone man makes itself ready to mate before the king closes in.
      const Bitboard ready = make_ready(from, role, targets);
      for (Bitboard to = ready; to != 0;) push(Move::plain(from, take_lowest(to)), gets_ready, 0);
      targets &= ~ready;
    }
    if (waiting_ == Waiting::barred) return;
    const bool strong = role == Role::queen || role == Role::rook;
    while (targets != 0) {
      const Square to = take_lowest(targets);
      // A strong man likes to stand where its next move can give check.
      const bool eyes = (chess::piece_attacks(role, to, position_.occupied()) & sees_king_[chess::index(role)]) != 0;
      wait(Move::plain(from, to), !strong ? minor_waits : eyes ? waits + 1 : waits);
    }
  }
  void pawns(Bitboard targets, int offset) noexcept {
    while (targets != 0) {
      const Square to = take_lowest(targets);
      const Move move = Move::plain(static_cast<Square>(chess::index(to) - offset), to);
      if ((sees_king_[chess::index(Role::pawn)] & bit(to)) != 0) add_check(move);
      if ((enemy_ & bit(to)) != 0) {
        take(move);
      } else if (!strong_) {
        push(move, pawn_forward + 4 * (winner_ == Color::white ? chess::rank_of(to) : 7 - chess::rank_of(to)), 0);
      } else {
        wait(move, waits);
      }
    }
  }
  void promotions(Bitboard targets, int offset) noexcept {
    while (targets != 0) {
      const Square to = take_lowest(targets);
      const auto from = static_cast<Square>(chess::index(to) - offset);
      for (const Role role : {Role::queen, Role::rook, Role::bishop, Role::knight}) {
        const Move move = Move::promotion(from, to, role);
        if ((sees_king_[chess::index(role)] & bit(to)) != 0) add_check(move);
        if (role == Role::queen) {
          push(move, best_promotion, 0);
        } else if (role == Role::rook) {
          push(move, other_promotion, 0);
        } else {
          wait(move, waits);
        }
      }
    }
  }
  void en_passant(Square from, Square to) noexcept { push(Move::en_passant(from, to), takes, 0); }
  void castling(Square king, Square rook) noexcept { wait(Move::castling(king, rook), waits); }

  [[nodiscard]] std::size_t checks() const noexcept { return check_count_; }
  [[nodiscard]] Move check(std::size_t i) const noexcept { return Move::from_raw(checks_[i]); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// The i-th best. Needs: those before it have been asked for.
  [[nodiscard]] Choice best(std::size_t i) noexcept {
    std::size_t found = i;
    for (std::size_t j = i + 1; j < size_; ++j) {
      if (choices_[j].order > choices_[found].order) found = j;
    }
    std::swap(choices_[i], choices_[found]);
    return choices_[i];
  }

 private:
  void king(Square from, Bitboard targets) noexcept {
    const std::size_t d = plan_.winner_king.of(from);
    const Bitboard nearer = plan_.winner_king.nearer_than(from);
    for (Bitboard to = targets & nearer; to != 0;) push(Move::plain(from, take_lowest(to)), king_nearer, 0);
    for (Bitboard to = targets & ~nearer; to != 0;) {
      const Square square = take_lowest(to);
      wait(Move::plain(from, square), (plan_.winner_king.within(d) & bit(square)) != 0 ? king_waits_near : king_away);
    }
  }
  [[nodiscard]] Bitboard make_ready(Square from, Role role, Bitboard targets) const noexcept {
    if (role == Role::knight) return targets & plan_.check_knight.nearer_than(from) & ~plan_.check_knight.within(0);
    // Beside the corner on its diagonal the bishop mates next to a knight that could come between anywhere else.
    const Bitboard lines = chess::bishop_attacks(chess::lowest(plan_.inner), position_.occupied()) & ~plan_.diagonal;
    return (lines & bit(from)) != 0 ? 0 : targets & lines;
  }
  void take(Move move) noexcept {
    // Not the only man that can help.
    if (plan_.block != 0 && helpers(position_, winner_, plan_.block) == bit(move.to())) return;
    push(move, takes + 2 * static_cast<int>(position_.role_at(move.to())), 0);
  }
  void wait(Move move, int order) noexcept {
    if (waiting_ != Waiting::barred) push(move, order, waiting_ == Waiting::costs ? 1 : 0);
  }
  void push(Move move, int order, int cost) noexcept { choices_[size_++] = choice(move, order, cost); }
  void add_check(Move move) noexcept {
    if (check_count_ < checks_.size()) checks_[check_count_++] = move.raw();
  }

  const Position& position_;
  Color winner_;
  const Plan& plan_;
  Waiting waiting_;
  Bitboard enemy_;
  bool strong_ = false;
  std::array<Bitboard, 6> sees_king_;  // by role: squares from which it would check
  std::array<std::uint16_t, 64> checks_;
  std::size_t check_count_ = 0;
  std::array<Choice, chess::MoveList::capacity> choices_;
  std::size_t size_ = 0;
};

/// Keeps the loser's most helpful move.
class LoserMoves {
 public:
  LoserMoves(const Position& position, Color winner, const Plan& plan, int limit) noexcept
      : position_(position), plan_(plan), may_take_(limit >= loser_takes), enemy_(position.pieces(winner)) {
    if (plan.block != 0) {
      helpers_ = helpers(position, winner, plan.block);
      block_held_ = (helpers_ & plan.block) != 0;
    }
    if ((position.pieces(opposite(winner)) & ~position.pieces(Role::king) & ~position.pieces(Role::pawn)) == 0) return;
    attacked_ = pawn_attack(position.pieces(winner, Role::pawn), winner);
    for (Bitboard men = enemy_ & ~position.pieces(Role::king) & ~position.pieces(Role::pawn); men != 0;) {
      const Square from = take_lowest(men);
      attacked_ |= chess::piece_attacks(position.role_at(from), from, position.occupied());
    }
  }

  void piece(Square from, Bitboard targets) noexcept {
    any_ |= targets != 0;
    if ((targets & enemy_) != 0) take(Move::plain(from, chess::lowest(targets & enemy_)));
    targets &= ~enemy_;
    if (targets == 0) return;
    const Role role = position_.role_at(from);
    if (role == Role::king) return king(from, targets);
    if ((helpers_ & bit(from)) != 0) return help(from, role, targets);
    if ((targets & attacked_) != 0) {
      consider(Move::plain(from, chess::lowest(targets & attacked_)), offers, 0);
    } else {
      consider(Move::plain(from, chess::lowest(targets)), waits, 0);
    }
  }
  void pawns(Bitboard targets, int offset) noexcept {
    any_ |= targets != 0;
    while (targets != 0) {
      const Square to = take_lowest(targets);
      const Move move = Move::plain(static_cast<Square>(chess::index(to) - offset), to);
      if ((enemy_ & bit(to)) != 0) {
        take(move);
      } else {
        consider(move, plan_.block != 0 && helpers_ == 0 ? nearer_block : waits, 0);
      }
    }
  }
  void promotions(Bitboard targets, int offset) noexcept {
    any_ |= targets != 0;
    while (targets != 0) {
      const Square to = take_lowest(targets);
      // A knight gets in the way least, and can help.
      const Move move = Move::promotion(static_cast<Square>(chess::index(to) - offset), to, Role::knight);
      if ((enemy_ & bit(to)) != 0) {
        take(move);
      } else {
        consider(move, plan_.block != 0 && helpers_ == 0 ? becomes_helper : waits, 0);
      }
    }
  }
  void en_passant(Square from, Square to) noexcept {
    any_ = true;
    take(Move::en_passant(from, to));
  }
  void castling(Square king, Square rook) noexcept { consider(Move::castling(king, rook), waits, 0); }

  /// No legal move at all.
  [[nodiscard]] bool none() const noexcept { return !any_; }
  /// None that may be played: the only ones cost too much.
  [[nodiscard]] bool stuck() const noexcept { return !chosen_; }
  [[nodiscard]] Choice best() const noexcept { return best_; }

 private:
  void king(Square from, Bitboard targets) noexcept {
    const Bitboard nearer = targets & plan_.loser_king.nearer_than(from);
    const Bitboard level = targets & plan_.loser_king.within(plan_.loser_king.of(from));
    if (nearer != 0) {
      consider(Move::plain(from, chess::lowest(nearer)), king_nearer, 0);
    } else if (level != 0) {
      consider(Move::plain(from, chess::lowest(level)), waits, 0);
    } else {
      consider(Move::plain(from, chess::lowest(targets)), king_away, 0);
    }
  }
  void help(Square from, Role role, Bitboard targets) noexcept {
    if ((plan_.block & bit(from)) != 0) return consider(Move::plain(from, chess::lowest(targets)), leaves_block, 0);
    Bitboard wanted = 0;
    if (!block_held_) {
      if ((targets & plan_.block) != 0) return consider(Move::plain(from, chess::lowest(targets & plan_.block)), reaches_block, 0);
      const Square block = chess::lowest(plan_.block);
      wanted = role == Role::knight ? plan_.block_knight.nearer_than(from) : chess::piece_attacks(role, block, position_.occupied());
      if (role != Role::knight && (wanted & bit(from)) != 0) wanted = 0;  // somebody is in the way
    }
    if ((targets & wanted) != 0) return consider(Move::plain(from, chess::lowest(targets & wanted)), nearer_block, 0);
    consider(Move::plain(from, chess::lowest(targets)), waits, 0);
  }
  void take(Move move) noexcept {
    if (may_take_) consider(move, king_away, loser_takes);
  }
  void consider(Move move, int order, int cost) noexcept {
    if (chosen_ && order <= best_.order) return;
    best_ = choice(move, order, cost);
    chosen_ = true;
  }

  const Position& position_;
  const Plan& plan_;
  bool may_take_;
  Bitboard enemy_;
  Bitboard attacked_ = 0;  // by the winner's men, kings left out
  Bitboard helpers_ = 0;
  bool block_held_ = false;
  bool any_ = false;
  bool chosen_ = false;
  Choice best_{};
};

class Search {
 public:
  Search(Color winner, const Plan& plan, std::uint64_t& nodes, Line& line) noexcept
      : winner_(winner), plan_(plan), nodes_(nodes), line_(line) {}

  /// `free`: the last move was worth it, so that one that only waits costs nothing.
  bool run(const Position& position, int limit, bool free) noexcept {
    if (nodes_ == 0 || line_.size() + 2 >= Line::longest) return false;
    --nodes_;
    if (plan_.block != 0 && material_cannot_mate(position, winner_)) return false;
    return position.side_to_move() == winner_ ? winner_moves(position, limit, free) : loser_moves(position, limit);
  }

 private:
  bool winner_moves(const Position& position, int limit, bool free) noexcept {
    using Waiting = WinnerMoves::Waiting;
    WinnerMoves moves(position, winner_, plan_, free ? Waiting::free : limit > 0 ? Waiting::costs : Waiting::barred);
    chess::generate_legal(position, ~Bitboard{0}, moves);
    for (std::size_t i = 0; i < moves.checks() && nodes_ > 0; ++i) {
      --nodes_;
      if (!mates(position, moves.check(i))) continue;
      line_.push(moves.check(i));
      return true;
    }
    for (std::size_t i = 0; i < std::min(moves.size(), winner_tries) && nodes_ > 0; ++i) {
      if (try_move(position, moves.best(i), limit)) return true;
    }
    return false;
  }
  [[nodiscard]] static bool mates(const Position& position, Move check) noexcept {
    // Nearly always the king can flee, which is soon seen.
    return !can_flee(position, check) && !position.after(check).has_legal_move();
  }
  /// Has the king a square to go to after this check? Needs: neither castling nor en passant.
  [[nodiscard]] static bool can_flee(const Position& position, Move check) noexcept {
    const Color winner = position.side_to_move();
    const Square king = position.king(opposite(winner));
    const Bitboard occupied = (position.occupied() & ~bit(check.from()) & ~bit(king)) | bit(check.to());
    const Role role = check.kind() == chess::MoveKind::promotion ? check.promotion_role() : position.role_at(check.from());
    const Bitboard seen = role == Role::pawn ? chess::pawn_attacks(winner, check.to()) : chess::piece_attacks(role, check.to(), occupied);
    Bitboard flights = chess::king_attacks(king) & ~seen & (~position.pieces(opposite(winner)) | bit(check.to()));
    while (flights != 0) {
      if (position.attackers(take_lowest(flights), winner, occupied) == 0) return true;
    }
    return false;
  }
  bool loser_moves(const Position& position, int limit) noexcept {
    LoserMoves moves(position, winner_, plan_, limit);
    chess::generate_legal(position, ~Bitboard{0}, moves);
    if (moves.none()) return position.in_check();
    return !moves.stuck() && try_move(position, moves.best(), limit);
  }
  bool try_move(const Position& position, Choice chosen, int limit) noexcept {
    const Move move = Move::from_raw(chosen.move);
    const std::size_t before = line_.size();
    line_.push(move);
    if (run(position.after(move), limit - chosen.cost, chosen.cost == 0 && chosen.order > worth_a_reply)) return true;
    line_.cut(before);
    return false;
  }

  Color winner_;
  const Plan& plan_;
  std::uint64_t& nodes_;
  Line& line_;
};

struct Corner {
  Bitboard square;
  Bitboard beside;  // where the winner's king keeps the loser's in
  Bitboard block;   // the straight neighbour that its king does not cover there
  std::size_t far;
};

/// Each corner along each of its two edges; nearest first.
class Corners {
 public:
  Corners(const Distances& from_loser, const Distances& from_winner) noexcept {
    for (const int file : {0, 7}) {
      for (const int rank : {0, 7}) {
        const int in = file == 0 ? 1 : -1;
        const int up = rank == 0 ? 1 : -1;
        const Bitboard corner = bit(chess::make_square(file, rank));
        const std::size_t loser_way = 2 * from_loser.of(chess::lowest(corner));
        for (const bool along_file : {true, false}) {
          const Square near = along_file ? chess::make_square(file, rank + 2 * up) : chess::make_square(file + 2 * in, rank);
          const Square off = along_file ? chess::make_square(file + in, rank + 2 * up) : chess::make_square(file + 2 * in, rank + up);
          const Square block = along_file ? chess::make_square(file + in, rank) : chess::make_square(file, rank + up);
          all_[size_++] = {corner, bit(near) | bit(off), bit(block), loser_way + std::min(from_winner.of(near), from_winner.of(off))};
        }
      }
    }
  }
  /// Both edges of a corner as one.
  void join() noexcept {
    for (std::size_t i = 0; i < size_; i += 2) {
      all_[i / 2] = {all_[i].square, all_[i].beside | all_[i + 1].beside, 0, std::min(all_[i].far, all_[i + 1].far)};
    }
    size_ /= 2;
  }
  /// Without the corners where a lone knight or bishop can never mate for want of the right square colour.
  void keep_for_lone_man(const Position& position, Color winner) noexcept {
    const Bitboard bishop = position.pieces(winner, Role::bishop);
    const Bitboard colour = (bishop & light_squares) != 0 ? light_squares : dark_squares;
    const Bitboard others = position.pieces(opposite(winner)) & ~position.pieces(Role::king) & ~position.pieces(Role::queen);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      const Corner& corner = all_[i];
      if (bishop != 0 && (corner.square & colour) == 0) continue;
      if ((others & ~position.pieces(Role::bishop)) == 0 && helpers(position, winner, corner.block) == 0) continue;
      all_[kept++] = corner;
    }
    size_ = kept;
  }
  void sort() noexcept {
    std::stable_sort(begin(), end(), [](const Corner& a, const Corner& b) { return a.far < b.far; });
  }
  [[nodiscard]] Corner* begin() noexcept { return all_.data(); }
  [[nodiscard]] Corner* end() noexcept { return all_.data() + size_; }

 private:
  std::array<Corner, 8> all_;
  std::size_t size_ = 0;
};

[[nodiscard]] bool lone_minor(const Position& position, Color winner) noexcept {
  const Bitboard men = position.pieces(winner) & ~position.pieces(Role::king);
  return single(men) && (men & (position.pieces(Role::knight) | position.pieces(Role::bishop))) != 0;
}

}  // namespace

bool find_helpmate(const Position& position, Color winner, std::uint64_t& nodes, Line& line) noexcept {
  const Color loser = opposite(winner);
  const Square loser_king = position.king(loser);
  const Square winner_king = position.king(winner);
  const auto in_the_way = [&position](Color color) {
    return position.pieces(color, Role::pawn) | pawn_attack(position.pieces(opposite(color), Role::pawn), opposite(color));
  };
  const Bitboard loser_blocked = in_the_way(loser);
  const Bitboard winner_blocked = in_the_way(winner);
  Distances from_loser;
  Distances from_winner;
  from_loser.measure(Role::king, bit(loser_king), loser_blocked);
  from_winner.measure(Role::king, bit(winner_king), winner_blocked);
  Corners corners(from_loser, from_winner);
  const bool lone = lone_minor(position, winner);
  if (lone) {
    corners.keep_for_lone_man(position, winner);
  } else {
    corners.join();
  }
  corners.sort();
  for (const Corner& corner : corners) {
    if (nodes == 0) return false;
    Plan plan;
    plan.loser_king.measure(Role::king, corner.square, loser_blocked & ~bit(loser_king));
    plan.winner_king.measure(Role::king, corner.beside, winner_blocked & ~bit(winner_king));
    if (lone) {
      plan.block = corner.block;
      plan.inner = diagonal_step(corner.square);
      plan.diagonal = chess::bishop_attacks(chess::lowest(corner.square), 0);
      plan.check_knight.measure(Role::knight, knight_step(corner.square) & ~corner.beside, 0);
      plan.block_knight.measure(Role::knight, corner.block, 0);
    }
    const std::uint64_t granted = std::min(nodes_a_corner, nodes);
    std::uint64_t left = granted;
    line.cut(0);
    const bool found = Search(winner, plan, left, line).run(position, detours, false);
    nodes -= granted - left;
    if (found) return true;
  }
  return false;
}

}  // namespace referee::laws::winnability
