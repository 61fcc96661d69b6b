#include "referee/laws/penalties.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

namespace referee::laws {

using chess::Move;
using chess::Role;
using chess::Square;

bool follows_standard_procedure(const Edition& edition, Category category, Supervision supervision) noexcept {
  return category != Category::standard && supervision == Supervision::adequate && edition.supervised_illegal_move.has_value();
}

IllegalMoveRule illegal_move_rule(const Edition& edition, Category category, Supervision supervision) noexcept {
  if (!follows_standard_procedure(edition, category, supervision)) return edition.illegal_move[static_cast<std::size_t>(category)];
  const SupervisedIllegalMove& supervised = *edition.supervised_illegal_move;
  IllegalMoveRule rule = edition.illegal_move[static_cast<std::size_t>(Category::standard)];
  rule.opponent_bonus = category == Category::rapid ? supervised.rapid_bonus : supervised.blitz_bonus;
  rule.forfeit_at = supervised.forfeit_at;
  rule.correct_until = supervised.correct_until;
  return rule;
}

std::string_view illegal_move_subject(const Edition& edition, Category category, Supervision supervision) noexcept {
  if (category == Category::standard || follows_standard_procedure(edition, category, supervision)) return "illegal_move";
  return category == Category::rapid ? "illegal_move_rapid" : "illegal_move_blitz";
}

bool arbiter_intervenes(const IllegalMoveRule& rule, bool promotion_unfinished) noexcept {
  return promotion_unfinished && rule.claim_needed && rule.forfeit_at != 1;
}

namespace {

struct Touch {
  Square first;
  std::optional<Square> second;
  bool castling = false;
};

std::optional<Square> square_at(std::string_view text, std::size_t offset) {
  return text.size() < offset + 2 ? std::nullopt : chess::parse_square(text.substr(offset, 2));
}

std::optional<Touch> touched(const chess::Position& position, std::string_view text) {
  if (text.starts_with("O-O") || text.starts_with("0-0") || text.starts_with("o-o")) {
    return Touch{position.king(position.side_to_move()), std::nullopt, true};
  }
  const auto first = square_at(text, 0);
  if (!first) return std::nullopt;
  Touch touch{*first, square_at(text, text.size() > 2 && text[2] == '-' ? 3 : 2), false};
  if (touch.second && *first == position.king(position.side_to_move())) {
    const auto there = position.piece_at(*touch.second);
    const bool own_rook = there && *there == chess::Piece{position.side_to_move(), Role::rook};
    const bool two_squares =
        chess::rank_of(*first) == chess::rank_of(*touch.second) && std::abs(chess::file_of(*first) - chess::file_of(*touch.second)) == 2;
    touch.castling = own_rook || two_squares;
  }
  return touch;
}

std::vector<Move> moves_from(const chess::MoveList& legal, Square from) {
  std::vector<Move> found;
  std::copy_if(legal.begin(), legal.end(), std::back_inserter(found), [from](Move move) { return move.from() == from; });
  return found;
}

std::vector<Move> captures_on(const chess::Position& position, const chess::MoveList& legal, Square target) {
  std::vector<Move> found;
  for (const Move move : legal) {
    if (!position.is_capture(move)) continue;
    const Square captured =
        move.kind() == chess::MoveKind::en_passant ? chess::make_square(chess::file_of(move.to()), chess::rank_of(move.from())) : move.to();
    if (captured == target) found.push_back(move);
  }
  return found;
}

}  // namespace

std::vector<Move> replacement_moves(const chess::Position& position, std::string_view rejected) {
  const auto touch = touched(position, rejected);
  if (!touch) return {};
  const auto piece = position.piece_at(touch->first);
  if (!piece) return {};
  const chess::MoveList legal = position.legal_moves();
  if (piece->color != position.side_to_move()) return captures_on(position, legal, touch->first);
  std::vector<Move> found = moves_from(legal, touch->first);
  if (!found.empty() || touch->castling || !touch->second) return found;
  const auto target = position.piece_at(*touch->second);
  if (target && target->color != position.side_to_move()) return captures_on(position, legal, *touch->second);
  return {};
}

bool is_null_move(std::string_view text) noexcept {
  static constexpr std::array<std::string_view, 7> forms{"0000", "(none)", "none", "NULL", "null", "(null)", "@@@@"};
  return std::find(forms.begin(), forms.end(), text) != forms.end();
}

}  // namespace referee::laws
