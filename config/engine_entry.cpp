#include "config/engine_entry.hpp"

#include <algorithm>
#include <filesystem>

#include "config/command_path.hpp"
#include "config/match_names.hpp"
#include "referee/game/printable.hpp"

namespace referee::config {

namespace {

constexpr std::size_t longest_name = 100;
constexpr std::size_t most_arguments = 1'000;
constexpr std::size_t most_readable = 100;
constexpr std::int64_t most_processors = 65'536;
constexpr std::int64_t most_processes = 4'000'000;  // the kernel's own bound on process numbers is 4194304
constexpr std::size_t most_options = 1'000;
constexpr int most_moves = 10'000;

bool same_option(std::string_view a, std::string_view b) {
  // UCI: option names are the same whatever their case.
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

void refuse_line_ends(const std::string& text, const std::string& file, Place place, std::string_view what) {
  if (text.find_first_of(std::string_view("\n\r\0", 3)) != std::string::npos) {
    fail(file, place, std::string(what) + " has a line end in it", "one line");
  }
}

/// A scalar as it is written; nothing at all is an empty text.
std::string written(const YamlValue& value, const std::string& file, std::string_view expected) {
  return value.is_null() ? std::string() : as_text(value, file, expected);
}

/// A file, or a map of file and plies; null takes the book of the defaults away.
std::optional<EngineBook> read_book(const YamlValue& value, const std::string& file, const std::string& base_folder) {
  if (value.is_null()) return std::nullopt;
  EngineBook book;
  const auto take_file = [&](const YamlValue& path) {
    book.file = absolute_path(as_text(path, file, "the book's file"), base_folder);
    std::error_code error;
    if (!std::filesystem::is_regular_file(book.file, error)) fail(file, path.place, no_file(book.file), "a Polyglot book");
  };
  if (value.is_scalar()) {
    take_file(value);
    return book;
  }
  YamlMap map(value, file, "'book'");
  take_file(map.need("file"));
  if (const auto* plies = map.find("plies")) book.plies = static_cast<int>(as_integer(*plies, file, 1, 400));
  map.refuse_unknown();
  return book;
}

void read_options(const YamlValue& value, const std::string& file, std::vector<engine::EngineOption>& options) {
  YamlMap map(value, file, "'options'");
  const auto& entries = map.value().entries;
  if (entries.size() > most_options) fail(file, value.place, "too many options", "at most 1000");
  for (auto entry = entries.begin(); entry != entries.end(); ++entry) {
    const auto twin = std::find_if(entries.begin(), entry, [&](const auto& other) { return same_option(other.key, entry->key); });
    if (twin != entry) fail(file, entry->place, "'" + twin->key + "' and '" + entry->key + "' are one option", "one value for it");
  }
  for (const auto& entry : entries) {
    std::string text = written(entry.value, file, "the option's value");
    refuse_line_ends(entry.key, file, entry.place, "the option's name");
    refuse_line_ends(text, file, entry.value.place, "the option's value");
    if (entry.key.empty()) fail(file, entry.place, "an option without a name", "the name the engine declares");
    const auto found =
        std::find_if(options.begin(), options.end(), [&](const auto& option) { return same_option(option.name, entry.key); });
    if (found != options.end()) {
      *found = {entry.key, std::move(text)};
    } else {
      options.push_back({entry.key, std::move(text)});
    }
  }
  if (options.size() > most_options) fail(file, value.place, "too many options", "at most 1000");
}

void read_environment(const YamlValue& value, const std::string& file, std::vector<std::pair<std::string, std::string>>& environment) {
  YamlMap map(value, file, "'environment'");
  for (const auto& entry : map.value().entries) {
    if (entry.key.empty() || entry.key.find_first_of(std::string_view("=\n\0", 3)) != std::string::npos) {
      fail(file, entry.place, "not a name of a variable", "a name without '='");
    }
    std::string text = written(entry.value, file, "the variable's value");
    const auto found = std::find_if(environment.begin(), environment.end(), [&](const auto& pair) { return pair.first == entry.key; });
    if (found != environment.end()) {
      found->second = std::move(text);
    } else {
      environment.emplace_back(entry.key, std::move(text));
    }
  }
}

engine::SearchLimits read_limits(const YamlValue& value, const std::string& file) {
  YamlMap map(value, file, "'limits'");
  engine::SearchLimits limits;
  if (const auto* depth = map.find("depth")) limits.depth = static_cast<int>(as_integer(*depth, file, 1, 1'000));
  if (const auto* nodes = map.find("nodes")) limits.nodes = as_unsigned(*nodes, file, 1, UINT64_MAX);
  if (const auto* time = map.find("movetime", "move_time")) {
    limits.move_time = as_duration(*time, file);
    if (*limits.move_time <= Duration::zero()) fail(file, time->place, "a move time of zero", "a time above zero, as in 500ms");
  }
  if (const auto* mate = map.find("mate")) limits.mate = static_cast<int>(as_integer(*mate, file, 1, 1'000));
  map.refuse_unknown();
  return limits;
}

void read_timeouts(const YamlValue& value, const std::string& file, engine::Timeouts& timeouts) {
  YamlMap map(value, file, "'timeouts'");
  const auto read = [&](std::string_view key, Duration& limit) {
    const YamlValue* found = map.find(key);
    if (found == nullptr) return;
    limit = as_duration(*found, file);
    if (limit <= Duration::zero()) fail(file, found->place, "a time limit of zero", "a time above zero, as in 5s");
  };
  read("start", timeouts.start);
  read("ready", timeouts.ready);
  read("stop", timeouts.stop);
  read("quit", timeouts.quit);
  read("write", timeouts.write);
  read("think", timeouts.think);
  read("features", timeouts.features);
  read("loading", timeouts.features_extended);
  map.refuse_unknown();
}

std::string read_folder(const YamlValue& value, const std::string& file, const std::string& base_folder) {
  std::string path = absolute_path(as_text(value, file, "a folder"), base_folder);
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) fail(file, value.place, "there is no folder " + path, "the engine's working folder");
  return path;
}

std::string read_command(const YamlValue& value, const std::string& file, const std::string& base_folder) {
  CommandPath found = find_command(as_text(value, file, "a command"), base_folder);
  if (!found.problem.empty()) fail(file, value.place, found.problem, "a path with a slash, or a program in PATH or /usr/games");
  return std::move(found.path);
}

std::vector<std::string> read_readable(const YamlValue& value, const std::string& file, const std::string& base_folder) {
  constexpr const char* expected = "a list of files and folders, as in [nets/big.nnue, tables]";
  if (!value.is_sequence()) fail(file, value.place, shown(value), expected);
  if (value.items.size() > most_readable) fail(file, value.place, "too many files and folders", "at most 100");
  std::vector<std::string> paths;
  for (const YamlValue& item : value.items) {
    paths.push_back(absolute_path(as_text(item, file, "a file or folder"), base_folder));
    std::error_code error;
    if (!std::filesystem::exists(paths.back(), error)) fail(file, item.place, "there is no " + paths.back(), expected);
  }
  return paths;
}

void check_name(const std::string& name, const std::string& file, Place place) {
  if (has_controls(name)) fail(file, place, "the engine's name has a control character in it", "one line of text");
  if (!game::is_printable(name)) fail(file, place, "the engine's name has bytes in it that are no UTF-8", "one line of text");
  if (name.starts_with(' ') || name.ends_with(' '))
    fail(file, place, "the engine's name begins or ends with a blank", "a name without them");
  if (name.empty() || name.size() > longest_name) fail(file, place, "the engine's name is empty or too long", "1 to 100 characters");
}

clock::TimeControl time_control_of(const std::string& text, const YamlValue& value, const std::string& file) {
  auto read = clock::parse_time_control(text);
  if (auto* control = std::get_if<clock::TimeControl>(&read)) return std::move(*control);
  const auto& error = std::get<clock::TimeControlError>(read);
  Place place = value.place;
  place.column += error.column - 1 + (value.quoted ? 1 : 0);
  fail(file, place, "time control '" + text.substr(0, 60) + "': " + error.message, error.expected);
}

clock::Duration time_of(const YamlValue& value, const std::string& file, Duration least) {
  const std::string& text = as_text(value, file, "a time: seconds, minutes:seconds, or units as in 1h30m");
  const auto read = clock::parse_time(text);
  if (const auto* error = std::get_if<clock::TimeControlError>(&read)) {
    Place place = value.place;
    place.column += error->column - 1 + (value.quoted ? 1 : 0);
    fail(file, place, error->message, error->expected);
  }
  if (std::get<Duration>(read) < least) fail(file, value.place, "a time of zero", "a time above zero");
  return std::get<Duration>(read);
}

clock::Period read_period(const YamlValue& value, const std::string& file) {
  if (value.is_scalar()) {
    const clock::TimeControl control = time_control_of(value.text, value, file);
    if (control.mode != clock::Mode::increment || control.periods.size() != 1) {
      fail(file, value.place, "an item of the list is not one period", "[MOVES/]TIME[+INC]");
    }
    return control.periods.front();
  }
  YamlMap map(value, file, "a period");
  clock::Period period;
  if (const auto* moves = map.find("moves")) period.moves = static_cast<int>(as_integer(*moves, file, 1, most_moves));
  const YamlValue& base = map.need("time");
  period.base = time_of(base, file, Duration::zero());
  if (const auto* increment = map.find("increment")) period.increment = time_of(*increment, file, Duration::zero());
  map.refuse_unknown();
  if (period.base + period.increment == Duration::zero())
    fail(file, base.place, "the period has no time", "a time or an increment above zero");
  return period;
}

}  // namespace

std::string fitting_name(std::string_view written) {
  constexpr std::size_t room = 5;  // for a number behind it
  std::string name = game::printable(written);
  const std::size_t first = name.find_first_not_of(' ');
  name.erase(0, std::min(first, name.size()));
  if (name.size() > longest_name - room) {
    std::size_t end = longest_name - room;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) --end;  // not within a character
    name.resize(end);
  }
  name.resize(name.find_last_not_of(' ') + 1);
  return name;
}

clock::TimeControl read_time_control(const YamlValue& value, const std::string& file) {
  if (value.is_scalar()) return time_control_of(value.text, value, file);
  if (!value.is_sequence() || value.items.empty())
    fail(file, value.place, shown(value), "a time control as in 40/5400+30, or a list of periods");
  clock::TimeControl control;
  for (const YamlValue& item : value.items) {
    if (!control.periods.empty() && control.periods.back().moves == 0) {
      fail(file, item.place, "a period after one that has all the remaining moves", "moves in every period but the last");
    }
    control.periods.push_back(read_period(item, file));
  }
  return control;
}

void read_engine_keys(YamlMap& map, const std::string& base_folder, EngineEntry& engine) {
  const std::string& file = map.file();
  const YamlValue* const folder = map.find("folder");
  if (folder != nullptr) engine.folder = folder->is_null() ? std::string() : read_folder(*folder, file, base_folder);
  if (const auto* command = map.find("command")) {
    engine.command = read_command(*command, file, base_folder);
    // A binary that is named by its path runs in its own folder, where its nets and books lie; one from PATH, or with `folder: null`, in a
    // private one.
    if (folder == nullptr && engine.folder.empty() && command->text.find('/') != std::string::npos) {
      engine.folder = std::filesystem::path(engine.command).parent_path().string();
    }
  }
  if (const auto* arguments = map.find("arguments")) {
    if (!arguments->is_sequence()) fail(file, arguments->place, shown(*arguments), "a list of arguments, as in [--uci, net.bin]");
    if (arguments->items.size() > most_arguments) fail(file, arguments->place, "too many arguments", "at most 1000");
    engine.arguments.clear();
    for (const YamlValue& item : arguments->items) engine.arguments.push_back(as_text(item, file, "an argument"));
  }
  if (const auto* protocol = map.find("protocol")) engine.protocol = as_choice<engine::ProtocolKind>(*protocol, file, protocols);
  if (const auto* options = map.find("options")) read_options(*options, file, engine.options);
  if (const auto* environment = map.find("environment")) read_environment(*environment, file, engine.environment);
  if (const auto* control = map.find("time_control")) engine.time_control = read_time_control(*control, file);
  if (const auto* limits = map.find("limits")) engine.limits = read_limits(*limits, file);
  if (const auto* margin = map.find("time_margin")) engine.time_margin = as_duration(*margin, file);
  if (const auto* ponder = map.find("ponder")) engine.ponder = as_bool(*ponder, file);
  if (const auto* restart = map.find("restart")) engine.restart = as_choice<Restart>(*restart, file, restarts);
  if (const auto* timeouts = map.find("timeouts")) read_timeouts(*timeouts, file, engine.timeouts);
  if (const auto* memory = map.find("memory")) {
    engine.memory_bytes.reset();
    if (!memory->is_null()) engine.memory_bytes = as_bytes(*memory, file);
    if (engine.memory_bytes && *engine.memory_bytes < (1U << 20U))
      fail(file, memory->place, "too little memory to start in", "at least 1MB");
  }
  if (const auto* processes = map.find("processes")) {
    engine.processes.reset();
    if (!processes->is_null()) engine.processes = static_cast<std::uint64_t>(as_integer(*processes, file, 1, most_processes));
  }
  if (const auto* processors = map.find("processors")) {
    engine.processors.reset();
    if (!processors->is_null()) engine.processors = static_cast<std::uint64_t>(as_integer(*processors, file, 1, most_processors));
  }
  if (const auto* readable = map.find("readable")) engine.readable = read_readable(*readable, file, base_folder);
  if (const auto* stamp = map.find("clock_stamp")) engine.clock_stamp = as_choice<engine::ClockStamp>(*stamp, file, clock_stamps);
  if (const auto* isolation = map.find("isolation")) engine.isolation = as_choice<engine::Isolation>(*isolation, file, isolations);
  if (const auto* book = map.find("book")) { engine.book = read_book(*book, file, base_folder); }
}

EngineEntry read_engine(const YamlValue& value, const std::string& file, const std::string& base_folder, const EngineEntry& defaults) {
  EngineEntry engine = defaults;
  engine.place = value.place;
  if (value.is_scalar()) {
    engine.command = read_command(value, file, base_folder);
    if (engine.folder.empty() && value.text.find('/') != std::string::npos) {
      engine.folder = std::filesystem::path(engine.command).parent_path().string();
    }
  } else {
    YamlMap map(value, file, "the engine");
    if (const auto* name = map.find("name")) {
      engine.name = as_text(*name, file, "the engine's name");
      check_name(engine.name, file, name->place);
    }
    read_engine_keys(map, base_folder, engine);
    map.refuse_unknown();
    if (engine.command.empty())
      fail(file, value.place, "the engine has no 'command'", "a path with a slash, or a program in PATH or /usr/games");
  }
  if (engine.name.empty()) {
    engine.name = std::filesystem::path(engine.command).filename().string();
    check_name(engine.name, file, value.place);
  }
  return engine;
}

}  // namespace referee::config
