// The commands that judge, as scripts call them: exit codes and the JSON names they rely on.
#include <unistd.h>

#include <boost/json.hpp>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "referee/cli/registry.hpp"

using namespace referee::cli;
namespace json = boost::json;

namespace {

/// A file of the test's own that goes away.
class TestFile {
 public:
  TestFile(const std::string& name, const std::string& text)
      : path_(std::filesystem::temp_directory_path() / ("referee-test-cli-" + std::to_string(::getpid()) + "-" + name)) {
    std::ofstream(path_) << text;
  }
  ~TestFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TestFile(const TestFile&) = delete;
  TestFile& operator=(const TestFile&) = delete;
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

struct Said {
  int code = -1;
  std::string out;
};

Said run(const CommandDefinition& command, const std::vector<std::string>& words) {
  Said said;
  std::ostringstream caught;
  std::streambuf* const before = std::cout.rdbuf(caught.rdbuf());
  try {
    said.code = command.run(parse_arguments(command, words));
  } catch (...) {
    std::cout.rdbuf(before);
    throw;
  }
  std::cout.rdbuf(before);
  said.out = caught.str();
  return said;
}

json::object whole(const Said& said) { return json::parse(said.out).as_object(); }

}  // namespace

TEST_CASE("perft --json: the initial position has 8902 games of three half-moves") {
  const Said said = run(perft_command(), {"--depth", "3", "--json"});
  CHECK(said.code == exit_done);
  const json::object out = whole(said);
  CHECK(out.at("nodes").to_number<std::uint64_t>() == 8902);
  CHECK(out.at("depth").to_number<int>() == 3);
  CHECK(out.at("fen").as_string() == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
}

TEST_CASE("judge --json: the fields of a verdict") {
  // King and bishop against king and pawn, Black to move: Black's flag gives White nothing to lose but much to win.
  const TestFile input("judge.txt", "4k3/4p3/8/8/8/8/3B4/4K3 b - - 5 40\nnonsense\n4k3/8/8/8/8/8/3B4/4K3 w - - 0 1\n");
  const Said said = run(judge_command(), {"--json", input.path()});
  CHECK(said.code == exit_fault_found);  // the second line
  std::istringstream lines(said.out);
  std::string line;
  REQUIRE(std::getline(lines, line));
  const json::object open = json::parse(line).as_object();
  for (const char* key : {"fen", "legal", "check", "ending", "occurrences", "halfmove", "claimable", "white_can_mate", "black_can_mate",
                          "dead", "if_flags", "helpmate"}) {
    INFO(key);
    CHECK(open.contains(key));
  }
  CHECK(open.at("halfmove").as_int64() == 5);
  CHECK(open.at("ending").is_null());
  CHECK(open.at("legal").as_array().size() == 6);  // Kd8, Kd7, Kf7, Kf8, e6, e5
  CHECK(open.at("white_can_mate").as_bool());
  CHECK(open.at("black_can_mate").as_bool());
  CHECK(open.at("if_flags").at("black").at("result").as_string() == "1-0");
  CHECK(open.at("if_flags").at("black").at("reason").as_string() == "flag_fall");
  CHECK(open.at("if_flags").at("black").at("article").as_string() == "6.9");
  CHECK_FALSE(open.at("helpmate").at("white").as_array().empty());
  REQUIRE(std::getline(lines, line));
  const json::object bad = json::parse(line).as_object();
  CHECK(bad.contains("error"));
  CHECK(bad.at("field").as_string() == "placement");
  REQUIRE(std::getline(lines, line));
  const json::object dead = json::parse(line).as_object();
  CHECK(dead.at("dead").as_bool());
  CHECK(dead.at("ending").at("reason").as_string() == "dead_position");
  CHECK(dead.at("ending").at("article").as_string() == "5.2.2");
  CHECK(dead.at("ending").at("result").as_string() == "1/2-1/2");
}

TEST_CASE("judge: a byte-order mark is no part of the first position, and no key stands twice") {
  const std::string fen = "4k3/8/8/8/8/8/3B4/4K3 w - - 0 1";
  CHECK(run(judge_command(), {TestFile("judge.txt", "\xEF\xBB\xBF" + fen + "\n").path()}).code == exit_done);
  CHECK(run(judge_command(), {TestFile("judge.txt", fen + "\n\xEF\xBB\xBF" + fen + "\n").path()}).code == exit_fault_found);
  CHECK(run(judge_command(), {TestFile("judge.txt", "\xEF\xBB\xBF{\"fen\":\"" + fen + "\",\"moves\":[]}\n").path()}).code == exit_done);
  const TestFile twice("judge.txt", "{\"fen\":\"" + fen + "\",\"moves\":[],\"fen\" : \"" + fen + "\"}\n");
  const Said said = run(judge_command(), {"--json", twice.path()});
  CHECK(said.code == exit_fault_found);
  CHECK(json::parse(said.out).as_object().at("error").as_string() == "the key 'fen' is there twice");
}

TEST_CASE("check --json: a flag loss against a side that could not mate, with article and proof") {
  const TestFile games(
      "check.pgn",
      "[White \"A\"]\n[Black \"B\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/Q7/4K3 w - - 0 1\"]\n[TimeControl \"60\"]\n"
      "[Termination \"time forfeit\"]\n[Result \"0-1\"]\n\n0-1\n\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n");
  const Said said = run(check_command(), {"--json", games.path()});
  CHECK(said.code == exit_fault_found);
  const json::object out = whole(said);
  CHECK(out.at("games").to_number<int>() == 2);
  REQUIRE(out.at("problems").as_array().size() == 1);
  const json::object problem = out.at("problems").at(0).as_object();
  CHECK(problem.at("game").to_number<int>() == 1);
  CHECK(problem.at("line").to_number<int>() > 0);
  CHECK(problem.contains("ply"));
  CHECK(problem.at("kind").as_string() == "result_mismatch");
  CHECK(problem.at("result_in_file").as_string() == "0-1");
  CHECK(problem.at("result_by_law").as_string() == "1/2-1/2");
  CHECK(problem.at("article").as_string() == "6.9");
  CHECK(problem.at("proof").as_string() == "Black: material");
  // Engine matches: a flag is a flag.
  CHECK(run(check_command(), {"--edition", "engine-practice", games.path()}).code == exit_done);
  CHECK_THROWS_AS(run(check_command(), {}), UsageError);
  CHECK_THROWS_AS(run(check_command(), {games.path() + ".missing"}), UsageError);
}

TEST_CASE("case: one written from a game keeps its edition and time control, and runs") {
  const TestFile game("dispute.pgn",
                      "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n[Edition \"fide-2005\"]\n[TimeControl \"2/3600:900\"]\n\n"
                      "1. d4 {[%clk 0:59:00]} Nf6 {[%clk 0:58:00]} 2. c4 {[%clk 1:10:00]} e6 {[%clk 1:09:00]} *\n");
  const Said written = run(case_command(), {"from", game.path(), "--ply", "4"});
  CHECK(written.out.find("time_control: '2/3600s:900s'") != std::string::npos);
  CHECK(written.out.find("editions: [fide-2005]") != std::string::npos);
  const TestFile file("dispute.yaml", written.out);
  const Said ran = run(case_command(), {file.path()});
  CHECK(ran.code == exit_done);
  CHECK(ran.out == "GAME-1-PLY-4 fide-2005: pass\n1 passed, 0 failed\n");
  CHECK(run(case_command(), {"from", game.path(), "--ply", "4", "--edition", "fide-2018"}).out.find("[fide-2018]") != std::string::npos);
}

TEST_CASE("case: a position or moves that cannot be are bad input, said with their place") {
  const TestFile file("bad.yaml",
                      "cases:\n- id: A\n  moves: e2e5\n  event: {type: status}\n  expect: [{editions: [fide-2018], result: '*'}]\n");
  const Said ran = run(case_command(), {file.path()});
  CHECK(ran.code == exit_usage);
  CHECK(ran.out.find("bad.yaml:3:10: half-move 1: 'e2e5'") != std::string::npos);
}

TEST_CASE("scoresheet: text, JSON and page of a PGN game, in a language") {
  const TestFile game("sheet.pgn",
                      "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n1. d4 Nf6 {[%clk 0:59:30]} 2. c4 e6 3. Nc3 Bb4 (=) *\n");
  const Said text = run(scoresheet_command(), {game.path(), "--language", "et"});
  CHECK(text.code == exit_done);
  CHECK(text.out.find("Ob4 (=)") != std::string::npos);
  CHECK(text.out.find("0:59:30") != std::string::npos);
  const json::object out = whole(run(scoresheet_command(), {game.path(), "--language", "et", "--json"}));
  REQUIRE(out.at("moves").as_array().size() == 6);
  CHECK(out.at("moves").at(1).at("text").as_string() == "Rf6");
  CHECK(out.at("moves").at(1).at("side").as_string() == "black");
  CHECK(out.at("moves").at(1).at("clock_ms").as_int64() == 3'570'000);
  CHECK(out.at("moves").at(0).at("clock_ms").is_null());
  CHECK(out.at("moves").at(5).at("offer").as_bool());
  CHECK(out.at("result").as_string() == "*");
  const TestFile page("sheet.html", "");
  CHECK(run(scoresheet_command(), {game.path(), "--html", page.path()}).code == exit_done);
  std::ifstream written(page.path());
  const std::string html{std::istreambuf_iterator<char>(written), {}};
  CHECK(html.starts_with("<!DOCTYPE html>"));
  CHECK(html.find("Bb4 (=)") != std::string::npos);
  CHECK_THROWS_AS(run(scoresheet_command(), {game.path(), "--game", "2"}), UsageError);
  CHECK_THROWS_AS(run(scoresheet_command(), {game.path(), "--language", "xx"}), UsageError);
}
