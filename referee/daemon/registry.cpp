#include "referee/daemon/registry.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <set>

#include "config/yaml.hpp"
#include "referee/game/printable.hpp"
#include "referee/record/json.hpp"

namespace referee::daemon {

namespace {

using record::JournalError;
using record::sqlite::Statement;

constexpr int application_id = 0x72666472;  // "rfdr" in ASCII

// A new version adds a step, never changes one.
constexpr std::array<std::string_view, 1> steps = {R"sql(
CREATE TABLE matches (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  event TEXT NOT NULL,
  state TEXT NOT NULL,
  priority INTEGER NOT NULL,
  submitted TEXT NOT NULL,
  who TEXT NOT NULL,
  problem TEXT NOT NULL DEFAULT '',
  planned INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE engines (
  name TEXT PRIMARY KEY,
  keys TEXT NOT NULL,
  command TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  added TEXT NOT NULL,
  who TEXT NOT NULL,
  report TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;
CREATE TABLE tokens (
  name TEXT PRIMARY KEY,
  role TEXT NOT NULL,
  sha256 TEXT NOT NULL UNIQUE,
  created TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE audit (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL,
  who TEXT NOT NULL,
  what TEXT NOT NULL,
  detail TEXT NOT NULL
);
)sql"};

constexpr std::array<std::pair<MatchState, std::string_view>, 5> states{{{MatchState::active, "active"},
                                                                         {MatchState::paused, "paused"},
                                                                         {MatchState::stopped, "stopped"},
                                                                         {MatchState::finished, "finished"},
                                                                         {MatchState::failed, "failed"}}};
constexpr std::array<std::pair<Role, std::string_view>, 3> roles{
    {{Role::viewer, "viewer"}, {Role::operator_, "operator"}, {Role::arbiter, "arbiter"}}};

constexpr std::size_t longest_name = 100;

/// The nearest name that can be kept, and its `number`th of the same kind.
std::string mended(const std::string& name, int number) {
  const std::string end = number == 1 ? "" : "-" + std::to_string(number);
  std::string out = record::restore_bytes(name);
  out.resize(std::min(out.size(), longest_name - end.size()));
  out = game::printable(out);
  std::ranges::replace(out, '/', '_');
  if (out.find_first_not_of('.') == std::string::npos) out = "unnamed";
  return out + end;
}

std::string text_of(record::WallTime time) {
  std::string text;
  record::append_time(text, time);
  return text;
}

}  // namespace

std::string_view name(MatchState state) noexcept {
  for (const auto& [value, text] : states) {
    if (value == state) return text;
  }
  return {};
}

std::string_view name(Role role) noexcept {
  for (const auto& [value, text] : roles) {
    if (value == role) return text;
  }
  return {};
}

std::optional<Role> parse_role(std::string_view text) noexcept {
  for (const auto& [value, known] : roles) {
    if (known == text) return value;
  }
  return std::nullopt;
}

std::optional<std::string> fault_of_name(std::string_view name) {
  if (name.empty() || name.size() > longest_name) return "the name is empty or too long (expected 1 to 100 bytes)";
  if (config::has_controls(name)) return "the name has a control character in it (expected one line of text)";
  // What stands for a byte in JSON is no more text than the byte.
  if (!game::is_printable(name) || record::valid_utf8(name) != name) return "the name does not read as UTF-8 (expected text)";
  if (name == "." || name == ".." || name.find('/') != std::string_view::npos)
    return "the name is '" + std::string(name) + "' (expected no '/' in it, and not '.' or '..': nothing could be asked about it)";
  return std::nullopt;
}

record::WallTime wall_now() { return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now()); }

int Registry::newest_schema() { return static_cast<int>(steps.size()); }

Registry::Registry(const std::string& path) : connection_(path, record::sqlite::Access::create) {
  const auto application = connection_.integer("PRAGMA application_id");
  const auto version = connection_.integer("PRAGMA user_version");
  const bool empty = application == 0 && connection_.integer("SELECT count(*) FROM sqlite_master") == 0;
  if (!empty && application != application_id) throw JournalError(path + ": an SQLite file of another program, not the daemon's");
  if (version > newest_schema()) {
    throw JournalError(path + ": written by a newer version of this program (schema " + std::to_string(version) +
                       ", this one knows up to " + std::to_string(newest_schema()) + "); use that version");
  }
  connection_.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  if (version == newest_schema()) return;
  record::sqlite::Transaction transaction(connection_);
  for (auto step = static_cast<std::size_t>(version); step < steps.size(); ++step) connection_.execute(std::string(steps[step]));
  connection_.execute("PRAGMA user_version = " + std::to_string(newest_schema()));
  connection_.execute("PRAGMA application_id = " + std::to_string(application_id));
  transaction.commit();
}

void Registry::at_once(const std::function<void()>& writes) {
  record::sqlite::Transaction transaction(connection_);
  writes();
  transaction.commit();
}

int Registry::add_match(const MatchRecord& match) {
  const std::string submitted = text_of(match.submitted);
  Statement row(connection_, "INSERT INTO matches (event, state, priority, submitted, who, problem, planned) VALUES (?, ?, ?, ?, ?, ?, ?)");
  row.bind_bytes(1, match.event).bind(2, name(match.state)).bind(3, match.priority).bind(4, submitted).bind_bytes(5, match.who);
  row.bind_bytes(6, match.problem).bind(7, match.planned).run();
  return static_cast<int>(connection_.last_row_id());
}

void Registry::update_match(const MatchRecord& match) {
  Statement row(connection_, "UPDATE matches SET state = ?, priority = ?, problem = ?, planned = ?, event = ? WHERE id = ?");
  row.bind(1, name(match.state)).bind(2, match.priority).bind_bytes(3, match.problem).bind(4, match.planned);
  row.bind_bytes(5, match.event).bind(6, match.id).run();
}

std::vector<MatchRecord> Registry::matches() {
  Statement row(connection_, "SELECT id, event, state, priority, submitted, who, problem, planned FROM matches ORDER BY id");
  std::vector<MatchRecord> found;
  while (row.step()) {
    MatchRecord match;
    match.id = static_cast<int>(row.integer(0));
    match.event = row.bytes(1);
    for (const auto& [state, text] : states) {
      if (row.text(2) == text) match.state = state;
    }
    match.priority = static_cast<int>(row.integer(3));
    match.submitted = record::parse_time(row.text(4));
    match.who = row.bytes(5);
    match.problem = row.bytes(6);
    match.planned = static_cast<int>(row.integer(7));
    found.push_back(std::move(match));
  }
  return found;
}

void Registry::put_engine(const EngineRecord& engine) {
  const std::string added = text_of(engine.added);
  Statement row(connection_,
                "INSERT INTO engines (name, keys, command, sha256, added, who, report) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO "
                "UPDATE SET keys = excluded.keys, command = excluded.command, sha256 = excluded.sha256, added = excluded.added, who = "
                "excluded.who, report = excluded.report");
  row.bind_bytes(1, engine.name).bind_bytes(2, engine.keys).bind_bytes(3, engine.command).bind(4, engine.sha256).bind(5, added);
  row.bind_bytes(6, engine.who).bind_bytes(7, engine.report).run();
}

bool Registry::remove_engine(const std::string& name) {
  Statement row(connection_, "DELETE FROM engines WHERE name = ? RETURNING name");
  row.bind_bytes(1, name);
  const bool found = row.step();
  row.reset();
  return found;
}

std::vector<EngineRecord> Registry::engines() {
  Statement row(connection_, "SELECT name, keys, command, sha256, added, who, report FROM engines ORDER BY name");
  std::vector<EngineRecord> found;
  while (row.step()) {
    found.push_back({.name = row.bytes(0),
                     .keys = row.bytes(1),
                     .command = row.bytes(2),
                     .sha256 = std::string(row.text(3)),
                     .added = record::parse_time(row.text(4)),
                     .who = row.bytes(5),
                     .report = row.bytes(6)});
  }
  return found;
}

void Registry::put_token(const TokenRecord& token) {
  const std::string created = text_of(token.created);
  Statement row(connection_,
                "INSERT INTO tokens (name, role, sha256, created) VALUES (?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET role = "
                "excluded.role, sha256 = excluded.sha256, created = excluded.created");
  row.bind_bytes(1, token.name).bind(2, name(token.role)).bind(3, token.sha256).bind(4, created).run();
}

bool Registry::remove_token(const std::string& name) {
  Statement row(connection_, "DELETE FROM tokens WHERE name = ? RETURNING name");
  row.bind_bytes(1, name);
  const bool found = row.step();
  row.reset();
  return found;
}

std::vector<TokenRecord> Registry::tokens() {
  Statement row(connection_, "SELECT name, role, sha256, created FROM tokens ORDER BY name");
  std::vector<TokenRecord> found;
  while (row.step()) {
    const auto role = parse_role(row.text(1));
    if (!role) continue;
    found.push_back({.name = row.bytes(0), .role = *role, .sha256 = std::string(row.text(2)), .created = record::parse_time(row.text(3))});
  }
  return found;
}

std::vector<std::pair<std::string, std::string>> Registry::mend_names() {
  std::vector<std::pair<std::string, std::string>> changed;
  const auto mend = [&](const std::set<std::string>& names, std::string_view update) {
    std::set<std::string> taken = names;
    for (const std::string& name : names) {
      if (!fault_of_name(name)) continue;
      int number = 1;
      while (taken.contains(mended(name, number))) ++number;
      const std::string now = mended(name, number);
      Statement row(connection_, update);
      row.bind_bytes(1, now).bind_bytes(2, name).run();
      taken.insert(now);
      changed.emplace_back(game::printable(record::restore_bytes(name)), now);
    }
  };
  std::set<std::string> names;
  for (const EngineRecord& engine : engines()) names.insert(engine.name);
  mend(names, "UPDATE engines SET name = ? WHERE name = ?");
  names.clear();
  for (const TokenRecord& token : tokens()) names.insert(token.name);
  mend(names, "UPDATE tokens SET name = ? WHERE name = ?");
  return changed;
}

void Registry::audit(const std::string& who, const std::string& what, const std::string& detail) {
  const std::string at = text_of(wall_now());
  Statement row(connection_, "INSERT INTO audit (at, who, what, detail) VALUES (?, ?, ?, ?)");
  row.bind(1, at).bind_bytes(2, who).bind_bytes(3, what).bind_bytes(4, detail).run();
}

std::vector<AuditRecord> Registry::audit_since(std::int64_t number, int at_most) {
  Statement row(connection_, "SELECT number, at, who, what, detail FROM audit WHERE number >= ? ORDER BY number LIMIT ?");
  row.bind(1, number).bind(2, at_most);
  std::vector<AuditRecord> found;
  while (row.step()) {
    found.push_back({.number = row.integer(0),
                     .at = record::parse_time(row.text(1)),
                     .who = row.bytes(2),
                     .what = row.bytes(3),
                     .detail = row.bytes(4)});
  }
  return found;
}

}  // namespace referee::daemon
