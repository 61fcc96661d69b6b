#include "referee/cli/judgement.hpp"

#include <stdexcept>
#include <utility>

#include "referee/chess/fen.hpp"
#include "referee/game/game.hpp"
#include "referee/laws/mating.hpp"

namespace referee::cli {

namespace {

using chess::Color;
using chess::index;
using chess::opposite;
using laws::CanMate;

[[nodiscard]] game::Verdict verdict_of(CanMate can_mate) noexcept {
  switch (can_mate) {
    case CanMate::yes:
      return game::Verdict::can_mate;
    case CanMate::no:
      return game::Verdict::cannot_mate;
    case CanMate::undecided:
      break;
  }
  return game::Verdict::undecided;
}

[[nodiscard]] std::optional<bool> dead(const std::array<laws::Winnability, 2>& winnability) noexcept {
  bool all_no = true;
  for (const laws::Winnability& each : winnability) {
    if (each.verdict == CanMate::yes) return false;
    all_no = all_no && each.verdict == CanMate::no;
  }
  return all_no ? std::optional(true) : std::nullopt;
}

[[nodiscard]] FlagFall after_ending(const game::Outcome& outcome) {
  return {game::result_text(outcome), std::string(game::code(outcome.reason)), outcome.article, outcome.undecided};
}

[[nodiscard]] FlagFall flag_fall(const laws::Edition& edition, const Judgement& judgement, Color flag) {
  const Color winner = opposite(flag);
  CanMate can_mate = CanMate::yes;
  if (edition.flag_unwinnable_is_draw) {
    can_mate = edition.timeout_draw == laws::DeadPositionTest::fide
                   ? judgement.winnability[index(winner)].verdict
                   : laws::can_mate_under(edition.timeout_draw, judgement.position, winner, laws::WinnabilityBudget::answer_path());
  }
  game::Outcome outcome;
  outcome.reason = can_mate == CanMate::no ? game::Reason::flag_fall_unwinnable : game::Reason::flag_fall;
  outcome.score = can_mate == CanMate::no ? game::draw : game::win_for(winner);
  outcome.article = laws::article(edition, "flag");
  outcome.undecided = can_mate == CanMate::undecided;
  return after_ending(outcome);
}

[[nodiscard]] std::string after_move(const game::Game& game) {
  const game::Outcome& outcome = *game.outcome();
  const std::string at = game.moves().empty() ? "before the first move" : "after move " + std::to_string(game.moves().size());
  return "the game had ended " + at + " (" + std::string(game::code(outcome.reason)) + "), expected no more moves";
}

/// The game as the edition sees it. Under an edition after the first, moves that follow an ending are set aside.
[[nodiscard]] game::Game play(const JudgeQuestion& question, const chess::Position& start,
                              const std::shared_ptr<const laws::Edition>& edition) {
  game::GameSetup setup;
  setup.start = start;
  setup.chess960 = question.chess960;
  setup.opening_moves = question.moves;
  return game::Game(std::move(setup), edition);
}

[[nodiscard]] EditionJudgement judge_under(game::Game& game, const std::shared_ptr<const laws::Edition>& edition,
                                           const Judgement& judgement) {
  EditionJudgement made;
  made.edition = edition;
  // What the quick test of the game left open may be proven by now.
  if (!game.outcome()) {
    for (const Color winner : {Color::white, Color::black}) {
      const laws::Winnability& found = judgement.winnability[index(winner)];
      game.apply({{}, game::WinnabilityVerdict{static_cast<int>(game.plies()), winner, verdict_of(found.verdict), found.nodes}});
    }
  }
  made.ending = game.outcome();
  if (made.ending) {
    made.if_flags = {after_ending(*made.ending), after_ending(*made.ending)};
    return made;
  }
  if (game.claimable(game::ClaimRule::threefold)) made.claimable.emplace_back("threefold");
  if (game.claimable(game::ClaimRule::fifty)) made.claimable.emplace_back("fifty");
  made.if_flags = {flag_fall(*edition, judgement, Color::white), flag_fall(*edition, judgement, Color::black)};
  return made;
}

}  // namespace

std::variant<Judgement, JudgeRefusal> judge_position(const JudgeQuestion& question,
                                                     const std::vector<std::shared_ptr<const laws::Edition>>& editions,
                                                     laws::WinnabilityBudget budget) {
  chess::FenResult read = question.chess960 ? chess::parse_fen(question.fen) : chess::parse_standard_fen(question.fen);
  if (!read) {
    const chess::FenError& error = read.error();
    return JudgeRefusal{"column " + std::to_string(error.column) + ": " + error.message, std::string(chess::name(error.field))};
  }
  try {
    game::Game game = play(question, read.position(), editions.front());
    if (game.moves().size() < question.moves.size()) return JudgeRefusal{after_move(game), "moves"};
    Judgement made{game.position(),
                   question.chess960 ? chess::CastlingText::king_takes_rook : chess::CastlingText::king_two_squares,
                   read.assumptions(),
                   game.occurrences(),
                   {laws::can_mate(game.position(), Color::white, budget), laws::can_mate(game.position(), Color::black, budget)},
                   std::nullopt,
                   {}};
    made.dead = dead(made.winnability);
    made.editions.push_back(judge_under(game, editions.front(), made));
    for (std::size_t i = 1; i < editions.size(); ++i) {
      game::Game other = play(question, read.position(), editions[i]);
      made.editions.push_back(judge_under(other, editions[i], made));
    }
    return made;
  } catch (const std::invalid_argument& error) { return JudgeRefusal{error.what(), "moves"}; }
}

}  // namespace referee::cli
