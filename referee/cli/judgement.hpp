// What the Laws say about one position: the answer of `judge`, before it is printed.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "referee/chess/notation.hpp"
#include "referee/chess/position.hpp"
#include "referee/game/outcome.hpp"
#include "referee/laws/edition.hpp"
#include "referee/laws/winnability.hpp"

namespace referee::cli {

struct JudgeQuestion {
  std::string fen = "startpos";
  std::vector<std::string> moves;  // UCI text, played from the position first
  bool chess960 = false;           // castling is read and written as king takes rook
};

/// Why there is no answer. `field`: placement side castling en-passant halfmove fullmove position moves json.
struct JudgeRefusal {
  std::string error;
  std::string field;
};

/// What it would mean if this flag fell now.
struct FlagFall {
  std::string result;  // "1-0" ...
  std::string reason;
  std::string article;
  bool undecided = false;  // whether the opponent can mate was not found out: the ordinary result stands
};

/// What depends on the edition.
struct EditionJudgement {
  std::shared_ptr<const laws::Edition> edition;
  std::optional<game::Outcome> ending;
  std::vector<std::string> claimable;  // "threefold", "fifty"
  std::array<FlagFall, 2> if_flags;    // by colour of the flag; after an ending, that ending
};

struct Judgement {
  chess::Position position;
  chess::CastlingText castling;
  std::vector<std::string> notes;  // what was taken for granted in the question
  int occurrences = 1;
  std::array<laws::Winnability, 2> winnability;  // by colour of the winner
  /// Article 3 alone, whatever the edition: neither can mate by any series of legal moves; nullopt if that was not found out.
  std::optional<bool> dead;
  std::vector<EditionJudgement> editions;  // as asked for; at least one
};

/// Needs: at least one edition. The moves are played under the first; a move after an ending is refused, as is an illegal one.
[[nodiscard]] std::variant<Judgement, JudgeRefusal> judge_position(const JudgeQuestion& question,
                                                                   const std::vector<std::shared_ptr<const laws::Edition>>& editions,
                                                                   laws::WinnabilityBudget budget);

}  // namespace referee::cli
