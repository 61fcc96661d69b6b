// A subcommand as data: parsing, --help, man page, shell completion and README's table all come from the same definition.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace referee::cli {

/// Exit codes (DESIGN section 6).
inline constexpr int exit_done = 0;
inline constexpr int exit_fault_found = 1;
inline constexpr int exit_usage = 2;
inline constexpr int exit_gate_h0 = 3;         // --gate: the sequential test accepted H0
inline constexpr int exit_gate_undecided = 4;  // --gate: it is not decided
inline constexpr int exit_sigint = 130;
inline constexpr int exit_sigterm = 143;

/// Bad usage or configuration: one clear line on stderr, exit 2. Configuration errors put file:line:column first.
class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct OptionDefinition {
  std::string name;      // without dashes
  std::string argument;  // placeholder ("FILE", "N"); empty = a switch
  std::string help;
  bool repeatable = false;
  std::vector<std::string> choices;  // for completion and checking; empty = free text
};

class Arguments;

struct CommandDefinition {
  std::string name;
  std::string summary;      // one line
  std::string positional;   // synopsis of the operands: "FILE..." or ""
  std::string description;  // paragraphs
  std::vector<OptionDefinition> options;
  std::vector<std::string> examples;
  std::function<int(const Arguments&)> run;
  bool takes_rest = false;  // operands after `--` (or all operands) belong to somebody else: probe -- ENGINE ARGS
};

/// The parsed command line of one command.
class Arguments {
 public:
  [[nodiscard]] bool has(std::string_view option) const;
  [[nodiscard]] std::optional<std::string> value(std::string_view option) const;
  [[nodiscard]] std::vector<std::string> values(std::string_view option) const;
  /// Throw UsageError naming the option and what was expected.
  [[nodiscard]] std::optional<long long> integer(std::string_view option, long long at_least, long long at_most) const;
  [[nodiscard]] std::optional<double> number(std::string_view option) const;
  [[nodiscard]] const std::vector<std::string>& operands() const noexcept { return operands_; }
  /// What followed `--`.
  [[nodiscard]] const std::vector<std::string>& rest() const noexcept { return rest_; }

 private:
  friend Arguments parse_arguments(const CommandDefinition& command, const std::vector<std::string>& words);
  std::map<std::string, std::vector<std::string>, std::less<>> options_;
  std::vector<std::string> operands_;
  std::vector<std::string> rest_;
};

/// Strict: no abbreviations, unknown options are refused with the nearest name. Throws UsageError. --help and --json (where defined) are
/// ordinary options.
[[nodiscard]] Arguments parse_arguments(const CommandDefinition& command, const std::vector<std::string>& words);

/// All commands, in the order of the table. One line each in registry.cpp; one file a command.
[[nodiscard]] const std::vector<CommandDefinition>& commands();

[[nodiscard]] std::string help_text(const CommandDefinition& command);
[[nodiscard]] std::string overview_text();
[[nodiscard]] std::string man_page();
[[nodiscard]] std::string completion_script(std::string_view shell);  // bash, zsh, fish; throws UsageError

/// argv -> exit code. Never throws.
int run_command_line(const std::vector<std::string>& words);

/// Nearest name within a small edit distance, for "did you mean".
[[nodiscard]] std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& names);

}  // namespace referee::cli
