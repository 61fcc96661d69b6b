// Soundness by walking: random legal games refute any proof that claims too much.
#include <array>
#include <optional>

#include "referee/chess/bitboard.hpp"
#include "referee/laws/winnability_closure.hpp"
#include "referee/laws/winnability_clouds.hpp"
#include "referee/laws/winnability_forced.hpp"
#include "referee/laws/winnability_saturation.hpp"
#include "tests/laws/winnability_helpers.hpp"

using namespace winnability_tests;
using namespace referee::laws::winnability;
using referee::chess::MoveKind;
using referee::chess::Role;
using referee::chess::Square;
using referee::laws::can_mate;

namespace {

constexpr std::array<Color, 2> sides{Color::white, Color::black};

std::vector<Position> starts() {
  std::vector<Position> all;
  for (const char* list : {"generated.txt", "reasoned.txt"}) {
    std::size_t n = 0;
    for (const Known& known : shipped_list(list)) {
      if (++n % 4 == 0) all.push_back(at(known.fen));
    }
  }
  for (const char* fen :
       {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 0 9", "1k6/8/8/8/8/8/8/3K1RR1 w K - 0 1"}) {
    all.push_back(at(fen));
  }
  return all;
}

/// Which man of a World stands where, followed through a game.
class Roll {
 public:
  explicit Roll(const World& world) {
    for (std::size_t i = 0; i < world.count(); ++i) man_on_[index(referee::chess::lowest(world.man(i).start))] = static_cast<int>(i);
  }
  /// Returns the man taken, if any; `mover` are those that moved.
  std::optional<std::size_t> play(const Position& before, Move move, std::array<std::optional<std::size_t>, 2>& movers) {
    movers = {};
    const auto from = index(move.from());
    if (move.kind() == MoveKind::castling) {
      const int rank = rank_of(move.from());
      const bool king_side = index(move.to()) > from;
      const int king = man_on_[from];
      const int rook = man_on_[index(move.to())];
      man_on_[from] = man_on_[index(move.to())] = -1;
      man_on_[index(referee::chess::make_square(king_side ? 6 : 2, rank))] = king;
      man_on_[index(referee::chess::make_square(king_side ? 5 : 3, rank))] = rook;
      movers = {static_cast<std::size_t>(king), static_cast<std::size_t>(rook)};
      return std::nullopt;
    }
    std::optional<std::size_t> taken;
    auto victim = index(move.to());
    if (move.kind() == MoveKind::en_passant) victim = index(referee::chess::make_square(file_of(move.to()), rank_of(move.from())));
    if (before.is_capture(move)) {
      taken = static_cast<std::size_t>(man_on_[victim]);
      man_on_[victim] = -1;
    }
    movers[0] = static_cast<std::size_t>(man_on_[from]);
    man_on_[index(move.to())] = man_on_[from];
    man_on_[from] = -1;
    return taken;
  }
  [[nodiscard]] int man_on(unsigned square) const { return man_on_[square]; }

 private:
  std::array<int, 64> man_on_ = [] {
    std::array<int, 64> none{};
    none.fill(-1);
    return none;
  }();
};

}  // namespace

TEST_CASE("in random games every man stays within the reach that saturation gives it") {
  Dice dice(1);
  for (const Position& start : starts()) {
    if (start.en_passant() || !start.has_legal_move()) continue;
    for (const Color winner : sides) {
      World world(start, winner);
      (void)world.excludes_mate();
      const auto bare = [winner](const Position& p) { return p.pieces(winner) == p.pieces(winner, Role::king); };
      for (int game = 0; game < 4; ++game) {
        Position position = start;
        Roll roll(world);
        for (int ply = 0; ply < 60; ++ply) {
          const auto moves = position.legal_moves();
          if (moves.empty()) break;
          const Move move = moves[dice.below(moves.size())];
          std::array<std::optional<std::size_t>, 2> movers;
          const auto taken = roll.play(position, move, movers);
          position.play(move);
          // Once the winner has a bare king nothing is claimed any more.
          if (bare(position)) break;
          INFO(to_fen(start) << " " << name(winner) << " after ply " << ply << ": " << to_fen(position));
          if (taken) REQUIRE(world.man(*taken).takeable);
          for (unsigned square = 0; square < 64; ++square) {
            if (roll.man_on(square) < 0) continue;
            const World::Man man = world.man(static_cast<std::size_t>(roll.man_on(square)));
            REQUIRE((man.reach >> square & 1U) != 0);
            if (man.role == Role::pawn && position.role_at(static_cast<Square>(square)) != Role::pawn) REQUIRE(man.promotes);
          }
          for (const auto& mover : movers) {
            if (mover) REQUIRE(world.man(*mover).entered != 0);
          }
        }
      }
    }
  }
}

TEST_CASE("no proof survives a mate that random play brings about") {
  Dice dice(2);
  std::size_t mates = 0;
  std::size_t proofs = 0;
  for (const Position& start : starts()) {
    for (int game = 0; game < 3; ++game) {
      Position position = start;
      std::array<bool, 2> excluded{};
      for (int ply = 0; ply < 80; ++ply) {
        for (const Color winner : sides) {
          const bool no = referee::laws::cannot_mate_quick(position, winner);
          proofs += no;
          // What was proven once stays proven.
          if (no) excluded[index(winner)] = true;
          INFO(to_fen(start) << " -> " << to_fen(position) << " " << name(winner));
          if (mated_by(position, winner)) {
            ++mates;
            REQUIRE_FALSE(excluded[index(winner)]);
          }
        }
        const auto moves = position.legal_moves();
        if (moves.empty()) break;
        position.play(moves[dice.below(moves.size())]);
      }
    }
  }
  CHECK(mates > 20);
  CHECK(proofs > 1000);
}

TEST_CASE("a verdict does not change when the position is played on, colours swapped or files mirrored") {
  Dice dice(3);
  const auto swapped = [](const std::string& fen) {
    // Ranks upside down and colours swapped: the same game for the other side.
    std::string placement = fen.substr(0, fen.find(' '));
    std::string made;
    std::size_t end = placement.size();
    while (true) {
      const auto slash = placement.rfind('/', end - 1);
      const std::size_t begin = slash == std::string::npos ? 0 : slash + 1;
      for (std::size_t i = begin; i < end; ++i) {
        const char c = placement[i];
        made += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      }
      if (begin == 0) break;
      made += '/';
      end = begin - 1;
    }
    return made + (fen[fen.find(' ') + 1] == 'w' ? " b" : " w") + " - - 0 1";
  };
  const auto mirrored = [](const std::string& fen) {
    std::string made;
    std::string rank;
    const auto end = fen.find(' ');
    for (std::size_t i = 0; i <= end; ++i) {
      if (i == end || fen[i] == '/') {
        made.append(rank.rbegin(), rank.rend());
        rank.clear();
        if (i < end) made += '/';
      } else {
        rank += fen[i];
      }
    }
    return made + fen.substr(end, 2) + " - - 0 1";
  };
  std::size_t n = 0;
  for (const Known& known : shipped_list("generated.txt")) {
    if (++n % 10 != 0 || known.fen.find(" - - ") == std::string::npos) continue;
    INFO(known.fen);
    for (const Color winner : sides) {
      const CanMate truth = (winner == Color::white ? known.white : known.black) ? CanMate::yes : CanMate::no;
      REQUIRE(can_mate(at(swapped(known.fen)), opposite(winner), WinnabilityBudget::verdict()).verdict == truth);
      REQUIRE(can_mate(at(mirrored(known.fen)), winner, WinnabilityBudget::verdict()).verdict == truth);
      if (truth == CanMate::yes) continue;
      Position position = at(known.fen);
      for (int ply = 0; ply < 12; ++ply) {
        const auto moves = position.legal_moves();
        if (moves.empty()) break;
        position.play(moves[dice.below(moves.size())]);
        INFO(to_fen(position));
        REQUIRE(can_mate(position, winner, {20'000}).verdict != CanMate::yes);
      }
    }
  }
}

TEST_CASE("what saturation and clouds exclude, the closure does not find") {
  // Random walls: blocked pairs of pawns, kings and bishops anywhere.
  Dice dice(4);
  std::size_t excluded = 0;
  std::size_t found = 0;
  for (int n = 0; n < 3000; ++n) {
    std::array<char, 64> board{};
    board.fill(' ');
    const auto put = [&](char man, std::size_t square) {
      if (board[square] == ' ') board[square] = man;
    };
    const std::size_t height = 2 + dice.below(3);
    for (std::size_t file = dice.below(2); file < 8; file += 2) {
      const std::size_t rank = height + (dice.below(5) == 0 ? 1 : 0);
      put('P', rank * 8 + file);
      put('p', (rank + 1) * 8 + file);
    }
    put('K', dice.below(64));
    put('k', dice.below(64));
    for (std::size_t i = dice.below(4); i > 0; --i) put(dice.below(2) == 0 ? 'B' : 'b', dice.below(64));
    if (dice.below(6) == 0) put(dice.below(2) == 0 ? 'R' : 'n', dice.below(64));
    std::string fen;
    for (int rank = 7; rank >= 0; --rank) {
      int gap = 0;
      for (int file = 0; file < 8; ++file) {
        const char man = board[static_cast<std::size_t>(rank * 8 + file)];
        if (man == ' ') {
          ++gap;
          continue;
        }
        if (gap > 0) fen += std::to_string(gap);
        gap = 0;
        fen += man;
      }
      if (gap > 0) fen += std::to_string(gap);
      if (rank > 0) fen += '/';
    }
    const auto read = referee::chess::parse_fen(fen + (dice.below(2) == 0 ? " w" : " b") + " - - 0 1");
    if (!read || !read.position().has_legal_move()) continue;
    const Position& position = read.position();
    for (const Color winner : sides) {
      INFO(to_fen(position) << " " << name(winner));
      const bool saturated = saturation_excludes_mate(position, winner);
      bool clouded = false;
      for (const auto hemmed : {CloudClosure::Hemmed::by_any_man, CloudClosure::Hemmed::by_pawns_and_kings}) {
        std::uint64_t nodes = 500;
        clouded = clouded || CloudClosure(position, winner, hemmed).excludes_mate(nodes);
      }
      excluded += saturated;
      std::uint64_t nodes = saturated || clouded ? 10'000 : 500;
      Closure closure(position, winner);
      const auto state = closure.advance(nodes, 100'000);
      found += state == Closure::State::mate;
      if (saturated || clouded) REQUIRE(state != Closure::State::mate);
    }
  }
  CHECK(excluded > 50);
  CHECK(found > 100);
}

TEST_CASE("clouds never exclude a mate that is known to exist") {
  std::size_t asked = 0;
  for (const char* list : {"generated.txt", "reasoned.txt"}) {
    for (const Known& known : shipped_list(list)) {
      const Position position = at(known.fen);
      if (position.en_passant() || position.castling_rooks() != 0 || !position.has_legal_move()) continue;
      for (const Color winner : sides) {
        if (!(winner == Color::white ? known.white : known.black)) continue;
        for (const auto hemmed : {CloudClosure::Hemmed::by_any_man, CloudClosure::Hemmed::by_pawns_and_kings}) {
          std::uint64_t nodes = 300;
          INFO(known.fen << " " << name(winner));
          REQUIRE_FALSE(CloudClosure(position, winner, hemmed).excludes_mate(nodes));
          ++asked;
        }
      }
    }
  }
  CHECK(asked > 3000);
}
