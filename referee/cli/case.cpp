// `case`: runs files of rule cases, or writes one from a real game.
#include <boost/json.hpp>
#include <filesystem>
#include <iostream>

#include "config/rule_case_runner.hpp"
#include "config/rule_cases.hpp"
#include "referee/cli/case_from_game.hpp"
#include "referee/cli/json_text.hpp"
#include "referee/cli/registry.hpp"

namespace referee::cli {

namespace {

namespace json = boost::json;
using config::CaseResult;

class CaseReport {
 public:
  virtual ~CaseReport() = default;
  virtual void add(const CaseResult& result) = 0;
  virtual void close(int passed, int failed) = 0;
};

class TextReport : public CaseReport {
 public:
  explicit TextReport(bool explain) : explain_(explain) {}

  void add(const CaseResult& result) override {
    std::cout << result.id << ' ' << result.edition << ": ";
    if (result.pass) {
      std::cout << "pass\n";
    } else if (!result.problem.empty()) {
      std::cout << "cannot be run: " << result.problem << '\n';
    } else {
      std::cout << "FAIL\n";
      for (const auto& field : result.fields) {
        if (!field.holds)
          std::cout << "    " << field.name << ": expected " << field.expected << ", ruled " << nothing_if_empty(field.ruled) << '\n';
      }
    }
    if (explain_) explain(result);
    std::cout << std::flush;
  }
  void close(int passed, int failed) override { std::cout << passed << " passed, " << failed << " failed\n"; }

 private:
  static std::string nothing_if_empty(const std::string& text) { return text.empty() ? "nothing" : text; }

  static void indented(const std::string& lines, const char* indent) {
    std::size_t start = 0;
    while (start < lines.size()) {
      const std::size_t end = std::min(lines.find('\n', start), lines.size());
      std::cout << indent << lines.substr(start, end - start) << '\n';
      start = end + 1;
    }
  }
  static void explain(const CaseResult& result) {
    if (!result.start_fen.empty()) std::cout << "    " << result.start_fen << '\n';
    indented(result.start, "      ");
    for (const auto& step : result.steps) {
      std::cout << "    " << step.event << '\n';
      for (const auto& ruling : step.rulings) std::cout << "      -> " << ruling << '\n';
    }
    indented(result.end, "      ");
    for (const auto& field : result.fields) {
      std::cout << "    " << (field.holds ? "right: " : "wrong: ") << field.name << " " << nothing_if_empty(field.ruled);
      if (!field.holds) std::cout << " (expected " << field.expected << ")";
      std::cout << '\n';
    }
    std::cout << '\n';
  }

  bool explain_;
};

class JsonReport : public CaseReport {
 public:
  explicit JsonReport(bool explain) : explain_(explain) {}

  void add(const CaseResult& result) override {
    json::object expected;
    json::object ruled;
    for (const auto& field : result.fields) {
      expected[field.name] = field.expected;
      ruled[field.name] = field.ruled.empty() ? json::value(nullptr) : json::value(field.ruled);
    }
    json::object entry{{"id", result.id}, {"edition", result.edition}, {"pass", result.pass}, {"expected", std::move(expected)}};
    entry["ruled"] = result.problem.empty() ? json::value(std::move(ruled)) : json::value(nullptr);
    if (!result.problem.empty()) entry["problem"] = result.problem;
    if (explain_) {
      entry["fen"] = result.start_fen;
      json::array steps;
      for (const auto& step : result.steps) {
        steps.push_back(json::object{{"event", step.event}, {"rulings", json::array(step.rulings.begin(), step.rulings.end())}});
      }
      entry["steps"] = std::move(steps);
    }
    cases_.push_back(std::move(entry));
  }
  void close(int passed, int failed) override {
    std::cout << json_text(json::object{{"passed", passed}, {"failed", failed}, {"cases", std::move(cases_)}}) << '\n';
  }

 private:
  bool explain_;
  json::array cases_;
};

int run_files(const Arguments& arguments) {
  const bool explain = arguments.has("explain");
  std::unique_ptr<CaseReport> report;
  if (arguments.has("json")) {
    report = std::make_unique<JsonReport>(explain);
  } else {
    report = std::make_unique<TextReport>(explain);
  }
  const std::string edition = arguments.value("edition").value_or("");
  const std::string id = arguments.value("id").value_or("");
  int passed = 0;
  int failed = 0;
  bool unreadable = false;
  for (const std::string& path : arguments.operands()) {
    const config::RuleCaseFile file = config::read_rule_cases(path, config::BadCase::collected);
    const std::string folder = std::filesystem::path(path).parent_path().string();
    for (const auto& bad : file.unreadable) {
      if (!id.empty() && bad.id != id) continue;
      CaseResult result;
      result.id = bad.id.empty() ? "?" : bad.id;
      result.problem = bad.error.text();
      report->add(result);
      unreadable = true;
      ++failed;
    }
    for (const auto& rule_case : file.cases) {
      if (!id.empty() && rule_case.id != id) continue;
      for (const CaseResult& result : config::run_rule_case(rule_case, folder.empty() ? "." : folder, edition)) {
        report->add(result);
        ++(result.pass ? passed : failed);
      }
    }
  }
  if (passed + failed == 0) throw UsageError("no case is left to run" + (id.empty() ? std::string() : ": there is no case '" + id + "'"));
  report->close(passed, failed);
  if (unreadable) return exit_usage;
  return failed == 0 ? exit_done : exit_fault_found;
}

int run_case(const Arguments& arguments) {
  const auto& operands = arguments.operands();
  if (operands.empty()) throw UsageError("case: which file? (referee case FILE..., or referee case from GAME.pgn --ply N)");
  if (operands.front() != "from") {
    for (const char* option : {"ply", "game"}) {
      if (arguments.has(option)) throw UsageError(std::string("case: --") + option + " belongs to `case from GAME.pgn`");
    }
    return run_files(arguments);
  }
  if (operands.size() != 2) throw UsageError("case from: one PGN file is expected");
  CaseFromGame request;
  request.path = operands[1];
  const auto ply = arguments.integer("ply", 0, 100'000);
  if (!ply) throw UsageError("case from: after which half-move? (--ply N)");
  request.ply = static_cast<std::size_t>(*ply);
  request.game = static_cast<std::size_t>(arguments.integer("game", 1, 1'000'000'000).value_or(1));
  request.edition = arguments.value("edition").value_or("");
  std::cout << write_case_from_game(request);
  return exit_done;
}

}  // namespace

CommandDefinition case_command() {
  CommandDefinition command;
  command.name = "case";
  command.summary = "runs rule cases: positions and events with the ruling that is right";
  command.positional = "FILE... | from GAME.pgn";
  command.description =
      "Plays each case of the files on the judge, in every edition of the Laws it names, and compares. A line a case and edition: pass, or "
      "what was expected and what was ruled; the last line is `N passed, N failed`. Commented examples are in matches/cases.\n\n"
      "`case from GAME.pgn --ply N` writes a case for the position after half-move N of a game, clocks taken from its [%clk] comments, "
      "with "
      "what the judge rules as the expectation to correct.";
  command.options = {
      {"edition", "EDITION", "only this edition (`from`: the edition of the new case; default the game's own, else fide-2023)", false, {}},
      {"id", "ID", "only this case", false, {}},
      {"explain", "", "tell the ruling step by step, with articles and the position", false, {}},
      {"ply", "N", "`from`: after this half-move (0 = the start)", false, {}},
      {"game", "N", "`from`: the game's number in the file (default 1)", false, {}},
      {"json", "", "one JSON object", false, {}}};
  command.examples = {"referee case matches/cases/claims.yaml", "referee case matches/cases/claims.yaml --edition fide-2005 --explain",
                      "referee case from game.pgn --ply 83 > dispute.yaml"};
  command.run = run_case;
  return command;
}

}  // namespace referee::cli
