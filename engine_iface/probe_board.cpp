#include "engine_iface/probe_board.hpp"

#include <set>
#include <string>

#include "referee/chess/fen.hpp"
#include "referee/chess/notation.hpp"

namespace referee::engine {

const std::vector<std::string_view>& probe_positions() {
  static const std::vector<std::string_view> positions = {
      "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
      "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
      "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
      "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
      "4k3/8/8/8/4pP2/8/8/4K2R b K f3 0 1",
      "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1",
      "4k3/P7/8/8/8/8/7p/4K3 b - - 0 1",
      "7k/8/5Q2/8/8/8/8/K7 b - - 0 1",
      "3r1k2/8/8/8/8/8/3q4/R3K2R w KQ - 0 1",
      "8/8/8/8/8/3k4/4p3/4K3 w - - 99 120",
  };
  return positions;
}

const std::vector<std::string_view>& probe_chess960_positions() {
  static const std::vector<std::string_view> positions = {
      "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
      "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1",
      "r1k2r1q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K2R1Q b KQkq - 0 1",
      "4k3/8/8/8/8/8/8/6KR w H - 0 1",
  };
  return positions;
}

namespace {

/// A FEN without its counters: a position as the rule on repetition sees it, or finer.
std::string without_counters(const chess::Position& position) {
  std::string fen = chess::to_fen(position);
  fen.erase(fen.rfind(' ', fen.rfind(' ') - 1));
  return fen;
}

}  // namespace

GameLine probe_game(std::size_t plies) {
  GameLine line;
  std::set<std::string> seen{without_counters(line.current)};
  std::uint32_t state = 2463534242;
  for (std::size_t ply = 0; ply < plies; ++ply) {
    const auto moves = line.current.legal_moves();
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    // From the drawn move on, the first that captures nothing and leaves a game. A pawn moves every twenty to forty moves, so that neither
    // the men nor the fifty moves run out; no position comes twice.
    for (std::size_t tries = 0; tries < 2 * moves.size(); ++tries) {
      const auto move = moves[(state + tries) % moves.size()];
      const bool patient = tries < moves.size();
      const bool pawn_due = line.current.halfmove_clock() >= 40;
      if (patient && (line.current.is_capture(move) || line.current.is_zeroing(move) != pawn_due)) continue;
      const auto next = line.current.after(move);
      if (!next.has_legal_move() || !seen.insert(without_counters(next)).second) continue;
      line.plies.push_back(
          {chess::to_uci(line.current, move, chess::CastlingText::king_two_squares), chess::to_san(line.current, move), move});
      line.current = next;
      break;
    }
    if (line.plies.size() != ply + 1) break;
  }
  return line;
}

std::string moves_text(const GameLine& line) {
  std::string text;
  for (const auto& ply : line.plies) {
    if (!text.empty()) text += ' ';
    text += ply.uci;
  }
  return text;
}

}  // namespace referee::engine
