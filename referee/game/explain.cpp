#include "referee/game/explain.hpp"

#include <cstdlib>
#include <utility>

#include "referee/game/words.hpp"

namespace referee::game {

namespace {

using std::string;

string who(Color side) { return string(title(side)); }
string who(const std::optional<Color>& side) { return side ? who(*side) : "both players"; }
string opponent(Color side) { return who(chess::opposite(side)); }

string score_text(int white, int black) {
  Outcome outcome;
  outcome.score = {white, black};
  return result_text(outcome);
}

string seconds(Duration time) {
  string text = std::to_string(time / std::chrono::seconds(1));
  string fraction = std::to_string(std::abs((time % std::chrono::seconds(1)).count()));
  fraction.insert(0, 9 - fraction.size(), '0');
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  return text + (fraction.empty() ? "" : "." + fraction) + " s";
}

string quoted(const string& text) { return text.empty() ? "" : " \"" + shown(text) + "\""; }

string rule_name(ClaimRule rule) { return rule == ClaimRule::threefold ? "threefold repetition" : "fifty moves"; }

string failure_name(FailureKind kind) {
  switch (kind) {
    case FailureKind::crash:
      return "crash";
    case FailureKind::disconnect:
      return "disconnect";
    case FailureKind::stall:
      return "stall";
    case FailureKind::protocol_error:
      break;
  }
  return "protocol error";
}

struct EventWords {
  string operator()(const TurnStarted& e) const { return who(e.side) + "'s clock is started"; }
  string operator()(const MoveReceived& e) const {
    return who(e.side) + " moves:" + quoted(e.text) + (e.two_hands ? " with both hands" : "");
  }
  string operator()(const TimeExpired& e) const { return who(e.side) + "'s time is looked at"; }
  string operator()(const DrawOffered& e) const { return who(e.side) + " offers a draw"; }
  string operator()(const DrawAccepted& e) const { return who(e.side) + " accepts a draw"; }
  string operator()(const DrawDeclined& e) const { return who(e.side) + " declines a draw"; }
  string operator()(const DrawClaimed& e) const {
    return who(e.side) + " claims a draw by " + rule_name(e.rule) +
           (e.intended_move.empty() ? ", on the board" : ", intending" + quoted(e.intended_move));
  }
  string operator()(const FlagClaimed& e) const {
    return who(e.claimant) + " claims a win on time; flags down:" + (e.white_flag_down ? " White" : "") +
           (e.black_flag_down ? " Black" : "");
  }
  string operator()(const BothFlagsDown& e) const {
    return e.first_known ? "both flags are down, the order is known" : "both flags are down";
  }
  string operator()(const QuickplayClaimed& e) const { return who(e.side) + " claims a draw in the quickplay finish"; }
  string operator()(const IncrementRequested& e) const { return who(e.side) + " asks for an increment"; }
  string operator()(const Resigned& e) const { return who(e.side) + " resigns"; }
  string operator()(const ResultClaimed& e) const {
    return who(e.side) + " says that the game ended " + score_text(e.white_score, e.black_score) + quoted(e.text);
  }
  string operator()(const IllegalMoveClaimed& e) const { return who(e.side) + " calls the opponent's move illegal" + quoted(e.text); }
  string operator()(const PlayerArrived& e) const {
    return who(e.side) + " arrives" + (e.late > Duration::zero() ? " " + seconds(e.late) + " late" : "");
  }
  string operator()(const PlayerReady& e) const { return who(e.side) + " is ready"; }
  string operator()(const PlayerLate& e) const {
    return (e.both ? string("neither player") : who(e.side)) + (e.both ? " is" : " is not") + " there when the limit is over";
  }
  string operator()(const EngineFailed& e) const {
    return who(e.side) + "'s engine fails (" + failure_name(e.kind) + ")" + quoted(e.detail);
  }
  string operator()(const EvaluationReported& e) const {
    string text = who(e.side) + "'s score:";
    if (e.mate) return text + " mate " + std::to_string(*e.mate);
    return text + (e.centipawns ? " " + std::to_string(*e.centipawns) + " centipawns" : " none");
  }
  string operator()(const TablebaseReported& e) const { return "the tablebase says " + score_text(e.white_score, e.black_score); }
  string operator()(const WinnabilityVerdict& e) const {
    const string can = e.verdict == Verdict::can_mate      ? "can mate"
                       : e.verdict == Verdict::cannot_mate ? "cannot mate"
                                                           : "may or may not mate";
    return "found out: after half-move " + std::to_string(e.ply) + " " + who(e.side) + " " + can;
  }
  string operator()(const ArbiterOrder& e) const {
    string text = "order " + string(name(e.kind));
    if (e.side) text += " for " + who(*e.side);
    if (e.time != Duration::zero()) text += ", " + seconds(e.time);
    text += quoted(e.text);
    if (!e.why.empty()) text += ", because " + e.why;
    return text;
  }
  string operator()(const Aborted& e) const { return "the match stops the game" + quoted(e.why); }
};

struct RulingWords {
  string operator()(const MoveAccepted& r) const {
    return "accepted: " + r.san + ", " + seconds(r.used) + " used, " + describe_time(r.remaining) + " left" +
           (r.note.empty() ? "" : " (" + r.note + ")");
  }
  string operator()(const MoveRejected& r) const {
    string text = "not accepted:" + quoted(r.text);
    switch (r.kind) {
      case IllegalKind::malformed:
        text += " is no move";
        break;
      case IllegalKind::illegal:
        text += " is illegal";
        break;
      case IllegalKind::promotion_missing:
        text += " names no piece to promote to";
        break;
      case IllegalKind::null_move:
        text += " moves nothing";
        break;
      case IllegalKind::out_of_turn:
        text += " is out of turn";
        break;
      case IllegalKind::not_the_touched_piece:
        text += " is not what must be played";
        break;
      case IllegalKind::two_hands:
        text += " was made with both hands";
        break;
    }
    if (r.count > 0) text += "; illegal moves of " + who(r.side) + ": " + std::to_string(r.count);
    if (r.queen_placed) text += "; a queen takes the pawn's place";
    if (r.opponent_bonus > Duration::zero()) text += "; " + opponent(r.side) + " is given " + seconds(r.opponent_bonus);
    if (!r.replacements.empty()) {
      text += "; to be played now:";
      for (const chess::Move move : r.replacements) text += " " + chess::to_string(move.from()) + chess::to_string(move.to());
    }
    return text;
  }
  string operator()(const ClocksChanged& r) const {
    return "clocks: White " + describe_time(r.white) + ", Black " + describe_time(r.black) +
           (r.running ? ", " + who(*r.running) + "'s runs" : "");
  }
  string operator()(const ClaimUpheld& r) const { return who(r.side) + "'s claim is right"; }
  string operator()(const ClaimRejected& r) const {
    string text = who(r.side) + "'s claim is wrong; " + opponent(r.side) + " is given " + seconds(r.opponent_bonus);
    if (r.claimant_deduction > Duration::zero()) text += ", " + who(r.side) + " loses " + seconds(r.claimant_deduction);
    if (!r.must_play.empty()) text += "; " + r.must_play + " must be played";
    return text;
  }
  string operator()(const ClaimInadmissible& r) const {
    return who(r.side) + "'s claim is not admissible" + (r.counts_as_offer ? "; it counts as a draw offer" : "");
  }
  string operator()(const OfferPending& r) const { return who(r.side) + "'s draw offer stands"; }
  string operator()(const OfferLapsed& r) const { return who(r.side) + "'s draw offer has lapsed"; }
  string operator()(const OfferRefused& r) const { return who(r.side) + " cannot agree to a draw now"; }
  string operator()(const Warned& r) const { return "warning to " + who(r.side) + ": " + r.text; }
  string operator()(const AwaitingArbiter& r) const { return "the arbiter decides: " + r.question; }
  string operator()(const Adjourned& r) const { return "adjourned; " + who(r.sealer) + "'s move is in the envelope"; }
  string operator()(const Resumed&) const { return "play is resumed"; }
  string operator()(const Paused&) const { return "play is interrupted"; }
  string operator()(const Ignored& r) const { return "not taken notice of: " + r.why; }
  string operator()(const OrderRefused& r) const { return "the order is refused: " + r.why; }
  string operator()(const GameOver& r) const {
    string text = "game over: " + result_text(r.outcome) + ", " + string(code(r.outcome.reason));
    if (r.outcome.undecided) text += " (whether the opponent can mate is not decided)";
    return text + (r.outcome.detail.empty() ? "" : ": " + r.outcome.detail);
  }
};

}  // namespace

string describe(const EventBody& event) { return std::visit(EventWords{}, event); }

string describe(const Ruling& ruling) {
  return std::visit(RulingWords{}, ruling.body) + (ruling.article.empty() ? "" : " (article " + ruling.article + ")");
}

string describe_time(Duration time) {
  if (time == Duration::max()) return "no clock";
  const bool negative = time < Duration::zero();
  if (negative) time = -time;
  const auto total = time / std::chrono::seconds(1);
  const auto two_digits = [](auto value) { return (value < 10 ? "0" : "") + std::to_string(value); };
  string text = negative ? "-" : "";
  text += total >= 3600 ? std::to_string(total / 3600) + ":" + two_digits(total / 60 % 60) : std::to_string(total / 60);
  text += ":" + two_digits(total % 60);
  string fraction = std::to_string((time % std::chrono::seconds(1)).count());
  fraction.insert(0, 9 - fraction.size(), '0');
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  return fraction.empty() ? text : text + "." + fraction;
}

string diagram(const chess::Position& position) {
  string text;
  for (int rank = 7; rank >= 0; --rank) {
    text += static_cast<char>('1' + rank);
    text += ' ';
    for (int file = 0; file < 8; ++file) {
      const auto piece = position.piece_at(chess::make_square(file, rank));
      text += ' ';
      text += piece ? chess::letter(*piece) : '.';
    }
    text += '\n';
  }
  text += "   a b c d e f g h   " + who(position.side_to_move()) + " to move";
  return text;
}

}  // namespace referee::game
