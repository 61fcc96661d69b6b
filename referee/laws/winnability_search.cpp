#include "referee/laws/winnability_search.hpp"

#include <algorithm>
#include <cstdlib>

#include "referee/chess/bitboard.hpp"
#include "referee/chess/move_generation.hpp"
#include "referee/laws/winnability_squares.hpp"

namespace referee::laws::winnability {

using chess::Move;
using chess::MoveKind;
using chess::opposite;
using chess::Position;
using chess::take_lowest;

namespace {
constexpr int A = 100, B = 800, LA = 2, LB = 2, CAPW = 12, CAPR = 2, SAC = 8, PW = -8, LCAP = -3, LCAPC = 2, WK0 = 1, WK1 = -3, LK0 = 0,
              LK1 = -3, LQ = 0, WIDTH = 5, WL = 1, MB = 27, HV = 0, MI = -1, NEXT = 1;

/// King's distances to a set of squares, as sets: within(d) holds the squares at most d steps away.
class Distances {
 public:
  /// Squares in `blocked` are gone round where there is a way, and crossed where there is none.
  void measure(Bitboard targets, Bitboard blocked) noexcept {
    Bitboard seen = targets;
    size_ = 0;
    within_[size_++] = seen;
    for (;;) {
      Bitboard next = seen | (king_step(seen) & ~blocked);
      if (next == seen) {
        if (seen == ~Bitboard{0}) break;
        blocked = 0;
        continue;
      }
      within_[size_++] = seen = next;
    }
  }
  [[nodiscard]] std::size_t of(Square square) const noexcept {
    std::size_t d = 0;
    while ((within_[d] & bit(square)) == 0) ++d;
    return d;
  }
  [[nodiscard]] Bitboard within(std::size_t d) const noexcept { return within_[d]; }

 private:
  std::array<Bitboard, 64> within_;
  std::size_t size_;
};

struct Choice {
  std::uint16_t raw;
  std::int8_t order;
  std::int8_t cost;
};

class Choices {
 public:
  void push(Move move, int order, int cost) noexcept {
    all_[size_++] = {move.raw(), static_cast<std::int8_t>(order), static_cast<std::int8_t>(cost)};
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// The i-th best; needs the ones before it to have been asked for.
  [[nodiscard]] Choice best(std::size_t i) noexcept {
    std::size_t found = i;
    for (std::size_t j = i + 1; j < size_; ++j) {
      if (all_[j].order > all_[found].order) found = j;
    }
    std::swap(all_[i], all_[found]);
    return all_[i];
  }

 private:
  std::array<Choice, 256> all_;  // raw moves: written before they are read, never cleared
  std::size_t size_ = 0;
};

struct Plan {
  Distances loser_king;   // to the corner
  Distances winner_king;  // to the squares from which it helps
};

class WinnerSink {
 public:
  WinnerSink(const Position& position, Color winner, const Plan& plan, int quiet_cost, Choices& choices) noexcept
      : position_(position), winner_(winner), plan_(plan), quiet_cost_(quiet_cost), choices_(choices) {
    const Color loser = opposite(winner);
    const Square king = position.king(loser);
    const Bitboard straight = chess::rook_attacks(king, position.occupied());
    const Bitboard diagonal = chess::bishop_attacks(king, position.occupied());
    checks_ = {chess::pawn_attacks(loser, king), chess::knight_attacks(king), diagonal, straight, straight | diagonal, 0};
    enemy_ = position.pieces(loser);
    heavy_ = (position.pieces(winner) & (position.pieces(Role::queen) | position.pieces(Role::rook))) != 0;
  }
  void piece(Square from, Bitboard targets) noexcept {
    any_ |= targets;
    const Role role = position_.role_at(from);
    for (Bitboard to = targets & checks_[index(role)]; to != 0;) check(Move::plain(from, take_lowest(to)));
    for (Bitboard to = targets & enemy_; to != 0;) {
      const Square square = take_lowest(to);
      choices_.push(Move::plain(from, square), CAPW + CAPR * static_cast<int>(position_.role_at(square)), 0);
    }
    targets &= ~enemy_;
    if (role == Role::king) {
      const std::size_t d = plan_.winner_king.of(from);
      const Bitboard nearer = d == 0 ? 0 : plan_.winner_king.within(d - 1);
      for (Bitboard to = targets & nearer; to != 0;) choices_.push(Move::plain(from, take_lowest(to)), 20, 0);
      if (quiet_cost_ > 1) return;
      for (Bitboard to = targets & ~nearer; to != 0;) {
        const Square square = take_lowest(to);
        choices_.push(Move::plain(from, square), (plan_.winner_king.within(d) & bit(square)) != 0 ? WK0 : WK1, quiet_cost_);
      }
      return;
    }
    if (quiet_cost_ > 1) return;
    const int heavy = role == Role::queen || role == Role::rook;
    while (targets != 0) {
      const Square to = take_lowest(targets);
      choices_.push(
          Move::plain(from, to),
          heavy ? HV + (NEXT != 0 && (chess::piece_attacks(role, to, position_.occupied()) & checks_[index(role)]) != 0 ? NEXT : 0) : MI,
          quiet_cost_);
    }
  }
  void pawns(Bitboard targets, int offset) noexcept {
    any_ |= targets;
    while (targets != 0) {
      const Square to = take_lowest(targets);
      const Move move = Move::plain(static_cast<Square>(index(to) - offset), to);
      if ((checks_[0] & bit(to)) != 0) check(move);
      if ((enemy_ & bit(to)) != 0) {
        choices_.push(move, CAPW + CAPR * static_cast<int>(position_.role_at(to)), 0);
      } else if (!heavy_) {
        choices_.push(move, PW + 4 * (winner_ == Color::white ? chess::rank_of(to) : 7 - chess::rank_of(to)), 0);
      } else if (quiet_cost_ <= 1) {
        choices_.push(move, 0, quiet_cost_);
      }
    }
  }
  void promotions(Bitboard targets, int offset) noexcept {
    any_ |= targets;
    while (targets != 0) {
      const Square to = take_lowest(targets);
      const auto from = static_cast<Square>(index(to) - offset);
      for (const Role role : {Role::queen, Role::rook, Role::bishop, Role::knight}) {
        const Move move = Move::promotion(from, to, role);
        if ((checks_[index(role)] & bit(to)) != 0) check(move);
        if (role == Role::queen)
          choices_.push(move, 56, 0);
        else if (role == Role::rook)
          choices_.push(move, 12, 0);
        else if (quiet_cost_ <= 1)
          choices_.push(move, 0, quiet_cost_);
      }
    }
  }
  void en_passant(Square from, Square to) noexcept {
    any_ |= bit(to);
    choices_.push(Move::en_passant(from, to), CAPW, 0);
  }
  void castling(Square king, Square rook) noexcept {
    any_ |= bit(rook);
    if (quiet_cost_ <= 1) choices_.push(Move::castling(king, rook), 0, quiet_cost_);
  }
  [[nodiscard]] const std::array<std::uint16_t, 64>& checks() const noexcept { return direct_; }
  [[nodiscard]] std::size_t check_count() const noexcept { return direct_size_; }

 private:
  void check(Move move) noexcept {
    if (direct_size_ < direct_.size()) direct_[direct_size_++] = move.raw();
  }
  const Position& position_;
  Color winner_;
  const Plan& plan_;
  int quiet_cost_;
  Choices& choices_;
  std::array<Bitboard, 6> checks_;
  Bitboard enemy_;
  Bitboard any_ = 0;
  bool heavy_;
  std::array<std::uint16_t, 64> direct_;
  std::size_t direct_size_ = 0;
};

class LoserSink {
 public:
  LoserSink(const Position& position, Color winner, const Plan& plan, int quiet_cost, int limit, Choices& choices) noexcept
      : position_(position), plan_(plan), quiet_cost_(quiet_cost), limit_(limit), choices_(choices), enemy_(position.pieces(winner)) {
    const Color loser = opposite(winner);
    if ((position.pieces(loser) & ~position.pieces(Role::king) & ~position.pieces(Role::pawn)) == 0) return;
    const Bitboard occupied = position.occupied();
    for (Bitboard men = enemy_ & ~position.pieces(Role::king) & ~position.pieces(Role::pawn); men != 0;) {
      const Square from = take_lowest(men);
      attacked_ |= chess::piece_attacks(position.role_at(from), from, occupied);
    }
    attacked_ |= pawn_attack(position.pieces(winner, Role::pawn), winner);
  }
  void piece(Square from, Bitboard targets) noexcept {
    any_ |= targets;
    const Role role = position_.role_at(from);
    captures(from, targets & enemy_);
    targets &= ~enemy_;
    if (role == Role::king) {
      const std::size_t d = plan_.loser_king.of(from);
      const Bitboard nearer = d == 0 ? 0 : plan_.loser_king.within(d - 1);
      for (Bitboard to = targets & nearer; to != 0;) choices_.push(Move::plain(from, take_lowest(to)), 20, 0);
      if (quiet_cost_ > limit_) return;
      for (Bitboard to = targets & ~nearer; to != 0;) {
        const Square square = take_lowest(to);
        choices_.push(Move::plain(from, square), (plan_.loser_king.within(d) & bit(square)) != 0 ? LK0 : LK1, quiet_cost_);
      }
      return;
    }
    for (Bitboard to = targets & attacked_; to != 0;) choices_.push(Move::plain(from, take_lowest(to)), SAC, 0);
    targets &= ~attacked_;
    if (quiet_cost_ > limit_) return;
    while (targets != 0) choices_.push(Move::plain(from, take_lowest(targets)), 0, quiet_cost_);
  }
  void pawns(Bitboard targets, int offset) noexcept {
    any_ |= targets;
    while (targets != 0) {
      const Square to = take_lowest(targets);
      const auto from = static_cast<Square>(index(to) - offset);
      if ((enemy_ & bit(to)) != 0)
        captures(from, bit(to));
      else if (quiet_cost_ <= limit_)
        choices_.push(Move::plain(from, to), 0, quiet_cost_);
    }
  }
  void promotions(Bitboard targets, int offset) noexcept {
    any_ |= targets;
    while (targets != 0) {
      const Square to = take_lowest(targets);
      const auto from = static_cast<Square>(index(to) - offset);
      for (const Role role : {Role::knight, Role::bishop, Role::rook, Role::queen}) {
        if ((enemy_ & bit(to)) == 0 ? quiet_cost_ <= limit_ : LCAPC <= limit_)
          choices_.push(Move::promotion(from, to, role), (enemy_ & bit(to)) == 0 ? 0 : LCAP, (enemy_ & bit(to)) == 0 ? quiet_cost_ : LCAPC);
      }
    }
  }
  void en_passant(Square from, Square to) noexcept {
    any_ |= bit(to);
    if (LCAPC <= limit_) choices_.push(Move::en_passant(from, to), LCAP, LCAPC);
  }
  void castling(Square king, Square rook) noexcept {
    any_ |= bit(rook);
    if (quiet_cost_ <= limit_) choices_.push(Move::castling(king, rook), 0, quiet_cost_);
  }
  [[nodiscard]] bool none() const noexcept { return any_ == 0; }

 private:
  void captures(Square from, Bitboard targets) noexcept {
    if (LCAPC > limit_) return;
    while (targets != 0) choices_.push(Move::plain(from, take_lowest(targets)), LCAP, LCAPC);
  }
  const Position& position_;
  const Plan& plan_;
  int quiet_cost_;
  int limit_;
  Choices& choices_;
  Bitboard enemy_;
  Bitboard attacked_ = 0;
  Bitboard any_ = 0;
};

class Search {
 public:
  Search(Color winner, const Plan& plan, std::uint64_t nodes, std::size_t width, std::size_t wl, Line& line) noexcept
      : winner_(winner), plan_(plan), nodes_(nodes), width_(width), wl_(wl), line_(line) {}
  [[nodiscard]] std::uint64_t left() const noexcept { return nodes_; }
  bool run(const Position& position, int limit, bool free) noexcept {
    if (nodes_ == 0 || line_.size() + 2 >= Line::longest) return false;
    --nodes_;
    Choices choices;
    const bool winning = position.side_to_move() == winner_;
    if (winning) {
      WinnerSink sink(position, winner_, plan_, free ? 0 : limit > 0 ? 1 : 2, choices);
      chess::generate_legal(position, ~Bitboard{0}, sink);
      for (std::size_t i = 0; i < sink.check_count(); ++i) {
        if (nodes_ > 0) --nodes_;
        if (position.after(Move::from_raw(sink.checks()[i])).has_legal_move()) continue;
        line_.push(Move::from_raw(sink.checks()[i]));
        return true;
      }
    } else {
      LoserSink sink(position, winner_, plan_, free ? 0 : LQ, limit, choices);
      chess::generate_legal(position, ~Bitboard{0}, sink);
      if (sink.none()) return position.in_check();
    }
    const std::size_t size = std::min(choices.size(), winning ? width_ : wl_);
    for (std::size_t i = 0; i < size; ++i) {
      const Choice choice = choices.best(i);
      line_.push(Move::from_raw(choice.raw));
      if (run(position.after(Move::from_raw(choice.raw)), limit - choice.cost, choice.order > 1 && choice.cost == 0)) return true;
      line_.cut(line_.size() - 1);
      if (nodes_ == 0) return false;
    }
    return false;
  }

 private:
  Color winner_;
  const Plan& plan_;
  std::uint64_t nodes_;
  std::size_t width_, wl_;
  Line& line_;
};

}  // namespace

bool find_helpmate(const Position& position, Color winner, std::uint64_t& nodes, Line& line) noexcept {
  const Color loser = opposite(winner);
  const Square loser_king = position.king(loser);
  const Square own_king = position.king(winner);
  Bitboard lb = 0, wb = 0;
  if (MB & 1) lb |= position.pieces(loser, Role::pawn);
  if (MB & 2) lb |= pawn_attack(position.pieces(winner, Role::pawn), winner);
  if (MB & 8) wb |= position.pieces(winner, Role::pawn);
  if (MB & 16) wb |= pawn_attack(position.pieces(loser, Role::pawn), loser);
  Distances from_loser, from_winner;
  from_loser.measure(bit(loser_king), lb);
  from_winner.measure(bit(own_king), wb);
  struct Corner {
    Bitboard corner;
    Bitboard approach;
    std::size_t cost;
  };
  std::array<Corner, 4> corners;
  std::size_t size = 0;
  for (const int file : {0, 7}) {
    for (const int rank : {0, 7}) {
      const int in = file == 0 ? 1 : -1;
      const int up = rank == 0 ? 1 : -1;
      Corner& c = corners[size++];
      c.corner = bit(chess::make_square(file, rank));
      const Square ap[4] = {chess::make_square(file, rank + 2 * up), chess::make_square(file + in, rank + 2 * up),
                            chess::make_square(file + 2 * in, rank), chess::make_square(file + 2 * in, rank + up)};
      c.approach = 0;
      std::size_t dw = 99;
      for (auto q : ap) {
        c.approach |= bit(q);
        dw = std::min(dw, from_winner.of(q));
      }
      c.cost = 2 * from_loser.of(chess::lowest(c.corner)) + dw;
    }
  }
  std::stable_sort(corners.begin(), corners.end(), [&](const Corner& a, const Corner& b) { return a.cost < b.cost; });
  for (const int phase : {0, 1}) {
    for (const Corner& c : corners) {
      const std::uint64_t granted = std::min(static_cast<std::uint64_t>(phase == 0 ? A : B), nodes);
      Plan plan;
      plan.loser_king.measure(c.corner, lb & ~bit(loser_king));
      plan.winner_king.measure(c.approach, wb & ~bit(own_king));
      Search search(winner, plan, granted, static_cast<std::size_t>(phase == 0 ? WIDTH : 999),
                    static_cast<std::size_t>(phase == 0 ? WL : 999), line);
      line.cut(0);
      const bool found = search.run(position, phase == 0 ? LA : LB, false);
      nodes -= granted - search.left();
      if (found) return true;
      if (nodes == 0) return false;
    }
  }
  return false;
}

}  // namespace referee::laws::winnability
