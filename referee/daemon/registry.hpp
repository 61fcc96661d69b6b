// What the daemon remembers besides the journals: matches, engines, tokens, and who ordered what. One SQLite file in the data folder,
// with a schema version of its own. Used by one thread (the office).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "referee/record/fact.hpp"
#include "referee/record/sqlite.hpp"

namespace referee::daemon {

/// What is wanted of a match. Whether it plays at this moment is the scheduler's business.
enum class MatchState { active, paused, stopped, finished, failed };
[[nodiscard]] std::string_view name(MatchState state) noexcept;

struct MatchRecord {
  int id = 0;
  std::string event;
  MatchState state = MatchState::active;
  int priority = 0;
  record::WallTime submitted{};
  std::string who;
  std::string problem;  // why it failed
  int planned = 0;
};

/// An engine that match files may name.
struct EngineRecord {
  std::string name;
  std::string keys;  // YAML map of its keys in the form of the match file, without `name`
  std::string command;
  std::string sha256;  // of the binary when it was added
  record::WallTime added{};
  std::string who;
  std::string report;  // JSON of the last compliance report, "" before there is one
};

enum class Role { viewer, operator_, arbiter };
[[nodiscard]] std::string_view name(Role role) noexcept;
[[nodiscard]] std::optional<Role> parse_role(std::string_view text) noexcept;

struct TokenRecord {
  std::string name;
  Role role = Role::viewer;
  std::string sha256;  // of the token: the token itself is kept nowhere
  record::WallTime created{};
};

struct AuditRecord {
  std::int64_t number = 0;
  record::WallTime at{};
  std::string who, what, detail;
};

/// Why nothing can be kept under this name: it must stand in a path of the API, on one line of a list. nullopt if it can.
[[nodiscard]] std::optional<std::string> fault_of_name(std::string_view name);

class Registry {
 public:
  /// Opens or creates DATA/referee.sqlite, and brings an older one up to date. Throws record::JournalError.
  explicit Registry(const std::string& path);

  // All throw record::JournalError when the disk says no.
  /// What `writes` writes: all of it, or nothing.
  void at_once(const std::function<void()>& writes);
  int add_match(const MatchRecord& match);  // its id
  void update_match(const MatchRecord& match);
  [[nodiscard]] std::vector<MatchRecord> matches();

  void put_engine(const EngineRecord& engine);
  bool remove_engine(const std::string& name);
  [[nodiscard]] std::vector<EngineRecord> engines();

  void put_token(const TokenRecord& token);
  bool remove_token(const std::string& name);
  [[nodiscard]] std::vector<TokenRecord> tokens();

  /// Engines and tokens whose names could be kept once and cannot now get one that can: what was, as it can be shown, and what is.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> mend_names();

  void audit(const std::string& who, const std::string& what, const std::string& detail);
  [[nodiscard]] std::vector<AuditRecord> audit_since(std::int64_t number, int at_most);

  [[nodiscard]] static int newest_schema();

 private:
  record::sqlite::Connection connection_;
};

/// Milliseconds of the system's clock.
[[nodiscard]] record::WallTime wall_now();

}  // namespace referee::daemon
