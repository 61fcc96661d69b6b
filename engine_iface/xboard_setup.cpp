#include "engine_iface/xboard_setup.hpp"

#include <algorithm>
#include <bit>

#include "engine_iface/text.hpp"
#include "engine_iface/told_clock.hpp"

namespace referee::engine {

namespace {

/// "5", "0:05", "65:30".
void append_minutes(std::string& out, long long seconds) {
  append_number(out, seconds / 60);
  if (seconds % 60 == 0) return;
  out += seconds % 60 < 10 ? ":0" : ":";
  append_number(out, seconds % 60);
}

}  // namespace

void append_level(std::string& out, int moves, Duration base, Duration increment) {
  out += "level ";
  append_number(out, moves);
  out += ' ';
  append_minutes(out, whole_seconds(base).count());
  out += ' ';
  const auto ms = std::max(std::chrono::duration_cast<std::chrono::milliseconds>(increment).count(), 0L);
  append_number(out, ms / 1000);
  if (ms % 1000 != 0) {
    std::string decimals = std::to_string(1000 + ms % 1000).substr(1);
    while (decimals.back() == '0') decimals.pop_back();
    out.append(".").append(decimals);
  }
  out += '\n';
}

std::string level_of_seconds(Duration per_move) {
  std::string out = "level 1 ";
  append_minutes(out, whole_seconds(per_move).count());
  out += '\n';
  return out;
}

void append_seconds_per_move(std::string& out, Duration per_move) {
  out += "st ";
  append_number(out, whole_seconds(per_move).count());
  out += '\n';
}

void append_edit(std::string& out, const chess::Position& position, std::string_view move_prefix) {
  if (position.side_to_move() == chess::Color::black) out.append(move_prefix).append("a2a3\n");
  out += "edit\n#\n";
  for (const auto color : {chess::Color::white, chess::Color::black}) {
    if (color == chess::Color::black) out += "c\n";
    for (auto men = position.pieces(color); men != 0; men &= men - 1) {
      const auto square = static_cast<chess::Square>(std::countr_zero(men));
      out += chess::letter({chess::Color::white, position.piece_at(square)->role});
      out += chess::to_string(square);
      out += '\n';
    }
  }
  out += ".\n";
}

std::string lost_in_edit(const chess::Position& position) {
  std::string lost;
  const auto add = [&](std::string_view what) { lost.append(lost.empty() ? "" : ", ").append(what); };
  // The engine infers the rights from kings and rooks on their home squares.
  chess::Bitboard implied = 0;
  for (const auto color : {chess::Color::white, chess::Color::black}) {
    const int rank = color == chess::Color::white ? 0 : 7;
    if (position.king(color) != chess::make_square(4, rank)) continue;
    for (const int file : {0, 7}) {
      const auto corner = chess::make_square(file, rank);
      if ((position.pieces(color, chess::Role::rook) & chess::bit(corner)) != 0) implied |= chess::bit(corner);
    }
  }
  if (implied != position.castling_rooks()) add("castling rights");
  if (position.en_passant()) add("en passant");
  if (position.halfmove_clock() != 0) add("the half-move clock");
  return lost;
}

void append_xboard_move(std::string& out, const GameLine::Ply& ply, bool chess960, bool san) {
  const bool castling = ply.move.kind() == chess::MoveKind::castling;
  if (castling && (chess960 || san)) {
    out += chess::file_of(ply.move.to()) > chess::file_of(ply.move.from()) ? "O-O" : "O-O-O";
  } else if (san) {
    std::string_view text = ply.san;
    while (!text.empty() && (text.back() == '+' || text.back() == '#')) text.remove_suffix(1);
    out += text;
  } else {
    out += ply.uci;
  }
}

}  // namespace referee::engine
