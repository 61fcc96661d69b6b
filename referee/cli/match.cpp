// `match`: a match without a file. The command line becomes a match file in memory, read by the same reader.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>

#include "config/used_files.hpp"
#include "config/yaml.hpp"
#include "referee/cli/match_output.hpp"
#include "referee/cli/registry.hpp"
#include "referee/cli/result_files.hpp"
#include "referee/cli/together.hpp"
#include "referee/clock/time_control.hpp"
#include "referee/record/journal.hpp"

namespace referee::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 9> engine_keys{"name",        "arguments", "folder",  "protocol", "time_control",
                                                      "time_margin", "ponder",    "restart", "memory"};
constexpr std::array<std::string_view, 4> limit_keys{"depth", "nodes", "movetime", "mate"};

/// A double-quoted YAML scalar.
std::string yaml_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + '"';
}

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  while (true) {
    const auto end = text.find(at);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool is_plain(std::string_view key) {
  return key == "protocol" || key == "ponder" || key == "restart" || key == "memory" || key == "time_margin";
}

/// The place of what is wrong is one in the text: a command line has no lines and columns of its own.
void check_time_control(const std::string& text) {
  const auto read = clock::parse_time_control(text);
  if (const auto* error = std::get_if<clock::TimeControlError>(&read))
    throw UsageError("time control '" + text + "': " + clock::describe(*error));
}

/// KEY=VALUE settings of an engine as lines of YAML, each with `indent` in front.
std::string engine_yaml(const std::vector<std::string>& settings, const std::string& indent) {
  std::string keys;
  std::string options;
  std::string limits;
  for (const std::string& setting : settings) {
    const auto equals = setting.find('=');
    if (equals == std::string::npos)
      throw UsageError("'" + setting + "' is no setting of an engine (expected KEY=VALUE, as in option.Hash=16)");
    std::string key = setting.substr(0, equals);
    const std::string value = setting.substr(equals + 1);
    if (key == "proto") key = "protocol";
    if (key == "tc") key = "time_control";
    if (key == "margin") key = "time_margin";
    if (key == "args") key = "arguments";
    if (key == "dir") key = "folder";
    if (key == "time_control") check_time_control(value);
    if (key.starts_with("option.")) {
      options += indent + "  " + yaml_text(key.substr(7)) + ": " + yaml_text(value) + "\n";
    } else if (std::find(limit_keys.begin(), limit_keys.end(), key) != limit_keys.end()) {
      limits.append(indent).append("  ").append(key).append(": ").append(value).append("\n");
    } else if (key == "arguments") {
      keys += indent + "arguments: [";
      bool first = true;
      for (const std::string& argument : split(value, ' ')) {
        if (argument.empty()) continue;
        keys += (first ? "" : ", ") + yaml_text(argument);
        first = false;
      }
      keys += "]\n";
    } else if (std::find(engine_keys.begin(), engine_keys.end(), key) != engine_keys.end()) {
      keys += indent + key + ": " + (is_plain(key) ? value : yaml_text(value)) + "\n";
    } else {
      std::vector<std::string> known(engine_keys.begin(), engine_keys.end());
      known.insert(known.end(), limit_keys.begin(), limit_keys.end());
      const auto guess = nearest(key, known);
      throw UsageError(
          "'" + key + "' is no setting of an engine (expected " +
          (guess ? "'" + *guess + "'?" : std::string("name protocol arguments folder time_control depth nodes movetime option.NAME ...")) +
          ")");
    }
  }
  if (!options.empty()) keys += indent + "options:\n" + options;
  if (!limits.empty()) keys += indent + "limits:\n" + limits;
  return keys;
}

/// "40,8,10" as the keys of an adjudication rule.
std::string rule_yaml(const std::string& text, const std::vector<std::string>& keys, const std::string& option) {
  const std::vector<std::string> values = split(text, ',');
  if (values.size() != keys.size())
    throw UsageError("--" + option + " '" + text + "' (expected " + std::to_string(keys.size()) + " numbers with commas between)");
  std::string out = "{";
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::string& value = values[i];
    int number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc{} || end != value.data() + value.size() || number < 0 || number > 100'000)
      throw UsageError(
          std::string("--").append(option).append(" '").append(text).append("': '").append(value).append("' as ").append(keys[i]).append(
              " (expected a whole number from 0 to 100000)"));
    out += (i > 0 ? ", " : "") + keys[i] + ": " + std::to_string(number);
  }
  return out + "}";
}

/// "elo0=0,elo1=2,model=logistic" as keys of a sequential test.
std::string sprt_yaml(const std::string& settings) {
  const std::vector<std::string> known{"elo0", "elo1", "alpha", "beta", "model"};
  std::string keys;
  for (const std::string& setting : split(settings, ',')) {
    const auto equals = setting.find('=');
    const std::string key = setting.substr(0, equals);
    if (equals == std::string::npos || std::find(known.begin(), known.end(), key) == known.end())
      throw UsageError("--sprt '" + setting + "' (expected elo0=..,elo1=.. and, if need be, alpha=.. beta=.. model=..)");
    keys += "  " + key + ": " + setting.substr(equals + 1) + "\n";
  }
  return keys;
}

std::string folder_by_time() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  std::array<char, 40> stamp{};
  (void)std::strftime(stamp.data(), stamp.size(), "results/match-%Y%m%d-%H%M%S", &local);
  std::string folder = stamp.data();
  for (int n = 2; fs::exists(folder); ++n) folder = std::string(stamp.data()) + "-" + std::to_string(n);
  return folder;
}

std::string match_yaml(const Arguments& arguments) {
  const std::vector<std::string>& engines = arguments.operands();
  std::string yaml;
  const auto add = [&](std::string_view option, const std::string& key) {
    if (const auto value = arguments.value(option)) yaml += key + ": " + yaml_text(*value) + "\n";
  };
  add("event", "event");
  add("edition", "edition");
  if (const auto control = arguments.value("tc")) check_time_control(*control);
  add("tc", "time_control");
  if (arguments.has("chess960")) yaml += "chess960: true\n";

  yaml += "schedule:\n  kind: " +
          std::string(arguments.has("gauntlet") ? "gauntlet"
                      : engines.size() == 2     ? "match"
                                                : "round-robin") +
          "\n";
  if (const auto games = arguments.integer("games", 1, 10'000'000)) {
    yaml += std::string(engines.size() == 2 ? "  games: " : "  games_per_pairing: ") + std::to_string(*games) + "\n";
  }
  if (const auto cycles = arguments.integer("cycles", 1, 10'000'000)) yaml += "  cycles: " + std::to_string(*cycles) + "\n";

  if (const auto sprt = arguments.value("sprt")) yaml += "sprt:\n" + sprt_yaml(*sprt);

  std::string openings;
  if (const auto book = arguments.value("book")) openings += "  file: " + yaml_text(*book) + "\n";
  if (const auto order = arguments.value("order")) openings += "  order: " + *order + "\n";
  if (const auto seed = arguments.integer("seed", 0, INT64_MAX)) openings += "  seed: " + std::to_string(*seed) + "\n";
  if (const auto start = arguments.integer("start", 1, INT32_MAX)) openings += "  start: " + std::to_string(*start) + "\n";
  if (const auto plies = arguments.integer("plies", 0, 10'000)) openings += "  plies: " + std::to_string(*plies) + "\n";
  if (arguments.has("no-repeat")) openings += "  repeat: false\n";
  if (!openings.empty()) yaml += "openings:\n" + openings;

  std::string rules;
  if (const auto draw = arguments.value("draw"))
    rules += "  draw: " + rule_yaml(*draw, {"move_number", "move_count", "score"}, "draw") + "\n";
  if (const auto resign = arguments.value("resign")) rules += "  resign: " + rule_yaml(*resign, {"move_count", "score"}, "resign") + "\n";
  if (const auto moves = arguments.integer("max-moves", 1, 10'000)) rules += "  max_moves: " + std::to_string(*moves) + "\n";
  if (!rules.empty()) yaml += "adjudication:\n" + rules;

  std::vector<std::string> each;
  for (const std::string& setting : arguments.values("each")) {
    for (std::string& part : split(setting, ',')) each.push_back(std::move(part));
  }
  for (const std::string& setting : each) {
    const std::string key = setting.substr(0, setting.find('='));
    if (arguments.has("tc") && (key == "tc" || key == "time_control"))
      throw UsageError("the time control is given twice, by --tc " + *arguments.value("tc") + " and by --each " + setting +
                       " (expected one of them)");
  }
  for (const std::string_view limit : {"depth", "nodes"}) {
    if (const auto value = arguments.integer(limit, 1, INT64_MAX)) each.push_back(std::string(limit) + "=" + std::to_string(*value));
  }
  if (const auto margin = arguments.value("margin")) each.push_back("margin=" + *margin);
  if (arguments.has("ponder")) each.emplace_back("ponder=true");
  if (!each.empty()) yaml += "defaults:\n" + engine_yaml(each, "  ");

  yaml += "engines:\n";
  for (const std::string& engine : engines) {
    std::vector<std::string> parts = split(engine, ',');
    const std::string command = parts.front();
    parts.erase(parts.begin());
    yaml += "  - command: " + yaml_text(command) + "\n" + engine_yaml(parts, "    ");
  }
  yaml += "output:\n  folder: " + yaml_text(arguments.value("folder").value_or(folder_by_time())) + "\n";
  return yaml;
}

void check_options(const Arguments& arguments) {
  belongs_to(arguments, {"order", "start", "plies", "no-repeat"}, {"book"});
  belongs_to(arguments, {"seed"}, {"order=random"});
  if (arguments.operands().size() == 2) {
    if (arguments.has("games")) exclude(arguments, "games", "cycles");  // the number of games says it all
    if (arguments.has("sprt")) exclude(arguments, "sprt", "cycles");    // pairs until it is decided
  } else if (arguments.has("sprt")) {
    throw UsageError("option --sprt tests one engine against another (expected two engines)");
  }
}

/// What the reader of match files would say of the file that the command line becomes, said of the command line.
void check_names(const std::vector<std::string>& engines) {
  std::map<std::string, std::string> known;
  for (const std::string& engine : engines) {
    const std::vector<std::string> parts = split(engine, ',');
    std::string name = fs::path(parts.front()).filename().string();
    for (const std::string& part : parts) {
      if (part.starts_with("name=")) name = part.substr(5);
    }
    const auto [first, is_new] = known.emplace(name, engine);
    if (!is_new)
      throw UsageError(std::string("'")
                           .append(first->second)
                           .append("' and '")
                           .append(engine)
                           .append("' are both named '")
                           .append(name)
                           .append("' (expected a name of its own for each, as in '")
                           .append(parts.front())
                           .append(",name=Other')"));
  }
}

/// Nothing that the match itself reads or writes is written over.
void check_saved(const std::string& what, const std::string& path, const config::MatchFile& file) {
  for (const auto& used : {config::files_read(file), config::files_written(file)}) {
    for (const config::UsedFile& other : used) {
      if (config::is_same_file(other.path, path)) throw UsageError(what + path + " is " + other.what + " (expected another file)");
    }
  }
}

/// Has this program written it, and nobody changed it since?
bool is_of_a_command_line(const std::string& path, const config::Output& output) {
  std::string text;
  try {
    text = config::read_text_file(path);
    if (config::to_yaml(config::parse_match_file(text, path)) == text) return true;
  } catch (const config::ConfigException&) {  // an engine may have gone since
  }
  try {
    const auto journal = record::Journal::open((fs::path(output.folder) / output.journal).string(), record::Journal::Mode::read_only);
    const auto plan = journal->plan();
    return plan && plan->match_file_text == text;
  } catch (const record::JournalError&) { return false; }
}

void make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw UsageError(folder + ": the output folder cannot be made: " + error.message());
}

/// The match file beside the results, so that `run` can go on with them. One that is there belongs to the match that is there.
std::string keep_file(const config::MatchFile& file, const std::string& text, const Arguments& arguments) {
  const std::string path = (fs::path(file.output.folder) / "match.yaml").string();
  const bool anew = arguments.has("fresh") || arguments.has("accept-change");
  if (!fs::exists(path)) {
    check_saved("", path, file);
    write_output(path, text);
  } else if (anew && config::read_text_file(path) != text) {
    check_saved("", path, file);
    if (!is_of_a_command_line(path, file.output))
      throw UsageError(path + " is somebody's own match file and would be written over (expected another --folder, or to find it moved)");
    write_output(path, text);
  }
  return fs::relative(path).string();
}

int play_named_engines(const Arguments& arguments) {
  if (arguments.operands().size() < 2)
    throw UsageError("match needs at least two engines (expected: referee match ENGINE ENGINE... [options])");
  check_options(arguments);
  check_names(arguments.operands());
  const std::string yaml = match_yaml(arguments);
  const auto save = arguments.value("save");
  const std::string path = save.value_or((fs::current_path() / "command-line").string());
  config::MatchFile file;
  try {
    // Relative paths of a command line start at the working folder, wherever the file is saved.
    file = config::parse_match_file(yaml, (fs::current_path() / fs::path(path).filename()).string());
  } catch (const config::ConfigException& error) {
    throw UsageError(error.error().message + (error.error().expected.empty() ? "" : " (expected " + error.error().expected + ")"));
  }
  check_playing_options(file, arguments);
  set_concurrency(file, arguments);
  const std::string text = config::to_yaml(file);
  make_folder(file.output.folder);  // --save may name a file in it
  if (save) {
    check_output("save", *save, {}, Written::match_file);
    check_saved("option --save: ", *save, file);
    write_output(*save, text);
  }
  const std::string kept = keep_file(file, text, arguments);
  return play_match(std::move(file), text, command_to_go_on(save.value_or(kept), arguments), arguments);
}

}  // namespace

CommandDefinition match_command() {
  CommandDefinition command;
  command.name = "match";
  command.summary = "play a match without a file";
  command.positional = "ENGINE ENGINE...";
  command.description =
      "Plays engines against each other: two a match, more a round robin, or with --gauntlet the first against all others. An ENGINE is a "
      "command (a path with a slash, or a program in PATH or /usr/games), with settings behind commas: 'gnuchess,protocol=xboard,"
      "arguments=--xboard,option.Hash=16'. Settings: name protocol arguments folder time_control (tc) depth nodes movetime mate "
      "time_margin "
      "(margin) ponder restart memory option.NAME. Results go to a new folder under results/, or to --folder, where a second run with the "
      "same command line goes on with what the first left. The folder also gets match.yaml, the same match as a file: `referee run` goes "
      "on "
      "with it.";
  command.options = {
      {"tc", "TC", "time control, as in 8+0.08, 40/60, 'move 0.5', inf (default 10+0.1; none with a limit)", false, {}},
      {"games", "N", "games between two engines; of each pairing when there are more (default 2)", false, {}},
      {"cycles", "N", "how often everybody meets everybody", false, {}},
      {"gauntlet", "", "the first engine meets all others", false, {}},
      {"book", "FILE", "openings: .epd, .fen or .pgn, also .gz", false, {}},
      {"order", "ORDER", "order of the openings", false, {"sequential", "random"}},
      {"seed", "N", "seed of the random order", false, {}},
      {"start", "N", "first opening, from 1", false, {}},
      {"plies", "N", "half-moves taken from a PGN opening", false, {}},
      {"no-repeat", "", "every game has an opening of its own", false, {}},
      {"depth", "N", "search depth of every engine", false, {}},
      {"nodes", "N", "nodes a move of every engine", false, {}},
      {"margin", "TIME", "allowance before a loss on time, as in 20ms", false, {}},
      {"ponder", "", "engines think on their opponents' time", false, {}},
      {"each", "KEY=VALUE", "a setting of every engine, as in option.Hash=64", true, {}},
      {"draw", "MOVE,COUNT,SCORE", "draw from MOVE on after COUNT moves within SCORE centipawns", false, {}},
      {"resign", "COUNT,SCORE", "loss after COUNT moves at or below -SCORE centipawns", false, {}},
      {"max-moves", "N", "draw after N moves", false, {}},
      {"chess960", "", "Chess960", false, {}},
      {"edition", "ID", "edition of the Laws (default engine-practice)", false, {}},
      {"event", "NAME", "event of the PGN", false, {}},
      {"folder", "FOLDER", "where the results go", false, {}},
      {"save", "FILE", "write the match file too", false, {}},
      {"sprt",
       "SETTINGS",
       "play until a sequential test is decided (at most --games, if given): elo0=0,elo1=2[,alpha=,beta=,model=]",
       false,
       {}},
  };
  for (OptionDefinition& option : playing_options()) command.options.push_back(std::move(option));
  command.examples = {"referee match ./dev ./base --tc 8+0.08 --book X.epd --games 200",
                      "referee match ./dev ./base --tc 8+0.08 --book X.epd --sprt elo0=0,elo1=2 --gate",
                      "referee match stockfish 'gnuchess,protocol=xboard,arguments=--xboard' --tc 'move 0.1' --games 4"};
  command.run = play_named_engines;
  return command;
}

}  // namespace referee::cli
