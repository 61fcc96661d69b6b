#include "config/import_match.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "config/command_path.hpp"
#include "config/engine_entry.hpp"
#include "config/yaml.hpp"

namespace referee::config {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t most = INT32_MAX;

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return text;
}

/// A command line's words; quotes hold blanks together.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  bool begun = false;
  char quote = '\0';
  for (const char c : line) {
    if (quote != '\0' ? c == quote : c == '"' || c == '\'') {
      quote = quote != '\0' ? '\0' : c;
      begun = true;
    } else if (quote == '\0' && (c == ' ' || c == '\t')) {
      if (begun) words.push_back(std::move(word));
      word.clear();
      begun = false;
    } else {
      word += c;
      begun = true;
    }
  }
  if (begun) words.push_back(std::move(word));
  return words;
}

class Importer {
 public:
  Importer(const YamlValue& root, std::string path) : root_(root), path_(std::move(path)) {
    folder_ = fs::absolute(path_).parent_path().string();
    out_.match.path = fs::absolute(path_).string();
    out_.match.time_control = control_of("10+0.1", root.place);
  }

  ImportedMatch run() {
    if (root_.is_sequence()) {
      for (const YamlValue& engine : root_.items) cutechess_engine(engine);
      note(root_.place, "a list of engines has no match in it: a round robin at 10+0.1 is written");
    } else if (root_.is_map()) {
      fastchess();
    } else {
      fail(path_, root_.place, "neither a list of engines nor a map", "cutechess' engines.json or fastchess' config.json");
    }
    if (out_.match.engines.empty()) fail(path_, root_.place, "no engines", "at least one");
    return std::move(out_);
  }

 private:
  void note(Place place, const std::string& text) {
    out_.notes.push_back(path_ + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) + ": " + text);
  }

  [[nodiscard]] clock::TimeControl control_of(const std::string& written, Place place) const {
    const auto read = clock::parse_time_control(written);
    if (const auto* control = std::get_if<clock::TimeControl>(&read)) return *control;
    fail(path_, place, "time control '" + written + "'", "one that can be played");
  }

  // --- values, read as JSON gives them ---------------------------------------------------------------------------------------

  [[nodiscard]] const YamlValue* member(const YamlValue& map, std::string_view key) const {
    asked_[&map].emplace(key);
    for (const auto& entry : map.entries)
      if (entry.key == key && !entry.value.is_null()) return &entry.value;
    return nullptr;
  }
  [[nodiscard]] std::string text(const YamlValue& map, std::string_view key) const {
    const YamlValue* value = member(map, key);
    if (value == nullptr || (value->is_scalar() && value->text.empty())) return {};
    return as_text(*value, path_);
  }
  [[nodiscard]] bool flag(const YamlValue& map, std::string_view key, bool absent = false) const {
    const YamlValue* value = member(map, key);
    return value == nullptr ? absent : as_bool(*value, path_);
  }
  [[nodiscard]] std::int64_t number(const YamlValue& map, std::string_view key, std::int64_t least, std::int64_t absent) const {
    const YamlValue* value = member(map, key);
    return value == nullptr ? absent : as_integer(*value, path_, least, std::max(most, std::int64_t{1} << 40U));
  }
  [[nodiscard]] double real(const YamlValue& map, std::string_view key, double absent) const {
    const YamlValue* value = member(map, key);
    return value == nullptr ? absent : as_number(*value, path_, -1e6, 1e6);
  }
  /// A closed set that is written by name (in any case) or by its number in `names`.
  [[nodiscard]] std::string one_of(const YamlValue& map, std::string_view key, const std::vector<std::string>& names) const {
    const YamlValue* value = member(map, key);
    if (value == nullptr) return {};
    const std::string said = lower(as_text(*value, path_));
    for (std::size_t i = 0; i < names.size(); ++i)
      if (said == names[i] || said == std::to_string(i)) return names[i];
    refuse_choice(*value, path_, names);
  }

  /// What nobody asked for and yet says something: named, so that it is not thought to be carried over.
  void note_unread(const YamlValue& map, const std::string& what) {
    const std::set<std::string, std::less<>>& asked = asked_[&map];
    std::string keys;
    for (const auto& entry : map.entries) {
      if (asked.contains(entry.key) || says_nothing(entry.value)) continue;
      keys += (keys.empty() ? "" : ", ") + entry.key;
    }
    if (!keys.empty()) note(map.place, what + "not carried over: " + keys);
  }
  [[nodiscard]] static bool says_nothing(const YamlValue& value) {
    if (value.is_map()) {
      const bool off = std::any_of(value.entries.begin(), value.entries.end(),
                                   [](const YamlValue::Entry& entry) { return entry.key == "enabled" && entry.value.text == "false"; });
      return off || std::all_of(value.entries.begin(), value.entries.end(),
                                [](const YamlValue::Entry& entry) { return says_nothing(entry.value); });
    }
    if (value.is_sequence()) return value.items.empty();
    return value.is_null() || value.text.empty() || value.text == "false" || value.text == "0";
  }

  // --- engines ---------------------------------------------------------------------------------------------------------------

  void add_engine(EngineEntry engine, Place place) {
    engine.place = place;
    if (engine.command.empty()) fail(path_, place, "an engine without a command", "the path of its program");
    if (engine.name.empty()) engine.name = fs::path(engine.command).stem().string();
    if (std::string fitting = fitting_name(engine.name); fitting != engine.name) {
      if (fitting.empty()) fitting = "engine";
      note(place, "the engine named '" + engine.name + "' is called '" + fitting + "'");
      engine.name = std::move(fitting);
    }
    const auto taken = [&](const std::string& name) {
      return std::any_of(out_.match.engines.begin(), out_.match.engines.end(),
                         [&](const EngineEntry& other) { return other.name == name; });
    };
    if (taken(engine.name)) {
      const std::string name = engine.name;
      for (int i = 2; taken(engine.name); ++i) engine.name = name + " " + std::to_string(i);
      note(place, "a second engine named '" + name + "' is called '" + engine.name + "'");
    }
    out_.match.engines.push_back(std::move(engine));
  }

  void set_command(EngineEntry& engine, const std::string& written, const std::string& base, Place place) {
    std::error_code ignored;
    std::vector<std::string> words{written};
    if (written.find(' ') != std::string::npos && !fs::exists(absolute_path(written, base), ignored)) {
      words = words_of(written);
      if (words.size() > 1) note(place, "the command has blanks: what follows the first is taken for arguments");
    }
    if (words.empty() || words[0].empty()) return;
    // An engine finds its files beside itself, as with a match file that does not say where.
    if (engine.folder.empty() && words[0].find('/') != std::string::npos)
      engine.folder = fs::path(absolute_path(words[0], base)).parent_path().string();
    engine.command = words[0].find('/') == std::string::npos ? words[0] : absolute_path(words[0], base);
    engine.arguments.insert(engine.arguments.begin(), words.begin() + 1, words.end());
  }

  void cutechess_engine(const YamlValue& value) {
    if (!value.is_map()) fail(path_, value.place, "an engine that is no map", "name, command, protocol ...");
    EngineEntry engine;
    engine.name = text(value, "name");
    const std::string folder = text(value, "workingDirectory");
    if (!folder.empty()) engine.folder = absolute_path(folder, folder_);
    set_command(engine, text(value, "command"), engine.folder.empty() ? folder_ : engine.folder, value.place);
    if (const YamlValue* arguments = member(value, "arguments"); arguments != nullptr && arguments->is_sequence())
      for (const YamlValue& argument : arguments->items) engine.arguments.push_back(as_text(argument, path_));
    set_protocol(engine, value);
    if (const YamlValue* options = member(value, "options"); options != nullptr && options->is_sequence())
      for (const YamlValue& option : options->items) cutechess_option(engine, option);
    if (const YamlValue* lines = member(value, "initStrings"); lines != nullptr && lines->is_sequence())
      for (const YamlValue& line : lines->items) init_string(engine, line);
    engine.ponder = flag(value, "ponder");
    const std::string restart = one_of(value, "restart", {"auto", "on", "off"});
    if (restart == "on") engine.restart = Restart::on;
    if (restart == "off") engine.restart = Restart::off;
    if (flag(value, "whitepov")) note(value.place, engine.name + ": whitepov is not carried over; its scores are taken from its own side");
    note_unread(value, engine.name + ": ");
    add_engine(std::move(engine), value.place);
  }

  void set_protocol(EngineEntry& engine, const YamlValue& value) {
    const std::string protocol = lower(text(value, "protocol"));
    if (protocol == "xboard")
      engine.protocol = engine::ProtocolKind::xboard;
    else if (protocol.empty() || protocol == "uci")
      engine.protocol = engine::ProtocolKind::uci;
    else
      fail(path_, member(value, "protocol")->place, "protocol '" + protocol + "'", "uci or xboard");
  }

  // Every option the engine has is listed there; only what differs from its default is a choice.
  void cutechess_option(EngineEntry& engine, const YamlValue& option) {
    if (!option.is_map()) return;
    const YamlValue* value = member(option, "value");
    const YamlValue* usual = member(option, "default");
    const std::string name = text(option, "name");
    if (name.empty() || value == nullptr || !value->is_scalar()) return;
    if (usual != nullptr && usual->is_scalar() && usual->text == value->text) return;
    engine.options.push_back({name, value->text});
  }

  void init_string(EngineEntry& engine, const YamlValue& line) {
    const std::string said = as_text(line, path_);
    const std::vector<std::string> words = words_of(said);
    const auto value_at = std::find(words.begin(), words.end(), "value");
    if (words.size() >= 3 && words[0] == "setoption" && words[1] == "name" && value_at != words.end()) {
      const auto join = [](auto first, auto last) {
        std::string text;
        for (; first != last; ++first) text += (text.empty() ? "" : " ") + *first;
        return text;
      };
      engine.options.push_back({join(words.begin() + 2, value_at), join(value_at + 1, words.end())});
      return;
    }
    note(line.place, engine.name + ": '" + said + "' is not sent; options stand under 'options'");
  }

  void fastchess_engine(const YamlValue& value) {
    if (!value.is_map()) fail(path_, value.place, "an engine that is no map", "name, cmd, limit ...");
    EngineEntry engine;
    engine.name = text(value, "name");
    const std::string folder = text(value, "dir");
    if (!folder.empty()) engine.folder = absolute_path(folder, folder_);
    set_command(engine, text(value, "cmd"), engine.folder.empty() ? folder_ : engine.folder, value.place);
    for (std::string& word : words_of(text(value, "args"))) engine.arguments.push_back(std::move(word));
    if (const YamlValue* options = member(value, "options"); options != nullptr && options->is_sequence()) {
      for (const YamlValue& option : options->items) {
        if (!option.is_sequence() || option.items.size() != 2) fail(path_, option.place, "an option", "a pair of name and value");
        engine.options.push_back({as_text(option.items[0], path_), option.items[1].is_null() ? std::string() : option.items[1].text});
      }
    }
    if (const YamlValue* limit = member(value, "limit"); limit != nullptr && limit->is_map()) fastchess_limit(engine, *limit);
    if (one_of(value, "variant", {"standard", "frc"}) == "frc") out_.match.chess960 = true;
    if (flag(value, "restart")) engine.restart = Restart::on;
    note_unread(value, engine.name + ": ");
    add_engine(std::move(engine), value.place);
  }

  void fastchess_limit(EngineEntry& engine, const YamlValue& limit) {
    if (const auto nodes = number(limit, "nodes", 0, 0); nodes > 0) engine.limits.nodes = static_cast<std::uint64_t>(nodes);
    if (const auto plies = number(limit, "plies", 0, 0); plies > 0) engine.limits.depth = static_cast<int>(std::min(plies, most));
    const YamlValue* control = member(limit, "tc");
    note_unread(limit, engine.name + ": limit: ");
    if (control == nullptr || !control->is_map()) return;
    const auto ms = [&](std::string_view key) { return std::chrono::milliseconds(number(*control, key, 0, 0)); };
    engine.time_margin = ms("timemargin");
    const auto fixed = ms("fixed_time");
    const auto time = ms("time");
    const auto increment = ms("increment");
    const auto moves = number(*control, "moves", 0, 0);
    note_unread(*control, engine.name + ": limit: tc: ");
    std::string written = "inf";
    if (fixed.count() > 0)
      written = "move " + seconds(fixed);
    else if (time.count() > 0 || increment.count() > 0)
      written = (moves > 0 ? std::to_string(moves) + "/" : "") + seconds(time) + (increment.count() > 0 ? "+" + seconds(increment) : "");
    engine.time_control = control_of(written, control->place);
  }

  static std::string seconds(std::chrono::milliseconds time) {
    std::string text = std::to_string(time.count() / 1000);
    if (const auto rest = time.count() % 1000; rest != 0) {
      const std::string digits = std::to_string(1000 + rest);  // keeps the zeros in front
      text += '.';
      text.append(digits, 1, 3);
    }
    return text;
  }

  // --- fastchess' tournament -----------------------------------------------------------------------------------------------

  void fastchess() {
    const YamlValue* engines = member(root_, "engines");
    if (engines == nullptr || !engines->is_sequence()) fail(path_, root_.place, "no 'engines'", "fastchess' config.json");
    for (const YamlValue& engine : engines->items) fastchess_engine(engine);
    MatchFile& match = out_.match;
    hoist_time_control();
    if (const YamlValue* opening = member(root_, "opening"); opening != nullptr && opening->is_map()) fastchess_opening(*opening);
    if (const YamlValue* rule = enabled("draw"))
      match.adjudication.draw = {
          .move_number = small(*rule, "move_number", 0), .move_count = small(*rule, "move_count", 1), .score = small(*rule, "score", 0)};
    if (const YamlValue* rule = enabled("resign"))
      match.adjudication.resign = {
          .move_count = small(*rule, "move_count", 1), .score = small(*rule, "score", 0), .two_sided = flag(*rule, "twosided")};
    if (const YamlValue* rule = enabled("maxmoves")) match.adjudication.max_moves = small(*rule, "move_count", 1);
    if (const YamlValue* rule = enabled("tb_adjudication"))
      note(rule->place, "tb_adjudication is not carried over: name the tables under adjudication: syzygy");
    if (const YamlValue* test = enabled("sprt")) {
      Sprt sprt;
      sprt.elo0 = real(*test, "elo0", sprt.elo0);
      sprt.elo1 = real(*test, "elo1", sprt.elo1);
      sprt.alpha = real(*test, "alpha", sprt.alpha);
      sprt.beta = real(*test, "beta", sprt.beta);
      if (const std::string model = lower(text(*test, "model")); !model.empty()) sprt.model = model;
      match.sprt = sprt;
    }
    if (const YamlValue* pgn = member(root_, "pgn"); pgn != nullptr && pgn->is_map()) {
      if (const std::string event = text(*pgn, "event_name"); !event.empty()) match.event = event;
      if (const std::string site = text(*pgn, "site"); !site.empty()) match.site = site;
      if (flag(*pgn, "track_nodes")) match.output.nodes = true;
      note_unread(*pgn, "pgn: ");
    }
    fastchess_schedule();
    if (one_of(root_, "variant", {"standard", "frc"}) == "frc") match.chess960 = true;
    match.concurrency = small(root_, "concurrency", 1);
    match.wait_between_games = std::chrono::milliseconds(number(root_, "wait", 0, 0));
    if (const YamlValue* seed = member(root_, "seed")) match.openings.seed = as_unsigned(*seed, path_, 0, UINT64_MAX);
    if (flag(root_, "reverse")) note(root_.place, "reverse is not carried over: the first-named engine begins with White");
    match.output.folder = absolute_path("results/imported", folder_);
    for (const char* section : {"opening", "draw", "resign", "maxmoves", "sprt"}) {
      if (const YamlValue* value = member(root_, section); value != nullptr && value->is_map() && !says_nothing(*value))
        note_unread(*value, std::string(section) + ": ");
    }
    note_unread(root_, "");
  }

  [[nodiscard]] int small(const YamlValue& map, std::string_view key, int absent) const {
    return static_cast<int>(std::min(number(map, key, 0, absent), most));
  }
  [[nodiscard]] const YamlValue* enabled(std::string_view key) const {
    const YamlValue* value = member(root_, key);
    return value != nullptr && value->is_map() && flag(*value, "enabled") ? value : nullptr;
  }

  /// What all engines share is the match's.
  void hoist_time_control() {
    std::vector<EngineEntry>& engines = out_.match.engines;
    if (engines.empty() || !engines.front().time_control) return;
    const clock::TimeControl first = *engines.front().time_control;
    const bool shared =
        std::all_of(engines.begin(), engines.end(), [&](const EngineEntry& e) { return e.time_control && *e.time_control == first; });
    if (!shared) return;
    out_.match.time_control = first;
    for (EngineEntry& engine : engines) engine.time_control.reset();
  }

  void fastchess_opening(const YamlValue& opening) {
    Openings& out = out_.match.openings;
    if (const std::string file = text(opening, "file"); !file.empty()) out.file = absolute_path(file, folder_);
    const std::string format = one_of(opening, "format", {"epd", "pgn", "none"});
    if (format == "epd") out.format = OpeningFormat::epd;
    if (format == "pgn") out.format = OpeningFormat::pgn;
    if (one_of(opening, "order", {"random", "sequential", "none"}) == "random") {
      out.order = OpeningOrder::random;
      if (!out.file.empty()) note(opening.place, "the same seed draws the book in another order here");
    }
    if (const auto plies = number(opening, "plies", -1, -1); plies >= 0) out.plies = static_cast<int>(std::min(plies, most));
    out.start = std::max(1, small(opening, "start", 1));
  }

  void fastchess_schedule() {
    Schedule& schedule = out_.match.schedule;
    schedule.kind = ScheduleKind::round_robin;
    if (one_of(root_, "type", {"roundrobin", "gauntlet"}) == "gauntlet") {
      schedule.kind = ScheduleKind::gauntlet;
      const auto seeds = static_cast<std::size_t>(std::max(1, small(root_, "gauntlet_seeds", 1)));
      for (std::size_t i = 0; i < std::min(seeds, out_.match.engines.size()); ++i) schedule.seeds.push_back(out_.match.engines[i].name);
    }
    schedule.cycles = std::max(1, small(root_, "rounds", 1));
    schedule.games_per_pairing = std::max(1, small(root_, "games", 2));
    // Between two engines a test plays no more than the rounds that were asked for.
    if (out_.match.sprt && out_.match.engines.size() == 2) {
      schedule.kind = ScheduleKind::match;
      schedule.seeds.clear();
      schedule.games = static_cast<int>(std::min<std::int64_t>(std::int64_t{schedule.cycles} * schedule.games_per_pairing, 10'000'000));
    }
    out_.match.openings.repeat = schedule.games_per_pairing > 1 && !flag(root_, "noswap");
    if (flag(root_, "noswap")) note(root_.place, "noswap is not carried over: the games of a pairing swap colours");
  }

  const YamlValue& root_;
  std::string path_, folder_;
  mutable std::map<const YamlValue*, std::set<std::string, std::less<>>> asked_;
  ImportedMatch out_;
};

}  // namespace

ImportedMatch import_match(const std::string& text, const std::string& path) {
  // JSON is YAML, so places and bounds come with the reader that is there.
  const YamlValue root = parse_yaml(text, path);
  return Importer(root, path).run();
}

}  // namespace referee::config
