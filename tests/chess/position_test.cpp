#include "referee/chess/position.hpp"

#include <random>
#include <type_traits>

#include "referee/chess/bitboard.hpp"
#include "tests/chess/helpers.hpp"

namespace referee::chess {
namespace {

static_assert(std::is_trivially_copyable_v<Position>);

[[nodiscard]] Square at(std::string_view name) { return *parse_square(name); }

/// Every move a caller could make up, legal or not.
template <typename Visit>
void each_thinkable_move(Visit visit) {
  for (unsigned from = 0; from < 64; ++from) {
    for (unsigned to = 0; to < 64; ++to) {
      const auto a = static_cast<Square>(from);
      const auto b = static_cast<Square>(to);
      visit(Move::plain(a, b));
      visit(Move::castling(a, b));
      visit(Move::en_passant(a, b));
      for (const Role role : {Role::knight, Role::bishop, Role::rook, Role::queen}) visit(Move::promotion(a, b, role));
    }
  }
}

TEST_CASE("the initial position") {
  const Position& position = Position::initial();
  CHECK(position.side_to_move() == Color::white);
  CHECK(position.piece_at(at("e1")) == Piece{Color::white, Role::king});
  CHECK(position.piece_at(at("d8")) == Piece{Color::black, Role::queen});
  CHECK_FALSE(position.piece_at(at("e4")));
  CHECK(position.castling_rooks() == (bit(at("a1")) | bit(at("h1")) | bit(at("a8")) | bit(at("h8"))));
  CHECK(position.halfmove_clock() == 0);
  CHECK(position.fullmove_number() == 1);
  CHECK(position.legal_moves().size() == 20);
  CHECK_FALSE(position.in_check());
  CHECK(position == position_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
}

TEST_CASE("the most legal moves known: 218") {
  const Position position = position_of("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
  CHECK(position.legal_moves().size() == 218);
  CHECK(position.count_legal_moves() == 218);
}

TEST_CASE("counting, listing, asking and existing agree, for all thinkable moves") {
  for (const auto* fen : {
           "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
           "8/2p5/3p4/KP5r/1R3pPk/8/4P3/8 b - g3 0 1",
           "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
           "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
           "8/8/8/8/8/8/6k1/4K2R w K - 0 1",
           "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
           "7k/5K2/6Q1/8/8/8/8/8 b - - 0 1",
           "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
       }) {
    INFO(fen);
    const Position position = position_of(fen);
    const MoveList moves = position.legal_moves();
    CHECK(position.count_legal_moves() == moves.size());
    CHECK(position.has_legal_move() == !moves.empty());
    std::size_t legal = 0;
    each_thinkable_move([&](Move move) {
      const bool answer = position.is_legal(move);
      legal += answer ? 1 : 0;
      if (answer != moves.contains(move)) FAIL_CHECK("is_legal differs for " << move.raw());
    });
    CHECK(legal == moves.size());
  }
}

TEST_CASE("mate and stalemate") {
  CHECK(position_of("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3").is_checkmate());
  CHECK(position_of("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1").is_stalemate());
  const Position smothered = position_of("6rk/5Npp/8/8/8/8/8/K7 b - - 0 1");
  CHECK(smothered.is_checkmate());
  CHECK_FALSE(smothered.is_stalemate());
  CHECK(smothered.checkers() == bit(at("f7")));
}

TEST_CASE("a pinned man attacks all the same (article 3.1)") {
  const Position position = position_of("R4rk1/8/8/8/8/8/8/4K2R w K - 0 1");
  CHECK(position.attackers(at("f1"), Color::black, position.occupied()) == bit(at("f8")));
  CHECK(position.attackers(at("f8"), Color::white, position.occupied()) == bit(at("a8")));
}

TEST_CASE("en passant is kept only while a legal capture exists") {
  const auto kept = [](std::string_view fen) { return position_of(fen).en_passant().has_value(); };
  CHECK(kept("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"));
  CHECK_FALSE(kept("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1"));      // nobody beside it
  CHECK_FALSE(kept("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1"));      // not given
  CHECK_FALSE(kept("8/8/8/K2pP2r/8/8/8/7k w - d6 0 1"));      // both leave the rank
  CHECK_FALSE(kept("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1"));   // pinned on the file
  CHECK_FALSE(kept("6kb/8/8/3pP3/8/2K5/8/8 w - d6 0 1"));     // pinned on the diagonal
  CHECK(kept("8/6b1/8/2PpP3/3K4/8/8/6k1 w - d6 0 1"));        // one of two capturers is pinned, the other may
  CHECK(kept("7k/8/8/3pP3/4K3/8/8/8 w - d6 0 1"));            // capturing the man that gives check
  CHECK_FALSE(kept("4r2k/8/8/2PpP3/8/8/8/4K2r w - d6 0 1"));  // another check stays
}

TEST_CASE("en passant is a fact of one ply only") {
  const auto line = played("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5 e1d1");
  CHECK(line[1].en_passant() == at("d6"));
  CHECK_FALSE(line[2].en_passant());
}

TEST_CASE("castling rights are rook squares and go with king or rook, moved or taken") {
  const std::string_view fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
  CHECK(to_fen(played(fen, "e1e2").back()) == "r3k2r/8/8/8/8/8/4K3/R6R b kq - 1 1");
  CHECK(to_fen(played(fen, "a1b1").back()) == "r3k2r/8/8/8/8/8/8/1R2K2R b Kkq - 1 1");
  CHECK(to_fen(played(fen, "h1h8").back()) == "r3k2R/8/8/8/8/8/8/R3K3 b Qq - 0 1");
  CHECK(to_fen(played(fen, "e1g1 e8c8").back()) == "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2");
}

TEST_CASE("castling between any squares") {
  // King and rook change places, or only one of them moves; both sides' rooks on different files (double Chess960).
  CHECK(to_fen(played("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1").back()) == "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
  CHECK(to_fen(played("4k3/8/8/8/8/8/8/2RK4 w C - 0 1", "d1c1").back()) == "4k3/8/8/8/8/8/8/2KR4 b - - 1 1");
  CHECK(to_fen(played("4k3/8/8/8/8/8/8/1RK5 w B - 0 1", "c1b1").back()) == "4k3/8/8/8/8/8/8/2KR4 b - - 1 1");
  CHECK(to_fen(played("1r1k4/8/8/8/8/8/8/4K1R1 w Gb - 0 1", "e1g1 d8b8").back()) == "2kr4/8/8/8/8/8/8/5RK1 w - - 2 2");
}

TEST_CASE("castling needs free ways and no attacked square") {
  // The castling rook is the king's shield: it may not leave.
  CHECK_FALSE(is_legal_uci(position_of("4k3/8/8/8/8/8/8/q1RK4 w C - 0 1"), "d1c1"));
  CHECK_FALSE(is_legal_uci(position_of("4k3/8/8/8/8/8/8/qRK5 w B - 0 1"), "c1b1"));
  CHECK_FALSE(is_legal_uci(position_of("4k3/8/8/8/8/8/8/1RK4q w B - 0 1"), "c1b1"));  // out of check
  // A man on the rook's way beyond the king's.
  CHECK_FALSE(is_legal_uci(position_of("4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1"), "e1c1"));
  CHECK_FALSE(is_legal_uci(position_of("4k3/8/8/8/8/8/8/RK1N4 w A - 0 1"), "b1a1"));
  CHECK_FALSE(is_legal_uci(position_of("4k3/8/8/8/8/8/8/KRN5 w B - 0 1"), "a1b1"));
  // Crossing an attacked square.
  CHECK_FALSE(is_legal_uci(position_of("2k1r3/8/8/8/8/8/8/1K4R1 w G - 0 1"), "b1g1"));
  CHECK(is_legal_uci(position_of("r1k5/8/8/8/8/8/8/1K4R1 w G - 0 1"), "b1g1"));
}

TEST_CASE("counters") {
  const auto line = played("4k3/8/8/8/8/8/4P3/4K2r w - - 7 30", "e1d2 h1h3 e2e4");
  CHECK(line[1].halfmove_clock() == 8);
  CHECK(line[1].fullmove_number() == 30);
  CHECK(line[2].fullmove_number() == 31);
  CHECK(line[3].halfmove_clock() == 0);
  // They stop at their last number instead of beginning anew.
  const auto end = played("4k3/8/8/8/8/8/8/4K3 b - - 65535 65535", "e8e7");
  CHECK(end[1].halfmove_clock() == 65535);
  CHECK(end[1].fullmove_number() == 65535);
}

TEST_CASE("what captures and what zeroes") {
  const Position position = position_of("4k3/8/8/3pP3/8/7r/7P/4K2R w K d6 0 1");
  CHECK(position.is_capture(Move::en_passant(at("e5"), at("d6"))));
  CHECK(position.is_zeroing(Move::plain(at("e5"), at("e6"))));
  CHECK_FALSE(position.is_capture(Move::plain(at("e5"), at("e6"))));
  CHECK_FALSE(position.is_capture(Move::castling(at("e1"), at("h1"))));
  CHECK_FALSE(position.is_zeroing(Move::castling(at("e1"), at("h1"))));
}

/// splitmix64 as published by its author, to tell that the keys are its output and no machine's or library's.
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t state) : state_(state) {}
  std::uint64_t operator()() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111eb;
    return z ^ (z >> 31U);
  }

 private:
  std::uint64_t state_;
};

TEST_CASE("the key is the published generator's, so it is the same everywhere") {
  SplitMix reference(1234567);  // the generator's own known answer
  REQUIRE(reference() == 6457827717110365317U);
  SplitMix next(0x5245464552454521);
  std::uint64_t pieces[2][6][64];
  for (auto& color : pieces) {
    for (auto& role : color) {
      for (auto& square : role) square = next();
    }
  }
  std::uint64_t rooks[64];
  for (auto& square : rooks) square = next();
  std::uint64_t files[8];
  for (auto& file : files) file = next();
  const std::uint64_t black = next();

  const Position position = position_of("4k3/8/8/8/3Pp3/8/8/4K2R b K d3 0 1");
  const auto piece = [&](Color color, Role role, std::string_view square) { return pieces[index(color)][index(role)][index(at(square))]; };
  CHECK(position.key() ==
        (piece(Color::white, Role::king, "e1") ^ piece(Color::white, Role::rook, "h1") ^ piece(Color::white, Role::pawn, "d4") ^
         piece(Color::black, Role::pawn, "e4") ^ piece(Color::black, Role::king, "e8") ^ rooks[index(at("h1"))] ^ files[3] ^ black));
}

TEST_CASE("random games: key, text and men stay consistent") {
  std::mt19937 random(5);
  for (const auto* start : {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", "8/PPPk4/8/8/8/8/4Kppp/8 w - - 0 1"}) {
    for (int game = 0; game < 30; ++game) {
      Position position = position_of(start);
      for (int ply = 0; ply < 120; ++ply) {
        const MoveList moves = position.legal_moves();
        if (moves.empty()) break;
        position.play(moves[random() % moves.size()]);
        const Position again = position_of(to_fen(position), FenReading::lenient);
        REQUIRE(again == position);
        REQUIRE(again.key() == position.key());
        REQUIRE(position_of(to_shredder_fen(position), FenReading::lenient) == position);
        REQUIRE(position.attackers(position.king(opposite(position.side_to_move())), position.side_to_move(), position.occupied()) == 0);
        REQUIRE((position.pieces(Color::white) & position.pieces(Color::black)) == 0);
        REQUIRE(position.count_legal_moves() == position.legal_moves().size());
      }
    }
  }
}

TEST_CASE("same position: counters do not matter, rights and en passant do") {
  const auto same = [](std::string_view a, std::string_view b) { return position_of(a).same_position(position_of(b)); };
  CHECK(same("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 44 90"));
  CHECK_FALSE(same("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/4K2R w - - 0 1"));
  CHECK_FALSE(same("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/4K2R b K - 0 1"));
  CHECK_FALSE(same("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1"));
  CHECK(same("8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", "8/8/8/K2pP2r/8/8/8/7k w - - 0 1"));
  CHECK_FALSE(position_of("4k3/8/8/8/8/8/8/4K2R w K - 0 1") == position_of("4k3/8/8/8/8/8/8/4K2R w K - 1 1"));
}

}  // namespace
}  // namespace referee::chess
