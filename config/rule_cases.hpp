// Rule cases: a position, an event and the right ruling by edition, as typed values (referee case).
//
//   for (const RuleCase& rule_case : read_rule_cases("matches/cases/mine.yaml").cases) ...
//
// Reading is strict: unknown keys, kinds and words are refused with file:line:column and a suggestion, and so are a position that is none
// and moves before the event that are not legal. Times are written in milliseconds, with decimals where needed.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "config/error.hpp"
#include "referee/chess/types.hpp"
#include "referee/clock/time_control.hpp"
#include "referee/game/event.hpp"
#include "referee/game/outcome.hpp"
#include "referee/laws/edition.hpp"

namespace referee::config {

using chess::Color;

/// White's and Black's value of something.
struct ByColor {
  int white = 0, black = 0;
};
struct ClockTimes {
  clock::Duration white{}, black{};
};

// The kinds of events (`event: {type: ...}`) --------------------------------------------------------------------------------
enum class ClaimMode { on_board, intended };

/// type: status. What the position is, after the moves.
struct StatusEvent {};
/// type: legality. Is this move legal?
struct LegalityEvent {
  std::string uci;
};
/// type: move. A move arrives after `used` of its player's clock.
struct MoveEvent {
  Color side = Color::white;
  std::string uci;
  clock::Duration used{};
  clock::Duration margin{};                  // margin_ms: asked for; a FIDE edition knows none
  std::optional<clock::Duration> increment;  // increment_ms
  bool offer_draw = false;
};
/// type: illegal_move. `prior` = illegal moves of both players before it.
struct IllegalMoveEvent {
  Color side = Color::white;
  std::string text;
  std::string kind;  // for the reader: piece_movement, castling_out_of_check, promotion_incomplete ...
  clock::Duration used{};
  clock::Duration increment{};
  ByColor prior;
  bool claimed_before_reply = true;  // false: where only the opponent may claim it, he does not
};
/// type: claim. The clocks are those at which it stopped them.
struct ClaimEvent {
  Color side = Color::white;
  game::ClaimRule rule = game::ClaimRule::threefold;
  ClaimMode mode = ClaimMode::on_board;
  std::string uci;  // the intended move
};
/// type: flag_fall. The running clock of `side` has run out.
struct FlagFallEvent {
  Color side = Color::white;
};
/// type: flag_claim.
struct FlagClaimEvent {
  Color claimant = Color::white;
  bool white_flag_down = false, black_flag_down = false;
};
/// type: both_flags.
struct BothFlagsEvent {
  bool first_known = false;
  bool last_period = true;  // period: last | not_last
};
/// type: resign.
struct ResignEvent {
  Color side = Color::white;
};
/// type: arbiter.
struct ArbiterEvent {
  game::OrderKind command = game::OrderKind::warn;
  std::optional<Color> side;
  clock::Duration time{};                // time_ms
  int white_score = 0, black_score = 0;  // hundredths; written as 0, 0.5, 1
  std::string text;
  std::string reason;
};
struct OfferDraw {
  Color side = Color::white;
};
struct AcceptDraw {
  Color side = Color::white;
};
struct DeclineDraw {
  Color side = Color::white;
};
/// One step of a sequence (`do: move | illegal | claim | offer_draw | accept_draw | decline_draw | flag_fall | resign | arbiter`).
struct SequenceStep {
  std::variant<MoveEvent, IllegalMoveEvent, ClaimEvent, OfferDraw, AcceptDraw, DeclineDraw, FlagFallEvent, ResignEvent, ArbiterEvent> body;
  Place place;
};
/// type: sequence.
struct SequenceEvent {
  std::vector<SequenceStep> steps;
  std::optional<clock::Duration> increment;  // increment_ms of the time control
};
/// type: clock_run. Thinking times in turn; needs the case's time_control.
struct ClockRunEvent {
  std::vector<std::pair<Color, clock::Duration>> think;
};
/// type: classify. Standard, rapid or blitz?
struct ClassifyEvent {
  clock::Duration base{}, increment{};
};
/// type: quickplay_claim, and what the arbiter does about it.
struct QuickplayClaimEvent {
  enum class Answer { none, accept, reject, postpone };
  Color side = Color::white;
  Answer ruling = Answer::none;
  bool award = false;  // postpone: the opponent gets his time
  struct Later {
    Color flag = Color::white;
    enum class Final { draw, loss } final = Final::draw;
  };
  std::optional<Later> later;  // after a postponed decision this flag falls and the arbiter decides
};
/// type: quickplay_increment_request.
struct IncrementRequestEvent {
  Color side = Color::white;
  bool opponent_accepts_draw = false;
  std::optional<bool> granted;  // ruling: grant | refuse (or reject) | none
};
/// type: resume. The adjourned game goes on; exactly one of `sealed` (UCI) and `sealed_text` (as written) or neither (a lost envelope).
struct ResumeEvent {
  Color sealed_by = Color::white;
  std::string sealed;
  std::string sealed_text;
  bool white_present = false, black_present = false;
  clock::Duration late{};  // late_ms of the one who is not there
};
/// type: arrival.
struct ArrivalEvent {
  Color side = Color::white;
  clock::Duration late{};
  std::optional<clock::Duration> event_default;  // event_default_minutes
};
/// type: arrivals. Both; nullopt (null) = does not come.
struct ArrivalsEvent {
  std::optional<clock::Duration> white_late, black_late;
  std::optional<clock::Duration> event_default;
};
/// type: engine_start. Ready so long after the start; nullopt (null) = never.
struct EngineStartEvent {
  Color side = Color::white;
  std::optional<clock::Duration> ready_after;  // ready_ms
};
/// type: notation. A move in a language's letters.
struct NotationEvent {
  std::string language;
  std::string text;
};
/// type: setup. May a game start here?
struct SetupEvent {};
/// type: irregularity.
struct IrregularityEvent {
  enum class Kind { colours_reversed, wrong_start };
  Kind kind = Kind::colours_reversed;
  int moves_each = 0;
};

using CaseEvent =
    std::variant<StatusEvent, LegalityEvent, MoveEvent, IllegalMoveEvent, ClaimEvent, FlagFallEvent, FlagClaimEvent, BothFlagsEvent,
                 ResignEvent, SequenceEvent, ClockRunEvent, ClassifyEvent, QuickplayClaimEvent, IncrementRequestEvent, ResumeEvent,
                 ArrivalEvent, ArrivalsEvent, EngineStartEvent, NotationEvent, SetupEvent, ArbiterEvent, IrregularityEvent>;

// What is right ---------------------------------------------------------------------------------------------------------------
enum class CaseOutcome { play_on /* continue */, game_over, annulled, refused };

/// Every field that is given must hold in every edition named.
struct Expectation {
  std::vector<std::string> editions;  // ids, or files of the user's own (as load_edition takes them)
  Place place;
  std::optional<CaseOutcome> outcome;
  std::optional<std::string> result;  // "1-0" "0-1" "1/2-1/2" "0-0" "1/2-0" "0-1/2" "*"
  std::optional<game::Reason> reason;
  std::optional<std::string> decision;
  std::optional<std::string> article;
  std::optional<ClockTimes> clocks;
  std::optional<bool> legal;
  std::optional<std::string> fen_after;
  std::optional<bool> counts_as_draw_offer;
  std::optional<int> occurrences;
  std::optional<std::string> must_play;
  std::optional<Color> to_move;
  std::optional<Color> running;
  std::optional<int> illegal_count;
  std::optional<ByColor> illegal_counts;
  std::optional<std::string> touched;
  std::optional<std::vector<std::string>> allowed_replacements;
  std::optional<int> ends_at_step;
  std::optional<std::vector<std::optional<clock::Duration>>> remaining_after_each;  // nullopt = the flag falls ("flag")
  std::optional<laws::Category> category;
  std::optional<clock::Duration> increment;
  std::optional<std::string> uci;
  std::optional<std::string> san_en;
  std::optional<std::string> error;
  std::string why;  // for the reader
};

struct RuleCase {
  std::string id;
  std::string title;
  Place place;
  std::map<std::string, std::string, std::less<>> articles;  // by edition, for the reader
  std::optional<laws::Category> category;                    // absent: standard, or from the time control
  std::optional<laws::Supervision> supervision;
  bool chess960 = false;
  std::optional<std::string> start_fen;  // absent: the normal start
  std::vector<std::string> moves;        // UCI, completed before the event
  std::optional<std::string> fen_after_moves;
  std::optional<ClockTimes> clocks;
  std::optional<clock::TimeControl> time_control;
  std::optional<bool> initial_increment;  // absent: false in a clock_run, else the edition's
  CaseEvent event;
  std::vector<Expectation> expect;
  std::string note, design_decision;
};

struct RuleCaseFile {
  std::string path;
  std::vector<RuleCase> cases;
  struct Unreadable {
    std::string id;  // "" where it has none
    ConfigError error;
  };
  std::vector<Unreadable> unreadable;  // BadCase::collected
};

enum class BadCase {
  refused,    // throw at the first case that cannot be read
  collected,  // the others are read all the same
};

/// Throw ConfigException.
[[nodiscard]] RuleCaseFile read_rule_cases(const std::string& path, BadCase bad = BadCase::refused);
[[nodiscard]] RuleCaseFile parse_rule_cases(const std::string& text, const std::string& path, BadCase bad = BadCase::refused);

}  // namespace referee::config
