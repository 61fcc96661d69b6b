#include "config/rule_cases.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>

#include "config/case_events.hpp"
#include "config/editions.hpp"
#include "config/engine_entry.hpp"
#include "config/match_names.hpp"
#include "config/rule_case_facts.hpp"
#include "config/yaml.hpp"

namespace referee::config {

namespace {

constexpr int most_count = 100'000;
constexpr std::size_t most_moves = 10'000;
constexpr YamlLimits case_limits{16U << 20U, 1'000'000, 24};

constexpr std::array<Named<laws::Category>, 3> categories{
    {{"standard", laws::Category::standard}, {"rapid", laws::Category::rapid}, {"blitz", laws::Category::blitz}}};

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> found;
  std::size_t start = 0;
  while ((start = text.find_first_not_of(" \t\n", start)) != std::string::npos) {
    const std::size_t end = std::min(text.find_first_of(" \t\n", start), text.size());
    found.push_back(text.substr(start, end - start));
    start = end;
  }
  return found;
}

std::vector<std::string> text_list(const YamlValue& value, const std::string& file, std::string_view expected) {
  if (!value.is_sequence()) fail(file, value.place, shown(value), std::string(expected));
  std::vector<std::string> texts;
  for (const YamlValue& item : value.items) texts.push_back(as_text(item, file, expected));
  return texts;
}

void check_edition_name(const YamlValue& value, const std::string& file) {
  const std::string& name = as_text(value, file, "the id of an edition");
  const bool is_path = name.find('/') != std::string::npos || (name.size() > 5 && name.substr(name.size() - 5) == ".yaml");
  const auto& ids = edition_ids();
  if (is_path || std::find(ids.begin(), ids.end(), name) != ids.end()) return;
  const auto guess = nearest_name(name, ids);
  std::string expected = guess ? "'" + *guess + "'" : "one of";
  if (!guess) {
    for (const auto& id : ids) expected += " " + id;
  }
  fail(file, value.place, "there is no edition '" + name + "'", expected);
}

/// The times after each turn; "flag" where it falls.
std::vector<std::optional<clock::Duration>> read_remaining(const YamlValue& value, const std::string& file) {
  if (!value.is_sequence()) fail(file, value.place, shown(value), "a list of milliseconds or 'flag'");
  std::vector<std::optional<clock::Duration>> times;
  for (const YamlValue& item : value.items) {
    if (item.is_scalar() && item.text == "flag") {
      times.emplace_back(std::nullopt);
    } else {
      times.emplace_back(read_milliseconds(item, file));
    }
  }
  return times;
}

Expectation read_expectation(const YamlValue& value, const std::string& file) {
  constexpr std::array<Named<CaseOutcome>, 4> outcomes{{{"continue", CaseOutcome::play_on},
                                                        {"game_over", CaseOutcome::game_over},
                                                        {"annulled", CaseOutcome::annulled},
                                                        {"refused", CaseOutcome::refused}}};
  constexpr std::array<std::string_view, 10> results{"1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2", "1-1", "1-1/2", "1/2-1", "*"};
  YamlMap map(value, file, "the expectation");
  Expectation expect;
  expect.place = value.place;
  const YamlValue& editions = map.need("editions");
  expect.editions = text_list(editions, file, "a list of editions");
  if (expect.editions.empty()) fail(file, editions.place, "no edition is named", "a list of editions");
  for (const YamlValue& edition : editions.items) check_edition_name(edition, file);
  const auto says = [](const YamlValue::Entry& entry) { return entry.key != "editions" && entry.key != "why"; };
  if (std::none_of(value.entries.begin(), value.entries.end(), says))
    fail(file, value.place, "the expectation expects nothing", "a value, as in outcome, result or clocks");

  const auto text = [&](std::string_view key, std::optional<std::string>& field) {
    if (const auto* found = map.find(key)) field = as_text(*found, file);
  };
  const auto count = [&](std::string_view key, std::optional<int>& field) {
    if (const auto* found = map.find(key)) field = static_cast<int>(as_integer(*found, file, 0, most_count));
  };
  const auto flag = [&](std::string_view key, std::optional<bool>& field) {
    if (const auto* found = map.find(key)) field = as_bool(*found, file);
  };
  const auto side = [&](std::string_view key, std::optional<Color>& field) {
    if (const auto* found = map.find(key)) field = read_color(*found, file);
  };
  if (const auto* outcome = map.find("outcome")) expect.outcome = as_choice<CaseOutcome>(*outcome, file, outcomes);
  if (const auto* result = map.find("result")) {
    expect.result = as_text(*result, file, "a result");
    if (std::find(results.begin(), results.end(), *expect.result) == results.end()) {
      refuse_choice(*result, file, {results.begin(), results.end()});
    }
  }
  if (const auto* reason = map.find("reason")) {
    const game::Reason read = game::parse_reason(as_text(*reason, file, "a reason code"));
    if (read == game::Reason::none) {
      std::vector<std::string> codes;
      for (int i = 1; i <= static_cast<int>(game::Reason::aborted); ++i) codes.emplace_back(game::code(static_cast<game::Reason>(i)));
      refuse_choice(*reason, file, codes);
    }
    expect.reason = read;
  }
  text("decision", expect.decision);
  text("article", expect.article);
  if (const auto* clocks = map.find("clocks")) expect.clocks = read_clock_times(*clocks, file);
  flag("legal", expect.legal);
  text("fen_after", expect.fen_after);
  flag("counts_as_draw_offer", expect.counts_as_draw_offer);
  count("occurrences", expect.occurrences);
  text("must_play", expect.must_play);
  side("to_move", expect.to_move);
  side("running", expect.running);
  count("illegal_count", expect.illegal_count);
  if (const auto* counts = map.find("illegal_counts")) expect.illegal_counts = read_by_color(*counts, file);
  text("touched", expect.touched);
  if (const auto* moves = map.find("allowed_replacements")) expect.allowed_replacements = text_list(*moves, file, "a list of moves");
  count("ends_at_step", expect.ends_at_step);
  if (const auto* times = map.find("remaining_after_each")) expect.remaining_after_each = read_remaining(*times, file);
  if (const auto* category = map.find("category")) expect.category = as_choice<laws::Category>(*category, file, categories);
  if (const auto* increment = map.find("increment_ms")) expect.increment = read_milliseconds(*increment, file);
  text("uci", expect.uci);
  text("san_en", expect.san_en);
  text("error", expect.error);
  if (const auto* why = map.find("why")) expect.why = as_text(*why, file);
  map.refuse_unknown();
  return expect;
}

clock::TimeControl read_case_time_control(const YamlValue& value, const std::string& file, std::optional<bool>& initial_increment) {
  using clock::Mode;
  if (value.is_scalar()) return read_time_control(value, file);
  std::vector<Named<Mode>> modes;
  for (const Mode mode : {Mode::increment, Mode::delay, Mode::bronstein, Mode::hourglass, Mode::move_time, Mode::infinite}) {
    modes.push_back({clock::name(mode), mode});
  }
  YamlMap map(value, file, "'time_control'");
  clock::TimeControl control;
  if (const auto* mode = map.find("mode")) control.mode = as_choice<Mode>(*mode, file, modes);
  if (const auto* first = map.find("initial_increment")) initial_increment = as_bool(*first, file);
  const YamlValue* periods = map.find("periods");
  map.refuse_unknown();
  if (control.mode == Mode::infinite) return control;
  if (periods == nullptr || !periods->is_sequence() || periods->items.empty())
    fail(file, value.place, "'time_control' has no periods", "a list of periods");
  for (const YamlValue& item : periods->items) {
    if (!control.periods.empty() && control.periods.back().moves == 0) {
      fail(file, item.place, "a period after one that has all the remaining moves", "moves in every period but the last");
    }
    YamlMap keys(item, file, "the period");
    clock::Period period;
    if (const auto* moves = keys.find("moves")) period.moves = static_cast<int>(as_integer(*moves, file, 0, most_count));
    period.base = read_milliseconds(keys.need("base_ms"), file);
    if (const auto* increment = keys.find("increment_ms")) period.increment = read_milliseconds(*increment, file);
    if (const auto* delay = keys.find("delay_ms")) period.delay = read_milliseconds(*delay, file);
    keys.refuse_unknown();
    const auto zero = clock::Duration::zero();
    if (period.base < zero || period.increment < zero || period.delay < zero)
      fail(file, item.place, "a negative time", "milliseconds, 0 or more");
    if (period.base + period.increment == zero) fail(file, item.place, "the period has no time", "a time or an increment above zero");
    control.periods.push_back(period);
  }
  return control;
}

/// The position and the moves of a case: refused where they stand. A `setup` asks whether the position is one.
void check_board(const RuleCase& rule_case, const YamlMap& map) {
  const auto refuse = [&](std::string_view key, std::string message, std::string expected) {
    const auto& entries = map.value().entries;
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return entry.key == key; });
    fail(map.file(), found == entries.end() ? rule_case.place : found->value.place, std::move(message), std::move(expected));
  };
  if (std::holds_alternative<SetupEvent>(rule_case.event)) return;
  const chess::FenResult start = start_of(rule_case);
  if (!start) refuse("start_fen", std::string(chess::name(start.error().field)) + ": " + start.error().message, "a FEN");
  chess::Position position = start.position();
  for (std::size_t i = 0; i < rule_case.moves.size(); ++i) {
    const chess::MoveText read = chess::read_uci(position, rule_case.moves[i], castling_of(rule_case));
    const auto* found = std::get_if<chess::ReadMove>(&read);
    if (found == nullptr)
      refuse("moves", "half-move " + std::to_string(i + 1) + ": " + std::get<chess::MoveTextError>(read).message,
             "legal moves in UCI form");
    position.play(found->move);
  }
  if (rule_case.fen_after_moves && chess::to_fen(position) != *rule_case.fen_after_moves)
    refuse("fen_after_moves", "the moves lead elsewhere", chess::to_fen(position));
  const auto* resume = std::get_if<ResumeEvent>(&rule_case.event);
  if (resume != nullptr && resume->sealed_by != position.side_to_move())
    refuse("event", "sealed_by: it is not that side's move", std::string(chess::name(position.side_to_move())));
}

RuleCase read_case(const YamlValue& value, const std::string& file) {
  YamlMap map(value, file, "the case");
  RuleCase rule_case;
  rule_case.place = value.place;
  rule_case.id = as_text(map.need("id"), file, "the case's id");
  if (rule_case.id.empty()) fail(file, value.place, "the case's id is empty", "a name");
  if (const auto* title = map.find("title")) rule_case.title = as_text(*title, file);
  if (const auto* articles = map.find("article")) {
    YamlMap by_edition(*articles, file, "'article'");
    for (const auto& entry : articles->entries) rule_case.articles[entry.key] = as_text(entry.value, file, "an article");
  }
  if (const auto* category = map.find("category")) rule_case.category = as_choice<laws::Category>(*category, file, categories);
  if (const auto* supervision = map.find("supervision")) {
    rule_case.supervision = as_choice<laws::Supervision>(*supervision, file, supervisions);
  }
  if (const auto* chess960 = map.find("chess960")) rule_case.chess960 = as_bool(*chess960, file);
  if (const auto* fen = map.find("start_fen")) rule_case.start_fen = as_text(*fen, file, "a FEN");
  if (const auto* moves = map.find("moves")) {
    rule_case.moves = words(moves->is_null() ? std::string() : as_text(*moves, file, "moves in UCI form"));
    if (rule_case.moves.size() > most_moves) fail(file, moves->place, "too many moves", "at most 10000");
  }
  if (const auto* fen = map.find("fen_after_moves")) rule_case.fen_after_moves = as_text(*fen, file, "a FEN");
  if (const auto* clocks = map.find("clocks")) rule_case.clocks = read_clock_times(*clocks, file);
  if (const auto* control = map.find("time_control")) {
    rule_case.time_control = read_case_time_control(*control, file, rule_case.initial_increment);
  }
  const YamlValue& event = map.need("event");
  rule_case.event = read_case_event(event, file);
  if (std::holds_alternative<ClockRunEvent>(rule_case.event) && !rule_case.time_control) {
    fail(file, event.place, "a clock_run without a time control", "'time_control' in the case");
  }
  const YamlValue& expect = map.need("expect");
  if (!expect.is_sequence() || expect.items.empty()) fail(file, expect.place, "'expect' is " + shown(expect), "a list of expectations");
  std::set<std::string> named;
  for (const YamlValue& item : expect.items) {
    Expectation& read = rule_case.expect.emplace_back(read_expectation(item, file));
    for (const std::string& edition : read.editions) {
      if (!named.insert(edition).second)
        fail(file, item.place, "the edition '" + edition + "' is named twice", "each edition once in a case");
    }
  }
  if (const auto* note = map.find("note")) rule_case.note = as_text(*note, file);
  if (const auto* decision = map.find("design_decision")) rule_case.design_decision = as_text(*decision, file);
  // Kept with a case by those who write it: how it was checked, and for which editions nothing is said.
  static_cast<void>(map.find("verified"));
  static_cast<void>(map.find("uncertain"));
  map.refuse_unknown();
  check_board(rule_case, map);
  return rule_case;
}

std::string id_of(const YamlValue& value) {
  for (const auto& entry : value.entries) {
    if (entry.key == "id" && entry.value.is_scalar()) return entry.value.text;
  }
  return {};
}

}  // namespace

chess::CastlingText castling_of(const RuleCase& rule_case) noexcept {
  return rule_case.chess960 ? chess::CastlingText::king_takes_rook : chess::CastlingText::king_two_squares;
}

chess::FenResult start_of(const RuleCase& rule_case) {
  const std::string fen = rule_case.start_fen.value_or("startpos");
  return rule_case.chess960 ? chess::parse_fen(fen) : chess::parse_standard_fen(fen);
}

RuleCaseFile read_rule_cases(const std::string& path, BadCase bad) {
  return parse_rule_cases(read_text_file(path, case_limits), path, bad);
}

RuleCaseFile parse_rule_cases(const std::string& text, const std::string& path, BadCase bad) {
  const YamlValue root = parse_yaml(text, path, case_limits);
  YamlMap map(root, path, "the file of cases");
  if (const auto* schema = map.find("schema")) static_cast<void>(as_integer(*schema, path, 1, 1));
  const YamlValue& cases = map.need("cases");
  map.refuse_unknown();
  if (!cases.is_sequence()) fail(path, cases.place, "'cases' is " + shown(cases), "a list of cases");
  RuleCaseFile file;
  file.path = path;
  std::unordered_map<std::string, std::size_t> lines;
  for (const YamlValue& item : cases.items) {
    try {
      RuleCase rule_case = read_case(item, path);
      const auto [found, is_new] = lines.emplace(rule_case.id, item.place.line);
      if (!is_new) {
        fail(path, item.place, "the id '" + rule_case.id + "' is used twice, first at line " + std::to_string(found->second),
             "an id of its own");
      }
      file.cases.push_back(std::move(rule_case));
    } catch (const ConfigException& problem) {
      if (bad == BadCase::refused) throw;
      file.unreadable.push_back({id_of(item), problem.error()});
    }
  }
  return file;
}

}  // namespace referee::config
