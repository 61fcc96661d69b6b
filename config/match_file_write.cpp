// A match file as YAML (referee match --save): what has its default is left out.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <sstream>

#include "config/command_path.hpp"
#include "config/match_file.hpp"
#include "config/match_names.hpp"

namespace referee::config {

namespace {

/// Plain where nothing can be misread, else in double quotes.
std::string scalar(std::string_view text) {
  constexpr std::string_view harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+";
  const bool is_word =
      !text.empty() && text.find_first_not_of(harmless) == std::string_view::npos && text != "null" && text != "Null" && text != "NULL";
  if (is_word) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      constexpr std::string_view digits = "0123456789abcdef";
      out += "\\x";
      out += digits[static_cast<unsigned char>(c) >> 4U];
      out += digits[static_cast<unsigned char>(c) & 15U];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string number(double value) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out.precision(17);
  out << value;
  std::ostringstream shorter;
  shorter.imbue(std::locale::classic());
  shorter << value;
  std::istringstream back(shorter.str());
  double read = 0;
  back >> read;
  return read == value ? shorter.str() : out.str();
}

std::string flag(bool value) { return value ? "true" : "false"; }

/// `{a: 1, b: 2}` of what was added.
class FlowMap {
 public:
  void add(std::string_view key, const std::string& written) { text_ += (text_.empty() ? "" : ", ") + std::string(key) + ": " + written; }
  [[nodiscard]] bool empty() const noexcept { return text_.empty(); }
  [[nodiscard]] std::string text() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

template <class Items, class Each>
std::string flow_list(const Items& items, const Each& each) {
  std::string text;
  for (const auto& item : items) text += (text.empty() ? "" : ", ") + each(item);
  return "[" + text + "]";
}

std::string schedule_text(const Schedule& schedule) {
  FlowMap map;
  map.add("kind", std::string(name_of(schedule.kind, schedule_kinds)));
  if (schedule.cycles != 1 && !schedule.games) map.add("cycles", std::to_string(schedule.cycles));
  if (schedule.games) map.add("games", std::to_string(*schedule.games));
  if (!schedule.games && schedule.games_per_pairing != Schedule{}.games_per_pairing) {
    map.add("games_per_pairing", std::to_string(schedule.games_per_pairing));
  }
  if (!schedule.ratings.empty()) map.add("ratings", scalar(schedule.ratings));
  if (schedule.nearest) map.add("nearest", std::to_string(*schedule.nearest));
  if (schedule.rounds) map.add("rounds", std::to_string(*schedule.rounds));
  const Schedule usual;
  if (schedule.draw != usual.draw) map.add("draw", std::string(name_of(schedule.draw, knockout_draws)));
  if (schedule.extra_pairs != usual.extra_pairs || schedule.last_resort != usual.last_resort || schedule.deciding_time) {
    FlowMap breaks;
    breaks.add("pairs", std::to_string(schedule.extra_pairs));
    breaks.add("then", std::string(name_of(schedule.last_resort, last_resorts)));
    if (const auto& times = schedule.deciding_time)
      breaks.add("armageddon", "{white: " + scalar(clock::to_text((*times)[0])) + ", black: " + scalar(clock::to_text((*times)[1])) + "}");
    map.add("tie_breaks", breaks.text());
  }
  if (schedule.seed != usual.seed) map.add("seed", std::to_string(schedule.seed));
  if (!schedule.seeds.empty()) map.add("seeds", flow_list(schedule.seeds, [](const std::string& seed) { return scalar(seed); }));
  return map.text();
}

std::string openings_text(const Openings& openings) {
  FlowMap map;
  if (!openings.file.empty()) map.add("file", scalar(openings.file));
  if (openings.format) map.add("format", std::string(name_of(*openings.format, opening_formats)));
  if (openings.order != OpeningOrder::sequential) map.add("order", std::string(name_of(openings.order, opening_orders)));
  if (openings.seed != Openings{}.seed) map.add("seed", std::to_string(openings.seed));
  if (openings.start != 1) map.add("start", std::to_string(openings.start));
  if (openings.plies) map.add("plies", std::to_string(*openings.plies));
  if (!openings.repeat) map.add("repeat", flag(openings.repeat));
  if (openings.policy != OpeningPolicy::pairing) map.add("policy", std::string(name_of(openings.policy, opening_policies)));
  return map.empty() ? "" : map.text();
}

void write_adjudication(std::ostream& out, const game::Adjudication& rules, const std::optional<Syzygy>& syzygy) {
  if (rules == game::Adjudication{} && !syzygy) return;
  out << "adjudication:\n";
  if (rules.draw) {
    FlowMap map;
    map.add("move_number", std::to_string(rules.draw->move_number));
    map.add("move_count", std::to_string(rules.draw->move_count));
    map.add("score", std::to_string(rules.draw->score));
    if (rules.draw->reset_on_zeroing) map.add("reset_on_zeroing", flag(true));
    out << "  draw: " << map.text() << "\n";
  }
  if (rules.resign) {
    FlowMap map;
    map.add("move_count", std::to_string(rules.resign->move_count));
    map.add("score", std::to_string(rules.resign->score));
    if (rules.resign->two_sided) map.add("two_sided", flag(true));
    out << "  resign: " << map.text() << "\n";
  }
  if (rules.max_moves) out << "  max_moves: " << *rules.max_moves << "\n";
  if (rules.trusted_mates) out << "  trusted_mates: true\n";
  if (syzygy) {
    FlowMap map;
    map.add("path", scalar(syzygy->path));
    map.add("pieces", std::to_string(syzygy->pieces));
    if (syzygy->ignore_50) map.add("ignore_50", flag(true));
    out << "  syzygy: " << map.text() << "\n";
  }
}

std::string faults_text(const MatchFile& match) {
  const Faults& faults = match.faults;
  Faults usual;
  if (match.sprt) usual.withdraw_after.reset();
  FlowMap map;
  const auto answer = [&](std::string_view key, OnFault value, OnFault by_default) {
    if (value != by_default) map.add(key, std::string(name_of(value, fault_answers)));
  };
  answer("crash", faults.crash, usual.crash);
  answer("hang", faults.hang, usual.hang);
  answer("time", faults.time, usual.time);
  answer("illegal", faults.illegal, usual.illegal);
  if (faults.withdraw_after != usual.withdraw_after) {
    map.add("withdraw_after", faults.withdraw_after ? std::to_string(*faults.withdraw_after) : "null");
  }
  if (faults.void_scope != usual.void_scope) map.add("void", std::string(name_of(faults.void_scope, void_scopes)));
  return map.empty() ? "" : map.text();
}

std::string rules_text(const EventRules& rules) {
  FlowMap map;
  if (rules.default_time) map.add("default_time", clock::duration_text(*rules.default_time));
  if (rules.guidelines_iii) map.add("guidelines_iii", flag(true));
  if (rules.agreement_forbidden) map.add("agreement", "forbidden");
  if (rules.agreement_min_moves != 0) map.add("agreement_min_moves", std::to_string(rules.agreement_min_moves));
  return map.empty() ? "" : map.text();
}

/// A command from PATH stays bare, so that its working folder stays a private one.
void add_command(std::ostream& out, const EngineEntry& engine) {
  const std::filesystem::path path(engine.command);
  const bool is_bare = engine.command.find('/') == std::string::npos || find_command(path.filename().string(), "/").path == engine.command;
  const bool is_private = engine.folder.empty();
  out << "    command: " << scalar(is_bare && is_private ? path.filename().string() : engine.command) << "\n";
  if (is_private ? !is_bare : engine.folder != path.parent_path().string()) {
    out << "    folder: " << (is_private ? "null" : scalar(engine.folder)) << "\n";
  }
}

void write_engine(std::ostream& out, const EngineEntry& engine) {
  const EngineEntry usual;
  out << "  - name: " << scalar(engine.name) << "\n";
  add_command(out, engine);
  const auto line = [&](std::string_view key, const std::string& value) { out << "    " << key << ": " << value << "\n"; };
  if (!engine.arguments.empty()) line("arguments", flow_list(engine.arguments, [](const std::string& text) { return scalar(text); }));
  if (engine.protocol) line("protocol", std::string(name_of(*engine.protocol, protocols)));
  if (!engine.options.empty()) {
    FlowMap map;
    for (const auto& option : engine.options) map.add(scalar(option.name), scalar(option.value));
    line("options", map.text());
  }
  if (!engine.environment.empty()) {
    FlowMap map;
    for (const auto& [name, value] : engine.environment) map.add(scalar(name), scalar(value));
    line("environment", map.text());
  }
  if (engine.time_control) line("time_control", scalar(clock::to_text(*engine.time_control)));
  if (engine.limits != engine::SearchLimits{}) {
    FlowMap map;
    if (engine.limits.depth) map.add("depth", std::to_string(*engine.limits.depth));
    if (engine.limits.nodes) map.add("nodes", std::to_string(*engine.limits.nodes));
    if (engine.limits.move_time) map.add("movetime", clock::duration_text(*engine.limits.move_time));
    if (engine.limits.mate) map.add("mate", std::to_string(*engine.limits.mate));
    line("limits", map.text());
  }
  if (engine.time_margin != Duration::zero()) line("time_margin", clock::duration_text(engine.time_margin));
  if (engine.ponder) line("ponder", flag(true));
  if (engine.restart != usual.restart) line("restart", std::string(name_of(engine.restart, restarts)));
  FlowMap timeouts;
  const auto limit = [&](std::string_view key, Duration value, Duration by_default) {
    if (value != by_default) timeouts.add(key, clock::duration_text(value));
  };
  limit("start", engine.timeouts.start, usual.timeouts.start);
  limit("ready", engine.timeouts.ready, usual.timeouts.ready);
  limit("stop", engine.timeouts.stop, usual.timeouts.stop);
  limit("quit", engine.timeouts.quit, usual.timeouts.quit);
  limit("write", engine.timeouts.write, usual.timeouts.write);
  limit("think", engine.timeouts.think, usual.timeouts.think);
  limit("features", engine.timeouts.features, usual.timeouts.features);
  limit("loading", engine.timeouts.features_extended, usual.timeouts.features_extended);
  if (!timeouts.empty()) line("timeouts", timeouts.text());
  if (engine.memory_bytes) line("memory", std::to_string(*engine.memory_bytes));
  if (engine.processors) line("processors", std::to_string(*engine.processors));
  if (engine.processes) line("processes", std::to_string(*engine.processes));
  if (!engine.readable.empty()) line("readable", flow_list(engine.readable, [](const std::string& text) { return scalar(text); }));
  if (engine.book) {
    FlowMap map;
    map.add("file", scalar(engine.book->file));
    if (engine.book->plies != EngineBook{}.plies) map.add("plies", std::to_string(engine.book->plies));
    line("book", map.text());
  }
  if (engine.clock_stamp != usual.clock_stamp) line("clock_stamp", std::string(name_of(engine.clock_stamp, clock_stamps)));
  if (engine.isolation != usual.isolation) line("isolation", std::string(name_of(engine.isolation, isolations)));
}

std::string output_text(const Output& output) {
  const Output usual;
  FlowMap map;
  if (!output.folder.empty()) map.add("folder", scalar(output.folder));
  const auto name = [&](std::string_view key, const std::string& value, const std::string& by_default) {
    if (value != by_default) map.add(key, scalar(value));
  };
  name("pgn", output.pgn, usual.pgn);
  name("journal", output.journal, usual.journal);
  name("live", output.live, usual.live);
  name("events", output.events, usual.events);
  if (output.comments != usual.comments) map.add("comments", std::string(name_of(output.comments, comment_kinds)));
  const auto add_flag = [&](std::string_view key, bool value, bool by_default) {
    if (value != by_default) map.add(key, flag(value));
  };
  add_flag("depth", output.depth, usual.depth);
  add_flag("nodes", output.nodes, usual.nodes);
  add_flag("pv", output.pv, usual.pv);
  add_flag("openings", output.openings, usual.openings);
  add_flag("protocol_log", output.protocol_log, usual.protocol_log);
  return map.empty() ? "" : map.text();
}

}  // namespace

std::string to_yaml(const MatchFile& file) {
  const MatchFile usual;
  std::ostringstream out;
  const auto line = [&](std::string_view key, const std::string& value) {
    if (!value.empty()) out << key << ": " << value << "\n";
  };
  if (file.event != usual.event) line("event", scalar(file.event));
  if (file.site != usual.site) line("site", scalar(file.site));
  if (!file.date.empty()) line("date", scalar(file.date));
  line("edition", scalar(file.edition));
  if (file.supervision) line("supervision", std::string(name_of(*file.supervision, supervisions)));
  line("rules", rules_text(file.rules));
  line("time_control", scalar(clock::to_text(file.time_control)));
  line("schedule", schedule_text(file.schedule));
  line("openings", openings_text(file.openings));
  if (file.chess960) line("chess960", flag(true));
  write_adjudication(out, file.adjudication, file.syzygy);
  if (file.sprt) {
    FlowMap map;
    map.add("elo0", number(file.sprt->elo0));
    map.add("elo1", number(file.sprt->elo1));
    map.add("alpha", number(file.sprt->alpha));
    map.add("beta", number(file.sprt->beta));
    map.add("model", file.sprt->model);
    line("sprt", map.text());
  }
  line("faults", faults_text(file));
  if (file.on_interrupt != usual.on_interrupt) line("on_interrupt", std::string(name_of(file.on_interrupt, interrupt_answers)));
  if (file.concurrency) line("concurrency", std::to_string(*file.concurrency));
  if (file.wait_between_games != Duration::zero()) line("wait_between_games", clock::duration_text(file.wait_between_games));
  if (!file.stop_at.empty()) line("stop_at", scalar(file.stop_at));
  if (file.pin == Pinning::automatic) line("pin", "auto");
  if (file.pin == Pinning::listed) line("pin", flow_list(file.cpus, [](int cpu) { return std::to_string(cpu); }));
  if (file.scale) {
    FlowMap map;
    map.add("reference_nps", std::to_string(file.scale->reference_nps));
    map.add("bench", scalar(file.scale->bench));
    line("scale", map.text());
  }
  out << "engines:\n";
  for (const EngineEntry& engine : file.engines) write_engine(out, engine);
  line("output", output_text(file.output));
  return out.str();
}

}  // namespace referee::config
