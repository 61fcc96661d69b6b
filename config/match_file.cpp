#include "config/match_file.hpp"
#include "engine_iface/protocol_base.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <unordered_map>

#include "config/command_path.hpp"
#include "config/editions.hpp"
#include "config/engine_entry.hpp"
#include "config/match_names.hpp"
#include "config/match_tree.hpp"
#include "config/used_files.hpp"
#include "config/yaml.hpp"
#include "referee/game/printable.hpp"

namespace referee::config {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_engines = 1'000;
constexpr int most_moves = 10'000;
constexpr int most_games = 10'000'000;
constexpr int largest_score = 100'000;  // centipawns

int as_int(const YamlValue& value, const std::string& file, int least, int most) {
  return static_cast<int>(as_integer(value, file, least, most));
}

/// A key that only some kinds of schedule have.
void belongs_to(const YamlValue* value, const std::string& file, std::string_view key, bool fits, std::string_view kinds) {
  if (value != nullptr && !fits)
    fail(file, value->place, "'" + std::string(key) + "' belongs to another kind of schedule", std::string(kinds));
}

Schedule read_schedule(const YamlValue& value, const std::string& file, const std::string& folder) {
  Schedule schedule;
  schedule.place = value.place;
  if (value.is_scalar()) {
    schedule.kind = as_choice<ScheduleKind>(value, file, schedule_kinds);
    return schedule;
  }
  YamlMap map(value, file, "'schedule'");
  if (const auto* kind = map.find("kind")) schedule.kind = as_choice<ScheduleKind>(*kind, file, schedule_kinds);
  if (const auto* cycles = map.find("cycles")) schedule.cycles = as_int(*cycles, file, 1, most_games);
  const YamlValue* pairing = map.find("games_per_pairing");
  if (pairing != nullptr) schedule.games_per_pairing = as_int(*pairing, file, 1, most_games);
  if (const auto* games = map.find("games")) {
    schedule.games = as_int(*games, file, 1, most_games);
    if (pairing != nullptr) fail(file, games->place, "'games' and 'games_per_pairing' together", "one of them");
    if (map.find("cycles") != nullptr) fail(file, games->place, "'games' and 'cycles' together", "one of them");
  }
  if (const auto* seeds = map.find("seeds")) {
    if (!seeds->is_sequence() || seeds->items.empty()) fail(file, seeds->place, shown(*seeds), "a list of engines' names");
    for (const YamlValue& seed : seeds->items) schedule.seeds.push_back(as_text(seed, file, "an engine's name"));
    if (schedule.kind != ScheduleKind::gauntlet) fail(file, seeds->place, "'seeds' belong to a gauntlet", "kind: gauntlet");
  }
  const bool gauntlet = schedule.kind == ScheduleKind::gauntlet;
  const bool swiss = schedule.kind == ScheduleKind::swiss;
  const bool knockout = schedule.kind == ScheduleKind::knockout;
  const YamlValue* ratings = map.find("ratings");
  belongs_to(ratings, file, "ratings", gauntlet || swiss || knockout, "kind: gauntlet, swiss or knockout");
  if (ratings != nullptr) {
    schedule.ratings = absolute_path(as_text(*ratings, file, "a rating list"), folder);
    std::error_code error;
    if (!fs::is_regular_file(schedule.ratings, error)) {
      fail(file, ratings->place, no_file(schedule.ratings), "a rating list, CSV or JSON, as 'referee rate' writes it");
    }
  }
  const YamlValue* nearest = map.find("nearest");
  belongs_to(nearest, file, "nearest", gauntlet, "kind: gauntlet");
  if (nearest != nullptr) {
    schedule.nearest = as_int(*nearest, file, 1, most_games);
    if (ratings == nullptr) fail(file, nearest->place, "'nearest' without 'ratings'", "ratings: a rating list");
  }
  const YamlValue* rounds = map.find("rounds");
  belongs_to(rounds, file, "rounds", swiss, "kind: swiss");
  if (rounds != nullptr) schedule.rounds = as_int(*rounds, file, 1, most_moves);
  const YamlValue* draw = map.find("draw");
  belongs_to(draw, file, "draw", knockout, "kind: knockout");
  if (draw != nullptr) schedule.draw = as_choice<KnockoutDraw>(*draw, file, knockout_draws);
  const YamlValue* breaks = map.find("tie_breaks");
  belongs_to(breaks, file, "tie_breaks", knockout, "kind: knockout");
  if (breaks != nullptr) {
    YamlMap keys(*breaks, file, "'tie_breaks'");
    if (const auto* pairs = keys.find("pairs")) schedule.extra_pairs = as_int(*pairs, file, 0, most_moves);
    if (const auto* then = keys.find("then")) schedule.last_resort = as_choice<LastResort>(*then, file, last_resorts);
    if (const auto* times = keys.find("armageddon")) {
      if (schedule.last_resort != LastResort::armageddon)
        fail(file, times->place, "'armageddon' times of a game that is not played", "then: armageddon");
      YamlMap sides(*times, file, "'armageddon'");
      schedule.deciding_time = {read_time_control(sides.need("white"), file), read_time_control(sides.need("black"), file)};
      sides.refuse_unknown();
    }
    keys.refuse_unknown();
  }
  const YamlValue* seed = map.find("seed");
  belongs_to(seed, file, "seed", swiss || knockout, "kind: swiss or knockout");
  if (seed != nullptr) schedule.seed = as_unsigned(*seed, file, 0, UINT64_MAX);
  map.refuse_unknown();
  return schedule;
}

Openings read_openings(const YamlValue& value, const std::string& file, const std::string& folder) {
  Openings openings;
  openings.place = value.place;
  const auto read_file = [&](const YamlValue& path) {
    openings.file = absolute_path(as_text(path, file, "the file of the openings"), folder);
    std::error_code error;
    if (!fs::is_regular_file(openings.file, error)) fail(file, path.place, no_file(openings.file), "an .epd, .fen, .pgn or .bin file");
  };
  if (value.is_scalar()) {
    read_file(value);
    return openings;
  }
  YamlMap map(value, file, "'openings'");
  if (const auto* path = map.find("file")) read_file(*path);
  if (const auto* format = map.find("format")) openings.format = as_choice<OpeningFormat>(*format, file, opening_formats);
  if (const auto* order = map.find("order")) openings.order = as_choice<OpeningOrder>(*order, file, opening_orders);
  if (const auto* seed = map.find("seed")) openings.seed = as_unsigned(*seed, file, 0, UINT64_MAX);
  if (const auto* start = map.find("start")) openings.start = as_int(*start, file, 1, INT32_MAX);
  if (const auto* plies = map.find("plies")) openings.plies = as_int(*plies, file, 0, most_moves);
  if (const auto* repeat = map.find("repeat")) openings.repeat = as_bool(*repeat, file);
  if (const auto* policy = map.find("policy")) openings.policy = as_choice<OpeningPolicy>(*policy, file, opening_policies);
  map.refuse_unknown();
  return openings;
}

Syzygy read_syzygy(const YamlValue& value, const std::string& file, const std::string& folder) {
  Syzygy tables;
  const auto read_path = [&](const YamlValue& path) {
    const std::string& text = as_text(path, file, "a folder of tables");
    for (std::size_t from = 0; from <= text.size();) {
      const std::size_t end = std::min(text.find(':', from), text.size());
      const std::string part = absolute_path(text.substr(from, end - from), folder);
      std::error_code error;
      if (!fs::is_directory(part, error)) fail(file, path.place, "there is no folder " + part, "a folder of .rtbw tables");
      tables.path += (tables.path.empty() ? "" : ":") + part;
      from = end + 1;
    }
  };
  if (value.is_scalar()) {
    read_path(value);
    return tables;
  }
  constexpr int most_pieces = 7;
  YamlMap map(value, file, "'syzygy'");
  read_path(map.need("path"));
  if (const auto* pieces = map.find("pieces")) tables.pieces = as_int(*pieces, file, 3, most_pieces);
  if (const auto* ignore = map.find("ignore_50")) tables.ignore_50 = as_bool(*ignore, file);
  map.refuse_unknown();
  return tables;
}

game::Adjudication read_adjudication(const YamlValue& value, const std::string& file, const std::string& folder,
                                     std::optional<Syzygy>& syzygy) {
  game::Adjudication rules;
  YamlMap map(value, file, "'adjudication'");
  if (const auto* draw = map.find("draw"); draw != nullptr && !draw->is_null()) {
    YamlMap keys(*draw, file, "'draw'");
    game::Adjudication::DrawRule rule;
    if (const auto* number = keys.find("move_number", "movenumber")) rule.move_number = as_int(*number, file, 0, most_moves);
    const auto* count = keys.find("move_count", "movecount");
    if (count == nullptr) fail(file, draw->place, "'draw' has no 'move_count'", "move_count: full moves in a row");
    rule.move_count = as_int(*count, file, 1, most_moves);
    rule.score = as_int(keys.need("score"), file, 0, largest_score);
    if (const auto* reset = keys.find("reset_on_zeroing")) rule.reset_on_zeroing = as_bool(*reset, file);
    keys.refuse_unknown();
    rules.draw = rule;
  }
  if (const auto* resign = map.find("resign"); resign != nullptr && !resign->is_null()) {
    YamlMap keys(*resign, file, "'resign'");
    game::Adjudication::ResignRule rule;
    const auto* count = keys.find("move_count", "movecount");
    if (count == nullptr) fail(file, resign->place, "'resign' has no 'move_count'", "move_count: moves in a row");
    rule.move_count = as_int(*count, file, 1, most_moves);
    rule.score = as_int(keys.need("score"), file, 1, largest_score);
    if (const auto* sides = keys.find("two_sided", "twosided")) rule.two_sided = as_bool(*sides, file);
    keys.refuse_unknown();
    rules.resign = rule;
  }
  if (const auto* moves = map.find("max_moves", "maxmoves"); moves != nullptr && !moves->is_null()) {
    rules.max_moves = as_int(*moves, file, 1, most_moves);
  }
  if (const auto* mates = map.find("trusted_mates")) rules.trusted_mates = as_bool(*mates, file);
  if (const auto* tables = map.find("syzygy"); tables != nullptr && !tables->is_null()) { syzygy = read_syzygy(*tables, file, folder); }
  map.refuse_unknown();
  return rules;
}

Sprt read_sprt(const YamlValue& value, const std::string& file) {
  constexpr double elo_limit = 10'000;
  enum class Model { normalized, logistic, bayesian };
  constexpr std::array<Named<Model>, 3> models{
      {{"normalized", Model::normalized}, {"logistic", Model::logistic}, {"bayesian", Model::bayesian}}};
  Sprt sprt;
  YamlMap map(value, file, "'sprt'");
  if (const auto* elo0 = map.find("elo0")) sprt.elo0 = as_number(*elo0, file, -elo_limit, elo_limit);
  if (const auto* elo1 = map.find("elo1")) sprt.elo1 = as_number(*elo1, file, -elo_limit, elo_limit);
  if (const auto* alpha = map.find("alpha")) sprt.alpha = as_number(*alpha, file, 1e-6, 0.5);
  if (const auto* beta = map.find("beta")) sprt.beta = as_number(*beta, file, 1e-6, 0.5);
  if (const auto* model = map.find("model")) sprt.model = std::string(name_of(as_choice<Model>(*model, file, models), models));
  map.refuse_unknown();
  if (sprt.elo0 >= sprt.elo1) fail(file, value.place, "elo0 is not below elo1", "elo0 < elo1");
  if (sprt.alpha + sprt.beta >= 1) fail(file, value.place, "alpha and beta leave nothing to decide", "alpha + beta < 1");
  return sprt;
}

Faults read_faults(const YamlValue& value, const std::string& file, Faults faults) {
  YamlMap map(value, file, "'faults'");
  const auto answer = [&](std::string_view key, OnFault& field) {
    if (const auto* found = map.find(key)) field = as_choice<OnFault>(*found, file, fault_answers);
  };
  answer("crash", faults.crash);
  answer("hang", faults.hang);
  answer("time", faults.time);
  answer("illegal", faults.illegal);
  if (const auto* count = map.find("withdraw_after")) {
    faults.withdraw_after.reset();
    if (!count->is_null()) faults.withdraw_after = as_int(*count, file, 1, most_games);
  }
  if (const auto* scope = map.find("void")) faults.void_scope = as_choice<VoidScope>(*scope, file, void_scopes);
  map.refuse_unknown();
  return faults;
}

EventRules read_rules(const YamlValue& value, const std::string& file) {
  EventRules rules;
  YamlMap map(value, file, "'rules'");
  if (const auto* limit = map.find("default_time")) rules.default_time = as_duration(*limit, file);
  if (const auto* announced = map.find("guidelines_iii")) rules.guidelines_iii = as_bool(*announced, file);
  if (const auto* agreement = map.find("agreement")) {
    constexpr std::array<Named<bool>, 2> answers{{{"allowed", false}, {"forbidden", true}}};
    rules.agreement_forbidden = as_choice<bool>(*agreement, file, answers);
  }
  if (const auto* moves = map.find("agreement_min_moves")) {
    rules.agreement_min_moves = as_int(*moves, file, 1, most_moves);
    if (rules.agreement_forbidden) fail(file, moves->place, "'agreement_min_moves' where agreement is forbidden", "one of the two");
  }
  map.refuse_unknown();
  return rules;
}

Output read_output(const YamlValue& value, const std::string& file, const std::string& folder, Output output) {
  YamlMap map(value, file, "'output'");
  if (const auto* path = map.find("folder")) output.folder = absolute_path(as_text(*path, file, "a folder"), folder);
  std::vector<std::pair<std::string, Place>> names;
  const auto name = [&](std::string_view key, std::string& field, bool may_be_absent) {
    const YamlValue* found = map.find(key);
    if (found != nullptr) {
      field = found->is_null() && may_be_absent ? std::string() : as_text(*found, file, "a file's name");
      if (field.empty() && !may_be_absent) fail(file, found->place, "an empty name", "a file's name");
    }
    if (field.empty()) return;
    for (const std::string_view archive : {".gz", ".bz2", ".xz", ".zst", ".zip"}) {
      if (found != nullptr && field.ends_with(archive))
        fail(file, found->place, "'" + field + "' is the name of an archive, and records are plain text",
             "a name without " + std::string(archive));
    }
    const Place place = found != nullptr ? found->place : value.place;
    const std::string path = absolute_path(field, output.folder);
    for (const auto& [other, _] : names) {
      if (other == path) fail(file, place, "'" + field + "' is named twice", "a file of its own for each");
    }
    names.emplace_back(path, place);
  };
  name("journal", output.journal, false);
  name("pgn", output.pgn, false);
  name("live", output.live, true);
  name("events", output.events, true);
  if (const auto* comments = map.find("comments")) output.comments = as_choice<PgnComments>(*comments, file, comment_kinds);
  if (const auto* depth = map.find("depth")) output.depth = as_bool(*depth, file);
  if (const auto* nodes = map.find("nodes")) output.nodes = as_bool(*nodes, file);
  if (const auto* pv = map.find("pv")) output.pv = as_bool(*pv, file);
  if (const auto* openings = map.find("openings")) output.openings = as_bool(*openings, file);
  if (const auto* log = map.find("protocol_log")) output.protocol_log = as_bool(*log, file);
  map.refuse_unknown();
  return output;
}

/// Is "2026-12-24" a day of the calendar? Needs: digits at these places.
bool is_day(std::string_view text) {
  const auto number = [text](std::size_t at, std::size_t digits) {
    int value = 0;
    for (const char c : text.substr(at, digits)) value = value * 10 + (c - '0');
    return value;
  };
  return std::chrono::year_month_day(std::chrono::year(number(0, 4)), std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                     std::chrono::day(static_cast<unsigned>(number(8, 2))))
      .ok();
}

/// "18:00" or "2026-12-24 18:00".
std::string read_stop_at(const YamlValue& value, const std::string& file) {
  const std::string& text = as_text(value, file, "a time of day");
  const auto is_pattern = [&text](std::string_view pattern) {
    return text.size() == pattern.size() && std::equal(text.begin(), text.end(), pattern.begin(), [](char have, char want) {
             return want == '9' ? have >= '0' && have <= '9' : want == 'T' ? have == ' ' || have == 'T' : have == want;
           });
  };
  if (!is_pattern("99:99") && !is_pattern("9999-99-99T99:99"))
    fail(file, value.place, shown(value), "18:00 or 2026-12-24 18:00, local time");
  const std::string_view time = std::string_view(text).substr(text.size() - 5);
  if (time.substr(0, 2) > "23" || time.substr(3) > "59") fail(file, value.place, "there is no time " + text, "00:00 to 23:59");
  if (text.size() > time.size() && !is_day(text)) fail(file, value.place, "there is no day " + text.substr(0, 10), "a day of the calendar");
  return text;
}

void read_pinning(const YamlValue& value, const std::string& file, MatchFile& match) {
  constexpr int most_cpus = 4096;
  if (value.is_sequence()) {
    match.pin = Pinning::listed;
    for (const YamlValue& cpu : value.items) match.cpus.push_back(as_int(cpu, file, 0, most_cpus - 1));
    if (match.cpus.empty()) fail(file, value.place, "an empty list of CPUs", "auto, off or a list as in [2, 3, 4, 5]");
    return;
  }
  constexpr std::array<Named<Pinning>, 2> words{{{"off", Pinning::off}, {"auto", Pinning::automatic}}};
  match.pin = value.text == "false" ? Pinning::off : as_choice<Pinning>(value, file, words);
}

Scale read_scale(const YamlValue& value, const std::string& file) {
  Scale scale;
  YamlMap map(value, file, "'scale'");
  scale.reference_nps = as_unsigned(map.need("reference_nps"), file, 1, UINT64_MAX);
  scale.bench = as_text(map.need("bench"), file, "an engine's name");
  map.refuse_unknown();
  return scale;
}

std::string read_tag(const YamlValue& value, const std::string& file) {
  constexpr std::size_t longest = 255;  // a PGN tag's string
  const std::string& text = as_text(value, file);
  if (text.size() > longest || !game::is_printable(text)) {
    fail(file, value.place, "not a text for a PGN tag", "one line of at most 255 characters, none of them a control character");
  }
  return text;
}

/// A year, month or day of a date: figures, or `usual` for question marks.
std::optional<std::string_view> part_of_date(std::string_view part, std::string_view usual) {
  if (part.find_first_not_of('?') == std::string_view::npos) return usual;
  return part.find_first_not_of("0123456789") == std::string_view::npos ? std::optional(part) : std::nullopt;
}

/// "2026.12.24" or "2026-12-24", question marks for what is not known; as the PGN tag has it.
std::string read_date(const YamlValue& value, const std::string& file) {
  std::string text = as_text(value, file, "a date");
  constexpr std::size_t length = 10;
  const bool has_form = text.size() == length && (text[4] == '.' || text[4] == '-') && text[7] == text[4];
  const std::string_view all = text;
  // January of a leap year has whatever day or month is known.
  const auto year = has_form ? part_of_date(all.substr(0, 4), "2000") : std::nullopt;
  const auto month = has_form ? part_of_date(all.substr(5, 2), "01") : std::nullopt;
  const auto day = has_form ? part_of_date(all.substr(8, 2), "01") : std::nullopt;
  if (!year || !month || !day) fail(file, value.place, shown(value) + " is no date", "YYYY.MM.DD or YYYY-MM-DD, ?? for what is not known");
  if (!is_day(std::string(*year).append("-").append(*month).append("-").append(*day)))
    fail(file, value.place, "there is no day " + text, "a day of the calendar, as in 2026-12-24");
  text[4] = text[7] = '.';
  return text;
}

void check_edition(const YamlValue& value, const std::string& file, const std::string& folder) {
  try {
    static_cast<void>(load_edition(value.text, folder));
  } catch (const ConfigException& problem) {
    if (problem.error().line != 0 || problem.error().file != "edition") throw;  // inside the edition's own file
    fail(file, value.place, problem.error().message, problem.error().expected);
  }
}

void read_engines(const YamlValue& value, const std::string& file, const std::string& folder, const EngineEntry& defaults,
                  std::vector<EngineEntry>& engines) {
  if (!value.is_sequence() || value.items.empty()) fail(file, value.place, "'engines' is " + shown(value), "a list of at least one engine");
  if (value.items.size() > most_engines) fail(file, value.place, "too many engines", "at most 1000");
  std::unordered_map<std::string, Place> names;
  for (const YamlValue& item : value.items) {
    EngineEntry engine = read_engine(item, file, folder, defaults);
    const auto [found, is_new] = names.emplace(engine.name, engine.place);
    if (!is_new) {
      fail(file, item.place, "two engines are named '" + engine.name + "', the first at line " + std::to_string(found->second.line),
           "a 'name' of its own for each");
    }
    engines.push_back(std::move(engine));
  }
}

/// The results' files against those that the match reads, and against each other.
void check_outputs(const MatchFile& match, const Place& place, const std::string& file) {
  std::vector<UsedFile> taken = files_read(match);
  taken.push_back({match.path, match.path, "the match file"});
  for (const UsedFile& written : files_written(match)) {
    for (const UsedFile& other : taken) {
      if (is_same_file(other.path, written.path))
        fail(file, place, "'" + written.name + "' is " + other.what, "a file of its own for each record");
    }
    taken.push_back(written);
  }
}

/// How long a sequential test may last.
void check_test(const YamlValue* schedule, const std::string& file) {
  if (schedule == nullptr) return;
  for (const YamlValue::Entry& entry : schedule->entries) {
    if (entry.key == "cycles" || (entry.key == "games_per_pairing" && entry.value.text != "2"))
      fail(file, entry.place, "'" + entry.key + "' beside 'sprt', which plays pairs until it is decided",
           "games: the most that it may play");
  }
}

/// Who is given a limit and no time control is to search to the limit: a clock that nobody asked for would end the search before it.
/// XBoard cannot ask whether an engine heeds `sd` or `nps` (GNU Chess does not): there the clock stays, or it might think for ever.
void leave_to_limits(MatchFile& match) {
  const auto by_limit = [](const EngineEntry& engine) {
    const bool heeds_all = engine.protocol.value_or(engine::ProtocolKind::uci) == engine::ProtocolKind::uci;
    return !engine.time_control && (heeds_all ? engine.limits.end_every_search() : engine.limits.move_time.has_value());
  };
  const clock::TimeControl no_clock{clock::Mode::infinite, {}};
  if (std::ranges::all_of(match.engines, by_limit)) {
    match.time_control = no_clock;
    return;
  }
  for (EngineEntry& engine : match.engines) {
    if (by_limit(engine)) engine.time_control = no_clock;
  }
}

/// What the parts must be for each other.
void check_together(const MatchFile& match, const YamlValue* sprt, const std::string& file) {
  const Place schedule = match.schedule.place;
  for (const std::string& seed : match.schedule.seeds) {
    std::vector<std::string> names;
    for (const auto& engine : match.engines) names.push_back(engine.name);
    if (std::find(names.begin(), names.end(), seed) != names.end()) continue;
    const auto guess = nearest_name(seed, names);
    fail(file, schedule, "the seed '" + seed + "' is no engine of this match", guess ? "'" + *guess + "'" : "names under 'engines'");
  }
  const bool is_match = match.schedule.kind == ScheduleKind::match;
  if (match.engines.size() != 2 && (is_match || match.schedule.games)) {
    fail(file, schedule,
         std::string(is_match ? "a match" : "'games'") + " is for two engines, this file has " + std::to_string(match.engines.size()),
         is_match ? "two engines, or kind: round-robin" : "games_per_pairing");
  }
  for (const EngineEntry& entry : match.engines) {
    if (entry.time_control.value_or(match.time_control).mode != clock::Mode::infinite) continue;
    const engine::SearchLimits& limits = entry.limits;
    if (!limits.end_every_search()) {
      fail(file, entry.place, "'" + entry.name + "' has no clock and no limit: it would think for ever",
           "another time control, or limits with depth, nodes or movetime (mate alone ends no search that finds none)");
    }
    if (limits.move_time && *limits.move_time >= entry.timeouts.think) {
      fail(file, entry.place,
           "'" + entry.name + "' is to think for " + engine::describe(*limits.move_time) + " a move and given up after " +
               engine::describe(entry.timeouts.think),
           "timeouts with a think that is longer than the movetime");
    }
  }
  if (sprt != nullptr && match.engines.size() != 2) {
    fail(file, sprt->place, "'sprt' is for two engines, this file has " + std::to_string(match.engines.size()), "two engines");
  }
}

}  // namespace

MatchFile read_match_file(const std::string& path) { return parse_match_file(read_text_file(path), path); }

MatchFile parse_match_file(const std::string& text, const std::string& path) { return match_file_of(parse_yaml(text, path), path); }

MatchFile match_file_of(const YamlValue& root, const std::string& path) {
  YamlMap map(root, path, "the match file");
  MatchFile match;
  match.path = absolute_path(path, ".");
  const std::string folder = fs::path(match.path).parent_path().string();
  const std::string stem = fs::path(match.path).stem().string();
  match.output.folder = absolute_path("results/" + (stem.empty() ? "match" : stem), folder);
  match.time_control = std::get<clock::TimeControl>(clock::parse_time_control("10+0.1"));

  if (const auto* event = map.find("event")) match.event = read_tag(*event, path);
  if (const auto* site = map.find("site")) match.site = read_tag(*site, path);
  if (const auto* date = map.find("date")) match.date = read_date(*date, path);
  if (const auto* edition = map.find("edition")) {
    match.edition = as_text(*edition, path, "the id of an edition, or a .yaml file");
    check_edition(*edition, path, folder);
  }
  if (const auto* supervision = map.find("supervision")) {
    match.supervision = as_choice<laws::Supervision>(*supervision, path, supervisions);
  }
  if (const auto* rules = map.find("rules")) match.rules = read_rules(*rules, path);
  const YamlValue* const control = map.find("time_control");
  if (control != nullptr) match.time_control = read_time_control(*control, path);
  const YamlValue* const schedule = map.find("schedule");
  if (schedule != nullptr) match.schedule = read_schedule(*schedule, path, folder);
  if (const auto* openings = map.find("openings")) match.openings = read_openings(*openings, path, folder);
  if (const auto* chess960 = map.find("chess960")) match.chess960 = as_bool(*chess960, path);
  if (const auto* rules = map.find("adjudication")) match.adjudication = read_adjudication(*rules, path, folder, match.syzygy);
  const YamlValue* const sprt = map.find("sprt");
  if (sprt != nullptr) match.sprt = read_sprt(*sprt, path);
  // In a sequential test a crash loses its game and nothing more: a withdrawal would leave it undecided.
  if (sprt != nullptr) match.faults.withdraw_after.reset();
  if (const auto* faults = map.find("faults")) match.faults = read_faults(*faults, path, match.faults);
  if (const auto* answer = map.find("on_interrupt")) match.on_interrupt = as_choice<OnInterrupt>(*answer, path, interrupt_answers);
  if (const auto* games = map.find("concurrency")) {
    if (games->text != "auto") match.concurrency = as_int(*games, path, 1, most_moves);
  }
  if (const auto* wait = map.find("wait_between_games")) match.wait_between_games = as_duration(*wait, path);
  if (const auto* time = map.find("stop_at")) match.stop_at = read_stop_at(*time, path);
  if (const auto* cpus = map.find("pin")) read_pinning(*cpus, path, match);
  const YamlValue* const scale = map.find("scale");
  if (scale != nullptr) match.scale = read_scale(*scale, path);
  EngineEntry defaults;
  if (const auto* keys = map.find("defaults")) {
    YamlMap engine(*keys, path, "'defaults'");
    read_engine_keys(engine, folder, defaults);
    engine.refuse_unknown();
  }
  const YamlValue* const output = map.find("output");
  if (output != nullptr) match.output = read_output(*output, path, folder, match.output);
  const YamlValue* const engines = map.find("engines");
  map.refuse_unknown();
  if (engines == nullptr) fail(path, root.place, "the match file has no 'engines'", "the key 'engines' with a list of engines");
  read_engines(*engines, path, folder, defaults, match.engines);
  if (control == nullptr) leave_to_limits(match);
  check_together(match, sprt, path);
  if (sprt != nullptr) check_test(schedule, path);
  check_outputs(match, output != nullptr ? output->place : root.place, path);
  if (scale != nullptr && std::ranges::find(match.engines, match.scale->bench, &EngineEntry::name) == match.engines.end()) {
    fail(path, scale->place, "'" + match.scale->bench + "' is no engine of this match", "bench: a name under 'engines'");
  }
  return match;
}

}  // namespace referee::config
