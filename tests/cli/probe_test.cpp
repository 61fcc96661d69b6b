// The compliance report, on scripted engines whose one fault is known.
#include <unistd.h>

#include <boost/json.hpp>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

#include "referee/cli/registry.hpp"

using namespace referee::cli;
namespace json = boost::json;

namespace {

class Script {
 public:
  explicit Script(const std::string& text) {
    std::string pattern = (std::filesystem::temp_directory_path() / "referee-probe-XXXXXX").string();
    const int file = mkstemp(pattern.data());
    REQUIRE(file >= 0);
    close(file);
    path_ = pattern;
    std::ofstream(path_) << text;
  }
  ~Script() { std::filesystem::remove(path_); }
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

struct Report {
  std::string protocol;
  std::map<std::string, std::string> verdicts;
  std::map<std::string, std::string> seen;
  int code = 0;
  [[nodiscard]] std::set<std::string> failed() const {
    std::set<std::string> ids;
    for (const auto& [id, verdict] : verdicts) {
      if (verdict == "fail") ids.insert(id);
    }
    return ids;
  }
};

Report probe(const std::string& script, const std::string& protocol) {
  const Script file(script);
  const auto command = probe_command();
  std::ostringstream caught;
  std::streambuf* const before = std::cout.rdbuf(caught.rdbuf());
  Report report;
  report.code = command.run(parse_arguments(
      command, {"--json", "--protocol", protocol, "--", std::string(REFEREE_BINARY_FOLDER) + "/referee", "stub", file.path()}));
  std::cout.rdbuf(before);
  const auto out = json::parse(caught.str()).as_object();
  report.protocol = out.at("protocol").as_string().c_str();
  for (const auto& entry : out.at("checks").as_array()) {
    const auto& check = entry.as_object();
    CHECK_FALSE(check.at("section").as_string().empty());
    CHECK(check.contains("sent"));
    report.verdicts[check.at("id").as_string().c_str()] = check.at("verdict").as_string().c_str();
    report.seen[check.at("id").as_string().c_str()] = check.at("seen").as_string().c_str();
  }
  return report;
}

const std::set<std::string> every_uci_check_has = {"legal-moves", "stop",  "ponder-hit",   "movetime", "chess960", "crlf",
                                                   "quit",        "nodes", "end-of-input", "depth",    "long-game"};
const std::set<std::string> every_xboard_check_has = {"legal-moves", "ponder", "seconds-per-move", "clock", "chess960", "crlf",
                                                      "quit",        "ping",   "end-of-input",     "depth", "long-game"};

void has_every(const Report& report, const std::set<std::string>& ids) {
  for (const auto& id : ids) {
    INFO(id);
    CHECK(report.verdicts.count(id) == 1);
  }
}

}  // namespace

TEST_CASE("probe finds nothing to fail in an engine that keeps to its protocol") {
  const auto uci = probe("# protocol uci\n", "uci");
  CHECK(uci.protocol == "uci");
  CHECK(uci.failed().empty());
  CHECK(uci.code == exit_done);
  has_every(uci, every_uci_check_has);
  const auto xboard = probe("# protocol xboard\n", "xboard");
  CHECK(xboard.protocol == "xboard");
  CHECK(xboard.failed().empty());
  has_every(xboard, every_xboard_check_has);
}

TEST_CASE("probe names an illegal move, and goes on with the other checks") {
  // Every process of it answers its first go with a move that is never legal.
  const auto report = probe("# protocol uci\n> go\n< bestmove e2e5\n", "uci");
  CHECK(report.failed().count("legal-moves") == 1);
  CHECK(report.seen.at("legal-moves").find("e2e5") != std::string::npos);
  CHECK(report.code == exit_fault_found);
  has_every(report, every_uci_check_has);
  CHECK(report.verdicts.at("quit") == "pass");
}

TEST_CASE("an illegal answer fails a check, whatever else the check looks at") {
  // It keeps the position that it had before `position startpos`, as Sjaak II does.
  const auto report =
      probe("# protocol uci\n> position startpos\n> go depth 4\n< info depth 4 score cp 1 pv e1f2\n< bestmove e1f2\n", "uci");
  CHECK(report.verdicts.at("depth") == "fail");
  CHECK(report.seen.at("depth").find("illegal: bestmove e1f2 in rnbqkbnr/pppppppp") == 0);
  const auto xboard = probe("# protocol xboard\n> sd 4\n> go\n< move e1f2\n", "xboard");
  CHECK(xboard.verdicts.at("depth") == "fail");
  CHECK(xboard.seen.at("depth").find("e1f2") != std::string::npos);
}

TEST_CASE("probe finishes when each search ends the engine") {
  const auto uci = probe("# protocol uci\n> go\n! exit 3\n", "uci");
  has_every(uci, every_uci_check_has);
  CHECK(uci.failed().count("legal-moves") == 1);
  CHECK(uci.seen.at("depth").find("status 3") != std::string::npos);
  CHECK(uci.verdicts.at("end-of-input") == "pass");
  const auto xboard = probe("# protocol xboard\n> go\n! signal 11\n", "xboard");
  has_every(xboard, every_xboard_check_has);
  CHECK(xboard.seen.at("depth").find("SIGSEGV") != std::string::npos);
}
