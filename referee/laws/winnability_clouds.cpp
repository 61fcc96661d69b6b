#include "referee/laws/winnability_clouds.hpp"

#include "referee/chess/bitboard.hpp"
#include "referee/laws/winnability_matching.hpp"
#include "referee/laws/winnability_saturation.hpp"

namespace referee::laws::winnability {

using chess::opposite;
using chess::Position;
using chess::take_lowest;

namespace {

// A man with no more room than this stays on the board exactly; the others are clouds.
constexpr unsigned hemmed_in = 6;
constexpr std::size_t smallest_table = 256;
constexpr std::size_t no_cloud = ~std::size_t{0};
constexpr std::array<Role, 5> pieces{Role::knight, Role::bishop, Role::rook, Role::queen, Role::king};

/// Squares it gets to from its place without crossing or taking anything.
[[nodiscard]] Bitboard elbow_room(const World::Man& man, Bitboard in_the_way) noexcept {
  Bitboard room = man.start;
  for (;;) {
    const Bitboard more = room | (step(man.role, man.color, room) & ~in_the_way);
    if (more == room) return room;
    room = more;
  }
}

}  // namespace

void CloudClosure::Board::take_off(Bitboard square) noexcept {
  for (Bitboard& men : roles) men &= ~square;
  for (Bitboard& men : colors) men &= ~square;
}

void CloudClosure::Board::put(Color color, Role role, Bitboard square) noexcept {
  take_off(square);
  roles[chess::index(role)] |= square;
  colors[index_of(color)] |= square;
}

CloudClosure::CloudClosure(const Position& start, Color winner, Hemmed hemmed) : winner_(winner) {
  const Bitboard in_the_way = hemmed == Hemmed::by_any_man ? start.occupied() : start.pieces(Role::pawn) | start.pieces(Role::king);
  World world(start, winner);
  (void)world.excludes_mate();  // only the reach is asked for
  Board board;
  board.mover = start.side_to_move();
  for (std::size_t i = 0; i < world.count(); ++i) {
    const World::Man man = world.man(i);
    const bool piece = man.role != Role::king && man.role != Role::pawn;
    if (piece && chess::count(elbow_room(man, in_the_way)) > hemmed_in) {
      clouds_.push_back({man.color, man.role, man.reach, man.start, 0});
    } else {
      board.put(man.color, man.role, man.start);
      limits_[index_of(man.color)][chess::index(man.role)] |= man.reach;
    }
  }
  start_ = key_of(board);
  standing_ = board.colors;
  throne_ = {board.men(Color::white, Role::king), board.men(Color::black, Role::king)};
}

CloudClosure::Key CloudClosure::key_of(const Board& board) noexcept {
  Key key;
  for (std::size_t role = 0; role < 6; ++role) {
    for (std::size_t plane = 0; plane < 3; ++plane) {
      if (((role + 1) >> plane & 1U) != 0) key.words[plane] |= board.roles[role];
    }
  }
  key.words[3] = board.colors[1];
  // A passed-over square lies on the third or sixth rank, well above the three flags.
  key.words[4] =
      board.passed << 3U | (board.mover == Color::black ? 1U : 0U) | (board.promoted[0] ? 2U : 0U) | (board.promoted[1] ? 4U : 0U);
  return key;
}

CloudClosure::Board CloudClosure::board_of(const Key& key) noexcept {
  Board board;
  const Bitboard occupied = key.words[0] | key.words[1] | key.words[2];
  for (std::size_t role = 0; role < 6; ++role) {
    Bitboard men = occupied;
    for (std::size_t plane = 0; plane < 3; ++plane) men &= ((role + 1) >> plane & 1U) != 0 ? key.words[plane] : ~key.words[plane];
    board.roles[role] = men;
  }
  board.colors = {occupied & ~key.words[3], key.words[3]};
  board.passed = key.words[4] >> 3U & (chess::rank_mask(2) | chess::rank_mask(5));
  board.mover = (key.words[4] & 1U) != 0 ? Color::black : Color::white;
  board.promoted = {(key.words[4] & 2U) != 0, (key.words[4] & 4U) != 0};
  return board;
}

void CloudClosure::forget_boards() {
  keys_.clear();
  table_.assign(smallest_table, 0);
}

void CloudClosure::remember(const Key& key) {
  const auto hash = [](const Key& k) {
    std::uint64_t h = 0;
    for (const std::uint64_t word : k.words) h = ((h ^ (h >> 29U)) * 0x9E3779B97F4A7C15) ^ word;
    h = (h ^ (h >> 32U)) * 0xD6E8FEB86659FD93;
    return static_cast<std::size_t>(h ^ (h >> 32U));
  };
  std::size_t mask = table_.size() - 1;
  std::size_t place = hash(key) & mask;
  for (; table_[place] != 0; place = (place + 1) & mask) {
    if (keys_[table_[place] - 1] == key) return;
  }
  keys_.push_back(key);
  table_[place] = static_cast<std::uint32_t>(keys_.size());
  if (keys_.size() * 2 <= table_.size()) return;
  std::vector<std::uint32_t> table(table_.size() * 2);
  mask = table.size() - 1;
  for (std::uint32_t i = 0; i < keys_.size(); ++i) {
    place = hash(keys_[i]) & mask;
    while (table[place] != 0) place = (place + 1) & mask;
    table[place] = i + 1;
  }
  table_.swap(table);
}

bool CloudClosure::excludes_mate(std::uint64_t& nodes) {
  if (clouds_.empty()) return false;  // then it is the ordinary closure, which does better
  while (spread()) {
    forget_boards();
    remember(start_);
    if (!list_boards(nodes)) return false;
  }
  return true;
}

bool CloudClosure::spread() {
  bool changed = false;
  for (Cloud& cloud : clouds_) {
    // Never onto a man of its own that stands there on every board, nor onto a king.
    const Bitboard open = cloud.limit & ~standing_[index_of(cloud.color)] & ~throne_[index_of(opposite(cloud.color))];
    for (;;) {
      const Bitboard entered = step(cloud.role, cloud.color, cloud.reach) & open;
      if ((entered & ~cloud.entered) == 0) break;
      changed = true;
      cloud.entered |= entered;
      cloud.reach |= entered;
    }
  }
  for (const Color color : {Color::white, Color::black}) {
    Promoted& promoted = promoted_[index_of(color)];
    const Bitboard open = ~standing_[index_of(color)] & ~throne_[index_of(opposite(color))];
    for (;;) {
      const Bitboard more = promoted.reach | promoted.arrived | (any_step(promoted.reach) & open);
      if (more == promoted.reach) break;
      changed = true;
      promoted.reach = more;
    }
  }
  return changed || keys_.empty();
}

bool CloudClosure::list_boards(std::uint64_t& nodes) {
  for (std::size_t next = 0; next < keys_.size(); ++next) {
    if (nodes == 0) return false;
    --nodes;
    const Board board = board_of(keys_[next]);
    for (const Color color : {Color::white, Color::black}) {
      standing_[index_of(color)] &= board.colors[index_of(color)];
      throne_[index_of(color)] &= board.men(color, Role::king);
    }
    if (!expand(board)) return false;
  }
  return true;
}

// Moves: at least those that some position of the board allows ------------------------------------------------------------

bool CloudClosure::expand(const Board& board) { return move_men(board) && move_pawns(board) && move_clouds(board); }

bool CloudClosure::arrive(Board board, const LastMove& last) {
  const Color moved = board.mover;
  const Color enemy = opposite(moved);
  const Bitboard king = board.men(moved, Role::king);
  // No move leaves the king where it is surely attacked: by a man of the board along a line on which no cloud can stand.
  const Bitboard obstacles = (board.occupied() & ~king) | anywhere(board, Color::white) | anywhere(board, Color::black);
  if ((attacked_by_men(board, enemy, obstacles) & king) != 0) return true;
  board.mover = enemy;
  if (moved == winner_ && mate_possible(board, last)) return false;
  remember(key_of(board));
  return true;
}

bool CloudClosure::move_men(const Board& board) {
  const Color us = board.mover;
  const Bitboard barred = board.colors[index_of(us)] | board.men(opposite(us), Role::king);
  for (const Role role : pieces) {
    for (Bitboard men = board.men(us, role); men != 0;) {
      const Square from = take_lowest(men);
      Bitboard targets = chess::piece_attacks(role, from, board.occupied()) & ~barred & limits_[index_of(us)][chess::index(role)];
      while (targets != 0) {
        const Bitboard to = bit(take_lowest(targets));
        Board next = board;
        next.passed = 0;
        next.take_off(bit(from));
        next.put(us, role, to);
        if (!arrive(next, {role == Role::king ? LastMove::Kind::king : LastMove::Kind::piece, bit(from), to})) return false;
      }
    }
  }
  return true;
}

bool CloudClosure::move_pawns(const Board& board) {
  const Color us = board.mover;
  const Color them = opposite(us);
  const Bitboard free = ~board.occupied();
  const Bitboard prey = (board.colors[index_of(them)] | anywhere(board, them)) & ~board.men(them, Role::king);
  const Bitboard third = chess::rank_mask(us == Color::white ? 2 : 5);
  for (Bitboard pawns = board.men(us, Role::pawn); pawns != 0;) {
    const Bitboard from = bit(take_lowest(pawns));
    const Bitboard push = pawn_push(from, us) & free;
    const Bitboard twice = pawn_push(push & third, us) & free;
    const Bitboard takes = pawn_attack(from, us) & ~board.colors[index_of(us)] & (prey | board.passed);
    for (Bitboard targets = push | twice | takes; targets != 0;) {
      const Bitboard to = bit(take_lowest(targets));
      Board next = board;
      next.take_off(from);
      next.passed = to == twice ? push : 0;
      LastMove last{LastMove::Kind::piece, from, to};
      if ((to & takes & board.passed) != 0) {
        const Bitboard taken = pawn_push(to, them);
        next.take_off(taken);
        last.vacated |= taken;
      }
      if ((to & last_rank(us)) != 0) {
        next.take_off(to);
        next.promoted[index_of(us)] = true;
        promoted_[index_of(us)].arrived |= to;  // the next round spreads from there
        last.kind = LastMove::Kind::cloud;      // it is one now
      } else {
        next.put(us, Role::pawn, to);
      }
      if (!arrive(next, last)) return false;
    }
  }
  return true;
}

bool CloudClosure::move_clouds(const Board& board) {
  const Color us = board.mover;
  const Color them = opposite(us);
  Bitboard entered = board.promoted[index_of(us)] ? promoted_[index_of(us)].attacks() : 0;
  for (const Cloud& cloud : clouds_) entered |= cloud.color == us ? cloud.entered : 0;
  if (entered == 0) return true;
  Board next = board;
  next.passed = 0;
  if (!arrive(next, {LastMove::Kind::cloud})) return false;
  for (Bitboard prey = entered & board.colors[index_of(them)] & ~board.men(them, Role::king); prey != 0;) {
    Board after = next;
    after.take_off(bit(take_lowest(prey)));
    if (!arrive(after, {LastMove::Kind::cloud})) return false;
  }
  return true;
}

// Mate -------------------------------------------------------------------------------------------------------------------

Bitboard CloudClosure::anywhere(const Board& board, Color color) const noexcept {
  Bitboard squares = board.promoted[index_of(color)] ? promoted_[index_of(color)].reach : 0;
  for (const Cloud& cloud : clouds_) squares |= cloud.color == color ? cloud.reach : 0;
  return squares;
}

Bitboard CloudClosure::attacked_by_men(const Board& board, Color by, Bitboard obstacles) const noexcept {
  Bitboard attacked = pawn_attack(board.men(by, Role::pawn), by);
  for (const Role role : pieces) {
    for (Bitboard men = board.men(by, role); men != 0;) attacked |= chess::piece_attacks(role, take_lowest(men), obstacles);
  }
  return attacked;
}

Bitboard CloudClosure::attacked_by_clouds(const Board& board, Color by, std::size_t but) const noexcept {
  Bitboard attacked = board.promoted[index_of(by)] ? promoted_[index_of(by)].attacks() : 0;
  for (std::size_t i = 0; i < clouds_.size(); ++i) {
    if (clouds_[i].color == by && i != but) attacked |= step(clouds_[i].role, by, clouds_[i].reach);
  }
  return attacked;
}

bool CloudClosure::mate_possible(const Board& board, const LastMove& last) const noexcept {
  const Bitboard king = board.men(opposite(winner_), Role::king);
  if (board.promoted[index_of(winner_)] && (promoted_[index_of(winner_)].attacks() & king) != 0) {
    // Little is known of promoted men: any of them may check, and the others stand anywhere.
    const Bitboard obstacles = board.occupied() & ~king;
    if (closed(board, attacked_by_men(board, winner_, obstacles) | attacked_by_clouds(board, winner_, no_cloud))) return true;
  }
  if (mate_by_man(board, last)) return true;
  for (std::size_t i = 0; i < clouds_.size(); ++i) {
    if (clouds_[i].color == winner_ && mate_by_cloud(board, last, i)) return true;
  }
  return false;
}

bool CloudClosure::mate_by_man(const Board& board, const LastMove& last) const noexcept {
  const Square king = board.king(opposite(winner_));
  const Bitboard obstacles = board.occupied() & ~bit(king);
  bool check = false;
  // The man that moved, or one behind what moved away; a cloud may have stood anywhere on the line.
  if (last.kind == LastMove::Kind::piece && (board.roles[chess::index(Role::pawn)] & last.entered) != 0) {
    check = (pawn_attack(last.entered, winner_) & bit(king)) != 0;
  }
  for (const Role role : pieces) {
    for (Bitboard men = board.men(winner_, role); men != 0 && !check;) {
      const Square from = take_lowest(men);
      if ((chess::piece_attacks(role, from, obstacles) & bit(king)) == 0) continue;
      check = last.kind == LastMove::Kind::cloud || last.entered == bit(from) || (chess::between(from, king) & last.vacated) != 0;
    }
  }
  return check && closed(board, attacked_by_men(board, winner_, obstacles) | attacked_by_clouds(board, winner_, no_cloud));
}

bool CloudClosure::mate_by_cloud(const Board& board, const LastMove& last, std::size_t cloud) const noexcept {
  const auto& [color, role, limit, reach, entered] = clouds_[cloud];
  const Square king = board.king(opposite(winner_));
  if ((step(role, color, reach) & bit(king)) == 0) return false;
  const Bitboard obstacles = board.occupied() & ~bit(king);
  const Bitboard others = attacked_by_men(board, winner_, obstacles) | attacked_by_clouds(board, winner_, cloud);
  // The squares from which it sees the king, one by one: from one square it does not attack everything.
  for (Bitboard squares = reach & ~board.occupied() & chess::piece_attacks(role, king, obstacles); squares != 0;) {
    const Square from = take_lowest(squares);
    if (last.kind != LastMove::Kind::cloud && (chess::between(from, king) & last.vacated) == 0) continue;
    if (closed(board, others | chess::piece_attacks(role, from, obstacles))) return true;
  }
  return false;
}

bool CloudClosure::closed(const Board& board, Bitboard attacked) const noexcept {
  const Color loser = opposite(winner_);
  Bitboard flights = chess::king_attacks(board.king(loser)) & ~board.colors[index_of(loser)] & ~attacked;
  if (board.promoted[index_of(loser)]) flights &= ~promoted_[index_of(loser)].reach;
  Matching matching;
  while (flights != 0) {
    const Bitboard square = bit(take_lowest(flights));
    std::uint32_t candidates = 0;
    for (std::size_t i = 0; i < clouds_.size(); ++i) {
      if (clouds_[i].color == loser && (clouds_[i].reach & square) != 0) candidates |= std::uint32_t{1} << i;
    }
    if (candidates == 0) return false;
    matching.add(candidates);
  }
  return matching.complete();
}

}  // namespace referee::laws::winnability
