#include "referee/daemon/submission.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "config/match_tree.hpp"
#include "config/yaml.hpp"
#include "referee/match/schedule.hpp"

namespace referee::daemon {

namespace {

namespace fs = std::filesystem;

using config::fail;
using config::YamlValue;

const std::string shown_name = "match";  // of a submitted text in messages

// What a file from the network may say. Anything else may start a program, read or write a file, and is the operator's to say.
constexpr std::array<std::string_view, 19> network_keys = {"event",        "site",     "date",         "edition",     "supervision",
                                                           "time_control", "schedule", "openings",     "chess960",    "adjudication",
                                                           "sprt",         "faults",   "on_interrupt", "concurrency", "wait_between_games",
                                                           "defaults",     "engines",  "output",       "rounds"};
constexpr std::array<std::string_view, 9> network_engine_keys = {"name",        "engine", "options", "limits", "time_control",
                                                                 "time_margin", "ponder", "restart", "threads"};
constexpr std::size_t most_network_games = 100'000;
constexpr std::size_t most_local_games = 1'000'000;  // the plan is drawn up while others wait
/// Options whose value is a file or folder by custom of their names.
constexpr std::array<std::string_view, 8> file_words = {"file", "path", "log", "book", "net", "folder", "dir", "weights"};

template <std::size_t size>
bool holds(const std::array<std::string_view, size>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

YamlValue* member(YamlValue& map, std::string_view key) {
  for (YamlValue::Entry& entry : map.entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

void set(YamlValue& map, std::string_view key, YamlValue value) {
  if (YamlValue* found = member(map, key)) {
    *found = std::move(value);
  } else {
    map.entries.push_back({std::string(key), value.place, std::move(value)});
  }
}

YamlValue text_value(std::string text, config::Place place) {
  YamlValue value;
  value.kind = YamlValue::Kind::scalar;
  value.text = std::move(text);
  value.quoted = true;
  value.place = place;
  return value;
}

// Writing: flow style, which is YAML and almost JSON --------------------------------------------------------------------

bool is_plain(const YamlValue& value) {
  return !value.quoted && !value.text.empty() && std::ranges::all_of(value.text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '+' || c == '-' || c == '_' ||
           c == '/';
  });
}

void append_quoted(std::string& out, std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\x";
      out += digits[byte >> 4U];
      out += digits[byte & 15U];
    } else {
      out += c;
    }
  }
  out += '"';
}

void append_yaml(std::string& out, const YamlValue& value) {
  switch (value.kind) {
    case YamlValue::Kind::null:
      out += "null";
      return;
    case YamlValue::Kind::scalar:
      if (is_plain(value))
        out += value.text;
      else
        append_quoted(out, value.text);
      return;
    case YamlValue::Kind::sequence:
      out += '[';
      for (std::size_t i = 0; i < value.items.size(); ++i) {
        if (i > 0) out += ", ";
        append_yaml(out, value.items[i]);
      }
      out += ']';
      return;
    case YamlValue::Kind::map:
      out += '{';
      for (std::size_t i = 0; i < value.entries.size(); ++i) {
        if (i > 0) out += ", ";
        append_quoted(out, value.entries[i].key);
        out += ": ";
        append_yaml(out, value.entries[i].value);
      }
      out += '}';
  }
}

/// A line for each member of the file, and for each item of a member that is a list of maps.
std::string to_text(const YamlValue& root) {
  std::string out;
  for (const YamlValue::Entry& entry : root.entries) {
    append_quoted(out, entry.key);
    if (entry.value.is_sequence() && !entry.value.items.empty()) {
      out += ":\n";
      for (const YamlValue& item : entry.value.items) {
        out += "  - ";
        append_yaml(out, item);
        out += '\n';
      }
      continue;
    }
    out += ": ";
    append_yaml(out, entry.value);
    out += '\n';
  }
  return out;
}

// What the network may not say -------------------------------------------------------------------------------------------

void check_options(const YamlValue& options) {
  for (const YamlValue::Entry& option : options.entries) {
    std::string lower = option.key;
    std::ranges::transform(lower, lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    const bool names_a_file = std::ranges::any_of(file_words, [&](std::string_view word) { return lower.find(word) != std::string::npos; });
    const bool has_path = option.value.text.find_first_of("/\\~") != std::string::npos;
    if (names_a_file || has_path)
      fail(shown_name, option.place, "the option '" + option.key + "' may name a file",
           "an option that the operator registers with the engine");
  }
}

void check_network_engine(YamlValue& engine) {
  for (const YamlValue::Entry& entry : engine.entries) {
    if (!holds(network_engine_keys, entry.key))
      fail(shown_name, entry.place, "'" + entry.key + "' of an engine cannot be given over the network",
           "the name of an engine that the operator registered");
  }
  if (const YamlValue* options = member(engine, "options")) check_options(*options);
}

/// A file of the operator's folder, by its bare name.
void check_network_file(YamlValue* file, const std::string& what, const std::string& folder) {
  if (file == nullptr || file->is_null()) return;
  const bool bare = file->is_scalar() && !file->text.empty() && file->text.find('/') == std::string::npos && !file->text.starts_with('.');
  std::error_code error;
  const fs::path path = fs::path(folder) / file->text;
  if (!bare || !fs::is_regular_file(path, error))
    fail(shown_name, file->place, "no " + what + " '" + file->text + "' is offered here",
         "the name of a file that the operator put into " + folder);
  *file = text_value(path.string(), file->place);
}

void check_network(YamlValue& root, const SubmissionContext& context) {
  for (const YamlValue::Entry& entry : root.entries) {
    if (!holds(network_keys, entry.key))
      fail(shown_name, entry.place, "'" + entry.key + "' cannot be given over the network", "a key that touches no file of this machine");
  }
  if (const YamlValue* edition = member(root, "edition"); edition != nullptr && edition->text.find_first_of("/.") != std::string::npos)
    fail(shown_name, edition->place, "an edition's file cannot be given over the network", "the name of an edition");
  if (YamlValue* openings = member(root, "openings"))
    check_network_file(openings->is_scalar() ? openings : member(*openings, "file"), "opening suite", context.openings_folder);
  if (YamlValue* schedule = member(root, "schedule"))
    check_network_file(member(*schedule, "ratings"), "rating list", context.openings_folder);
  if (YamlValue* adjudication = member(root, "adjudication"); adjudication != nullptr && adjudication->is_map()) {
    if (const YamlValue* syzygy = member(*adjudication, "syzygy"))
      fail(shown_name, syzygy->place, "tablebases cannot be given over the network", "a match file submitted on this machine");
  }
  if (YamlValue* defaults = member(root, "defaults"); defaults != nullptr && defaults->is_map()) check_network_engine(*defaults);
  if (YamlValue* output = member(root, "output"); output != nullptr && output->is_map()) {
    for (const YamlValue::Entry& entry : output->entries) {
      if (entry.key == "protocol_log") fail(shown_name, entry.place, "a protocol log cannot be asked for over the network");
    }
  }
}

/// A sequential test goes on until it is decided, which may be never: one from the network gets an end.
void put_end_to_test(YamlValue& root) {
  const YamlValue* const test = member(root, "sprt");
  if (test == nullptr || test->is_null()) return;
  YamlValue* const given = member(root, "schedule");
  YamlValue schedule;
  schedule.kind = YamlValue::Kind::map;
  schedule.place = test->place;
  if (given != nullptr) {
    schedule.place = given->place;
    if (given->is_map()) schedule = *given;
    if (given->is_scalar()) set(schedule, "kind", *given);
  }
  if (member(schedule, "games") != nullptr) return;
  for (const char* other : {"cycles", "games_per_pairing"}) {
    if (const YamlValue* counted = member(schedule, other))
      fail(shown_name, counted->place, std::string("'") + other + "' does not end a sequential test",
           "'games', at most " + std::to_string(most_network_games));
  }
  YamlValue games = text_value(std::to_string(most_network_games), schedule.place);
  games.quoted = false;
  set(schedule, "games", std::move(games));
  set(root, "schedule", std::move(schedule));
}

/// Before a plan is made of it: that takes a time and a room that the daemon has for others too.
void check_count(const config::MatchFile& file, Trust trust) {
  match::check_schedule(file);
  const std::size_t most = trust == Trust::network ? most_network_games : most_local_games;
  const std::size_t games = match::count_games(file);
  if (games <= most) return;
  config::fail(trust == Trust::network ? shown_name : file.path, file.schedule.place,
               "the schedule comes to " + (games > match::most_games ? "far too many" : std::to_string(games)) + " games",
               "at most " + std::to_string(most) +
                   (trust == Trust::network ? " in a match that is handed in over the network" : " in a match of the daemon's"));
}

// Registered engines -----------------------------------------------------------------------------------------------------

enum class Changed { no, yes };

/// The registered keys under the item's own; maps (options, limits) are joined name by name.
YamlValue joined(const YamlValue& registered, const YamlValue& own) {
  YamlValue out = registered;
  out.place = own.place;
  for (const YamlValue::Entry& entry : own.entries) {
    YamlValue* below = member(out, entry.key);
    if (below == nullptr || !below->is_map() || !entry.value.is_map()) {
      set(out, entry.key, entry.value);
      continue;
    }
    for (const YamlValue::Entry& inner : entry.value.entries) set(*below, inner.key, inner.value);
  }
  return out;
}

Changed put_in_engine(YamlValue& item, const SubmissionContext& context) {
  const bool network = context.trust == Trust::network;
  std::string wanted;
  if (item.is_scalar()) {
    wanted = item.text;
  } else if (item.is_map()) {
    if (network) check_network_engine(item);
    if (member(item, "command") != nullptr) return Changed::no;
    const YamlValue* engine = member(item, "engine");
    if (engine == nullptr) engine = member(item, "name");
    if (engine != nullptr) wanted = engine->text;
  }
  const auto found = context.engines.find(wanted);
  if (found == context.engines.end()) {
    if (!network) return Changed::no;  // a bare command, or an error that the reader says better
    std::string known;
    for (const auto& [name, keys] : context.engines) known += (known.empty() ? "" : ", ") + name;
    fail(shown_name, item.place, "no engine '" + wanted + "' is registered here",
         known.empty() ? "an engine that the operator registered" : "one of " + known);
  }
  YamlValue own;
  own.kind = YamlValue::Kind::map;
  own.place = item.place;
  if (item.is_map()) {
    for (const YamlValue::Entry& entry : item.entries) {
      if (entry.key != "engine") own.entries.push_back(entry);
    }
  }
  YamlValue whole = joined(config::parse_yaml(found->second, "engine " + wanted), own);
  if (member(whole, "name") == nullptr) set(whole, "name", text_value(wanted, item.place));
  item = std::move(whole);
  return Changed::yes;
}

}  // namespace

Submission read_submission(const std::string& text, const SubmissionContext& context) {
  const std::string shown = context.path.empty() ? std::string(shown_name) : context.path;
  YamlValue root = config::parse_yaml(text, shown);
  Changed changed = Changed::no;
  if (root.is_map()) {
    if (context.trust == Trust::network) {
      check_network(root, context);
      put_end_to_test(root);
      changed = Changed::yes;
    }
    if (YamlValue* engines = member(root, "engines"); engines != nullptr && engines->is_sequence()) {
      for (YamlValue& engine : engines->items) {
        if (put_in_engine(engine, context) == Changed::yes) changed = Changed::yes;
      }
    }
  }
  Submission submission;
  submission.text = changed == Changed::yes ? to_text(root) : text;
  // Of the tree, so that messages name places of the text that was handed in, whatever was put in since.
  submission.file = config::match_file_of(root, context.path.empty() ? (fs::path(context.folder) / shown_name).string() : context.path);
  check_count(submission.file, context.trust);
  return submission;
}

}  // namespace referee::daemon
