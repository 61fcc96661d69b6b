// rate, crosstable, elo and sprt on files, as a user runs them.
#include <unistd.h>
#include <zlib.h>

#include <boost/json.hpp>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "referee/cli/command.hpp"
#include "referee/record/journal.hpp"
#include "tests/cli/run_words.hpp"

using namespace referee;
using test::Ran;
using test::run;
namespace json = boost::json;

namespace {

class Folder {
 public:
  Folder() {
    static int count = 0;
    path_ = std::filesystem::temp_directory_path() / ("referee-test-results-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string pgn_game(const std::string& white, const std::string& black, const std::string& result, const std::string& round = "1",
                     const std::string& moves = "1. e4 e5", const std::string& more = "") {
  return "[Event \"test\"]\n[Site \"?\"]\n[Date \"2026.11.30\"]\n[Round \"" + round + "\"]\n[White \"" + escaped(white) + "\"]\n[Black \"" +
         escaped(black) + "\"]\n[Result \"" + result + "\"]\n" + more + "\n" + moves + " " + result + "\n\n";
}

const json::object& row(const json::value& list, const std::string& player) {
  for (const json::value& entry : list.as_array())
    if (entry.as_object().at("player").as_string() == player) return entry.as_object();
  throw std::runtime_error("no row for " + player);
}

double number(const json::value& value) { return value.to_number<double>(); }

/// A journal of finished games with the given results ("1-0" ...), pairs of games with colours swapped.
void write_journal(const std::string& path, const std::vector<std::string>& results) {
  const auto journal = record::Journal::open(path, record::Journal::Mode::create_new);
  journal->write_plan({"", "digest", {}, static_cast<int>(results.size())});
  for (std::size_t i = 0; i < results.size(); ++i) {
    record::GameStarted started;
    started.game = static_cast<int>(i) + 1;
    started.white = i % 2 == 0 ? "New" : "Old";
    started.black = i % 2 == 0 ? "Old" : "New";
    started.round = started.pair = static_cast<int>(i / 2) + 1;
    started.opening = "line " + std::to_string(started.pair);
    std::vector<record::Fact> facts{started};
    if (results[i] != "*") {
      record::GameEnded ended;
      ended.game = started.game;
      ended.outcome.score = results[i] == "1-0" ? game::Score{100, 0} : results[i] == "0-1" ? game::Score{0, 100} : game::Score{50, 50};
      ended.outcome.reason = results[i] == "1/2-1/2" ? game::Reason::threefold_auto : game::Reason::checkmate;
      facts.emplace_back(ended);
    }
    journal->write(facts);
  }
}

}  // namespace

TEST_CASE("rate: who won everything is bounded, the others are rated (ST-09)") {
  const Folder folder;
  const auto file =
      folder.file("g.pgn", pgn_game("A", "B", "1-0") + pgn_game("A", "B", "1-0") + pgn_game("B", "C", "1-0") + pgn_game("C", "B", "1-0"));
  const Ran ran = run({"rate", "--json", file});
  REQUIRE(ran.code == 0);
  const json::value list = ran.value();
  REQUIRE(list.as_array().size() == 3);
  CHECK(row(list, "A").at("rating").is_null());
  CHECK(row(list, "A").at("bound").as_string() == "lower");
  CHECK(number(row(list, "A").at("limit")) > number(row(list, "B").at("rating")));
  CHECK(number(row(list, "B").at("rating")) == Approx(2300));
  CHECK(number(row(list, "C").at("rating")) == Approx(2300));
  CHECK(number(row(list, "A").at("games")) == 2);
  CHECK(number(row(list, "A").at("score")) == 1);
  CHECK(number(row(list, "B").at("opponents")) == 2);
  CHECK(row(list, "B").contains("error"));
  CHECK(run({"rate", file}).out.find(">") != std::string::npos);
  // Ordo publishes a number for everybody.
  CHECK(row(run({"rate", "--json", "--model", "ordo", file}).value(), "A").at("rating").is_number());
}

TEST_CASE("rate: anchors, aliases, best versions, forms") {
  const Folder folder;
  std::string text;
  for (int i = 0; i < 6; ++i) {
    text += pgn_game("Fish 16", "Fish 15", i < 4 ? "1-0" : "0-1", std::to_string(i));
    text += pgn_game("Fish 15", "Whale 2.1", i < 3 ? "1/2-1/2" : i < 5 ? "1-0" : "0-1", std::to_string(i));
    text += pgn_game("Whale v2.1", "Fish 16", i < 3 ? "1/2-1/2" : "0-1", std::to_string(i));
  }
  const auto file = folder.file("g.pgn", text);
  const auto aliases = folder.file("aliases.csv", "# the same\n\"Whale 2.1\", Whale v2.1\n");
  const Ran plain = run({"rate", "--json", file, "--aliases", aliases, "--anchor", "Fish 15=3000"});
  REQUIRE(plain.code == 0);
  CHECK(plain.value().as_array().size() == 3);
  CHECK(number(row(plain.value(), "Fish 15").at("rating")) == Approx(3000));
  CHECK(number(row(plain.value(), "Fish 15").at("error")) == Approx(0).margin(1e-6));
  CHECK(number(row(plain.value(), "Whale 2.1").at("games")) == 12);
  const Ran best = run({"rate", "--json", "--best-version", "--aliases", aliases, file});
  REQUIRE(best.value().as_array().size() == 2);
  CHECK_NOTHROW(row(best.value(), "Fish 16"));

  const Ran forms = run({"rate", "--csv", folder.path("l.csv"), "--html", folder.path("l.html"), "--los", folder.path("los.csv"), file});
  CHECK(forms.code == 0);
  CHECK(forms.out.empty());
  CHECK(read(folder.path("l.csv")).starts_with("rank,player,rating,error"));
  CHECK(read(folder.path("l.html")).find("<td class=\"l\">Fish 16</td>") != std::string::npos);
  CHECK(read(folder.path("los.csv")).starts_with("player,"));

  const Ran unknown = run({"rate", file, "--anchor", "Fish 17=3000"});
  CHECK(unknown.code == 2);
  CHECK(unknown.errors.find("did you mean 'Fish 1") != std::string::npos);
  CHECK(run({"rate", file, "--anchor", "Fish 16"}).code == 2);
  CHECK(run({"rate", file, "--draw-rate", "100"}).code == 2);
  CHECK(run({"rate"}).code == 2);
}

TEST_CASE("rate: the same game in two files counts once, repetitions within a file stay") {
  const Folder folder;
  const std::string draw = pgn_game("A", "B", "1/2-1/2", "1");
  const auto one =
      folder.file("one.pgn", draw + draw + pgn_game("A", "B", "1-0", "2", "1. d4 d5") + pgn_game("B", "A", "1-0", "3", "1. c4 c5"));
  const auto two =
      folder.file("two.pgn", pgn_game("A", "B", "1-0", "2", "1. d4 {better} d5") + pgn_game("A", "B", "1-0", "2", "1. d4 Nf6"));
  const Ran across = run({"rate", "--json", one, two});
  REQUIRE(across.code == 0);
  CHECK(number(row(across.value(), "A").at("games")) == 5);
  CHECK(across.errors.find("two.pgn: 1 duplicate game dropped") != std::string::npos);
  CHECK(number(row(run({"rate", "--json", "--duplicates", "keep", one, two}).value(), "A").at("games")) == 6);
  CHECK(number(row(run({"rate", "--json", "--duplicates", "all", one, two}).value(), "A").at("games")) == 4);
}

TEST_CASE("rate: groups that never met, and lists tied one way only, are reported") {
  const Folder folder;
  const auto both = [](const std::string& a, const std::string& b) { return pgn_game(a, b, "1-0") + pgn_game(a, b, "0-1"); };
  const auto file = folder.file("g.pgn", both("A", "B") + both("B", "C") + both("X", "Y") + pgn_game("A", "X", "1-0") + both("P", "Q"));
  const Ran ran = run({"rate", "--json", file});
  REQUIRE(ran.code == 0);
  CHECK(number(row(ran.value(), "C").at("group")) == 1);
  CHECK(number(row(ran.value(), "Y").at("group")) == 2);
  CHECK(number(row(ran.value(), "P").at("group")) == 3);
  CHECK(ran.errors.find("3 groups") != std::string::npos);
  CHECK(ran.errors.find("group 2: 2 players: X, Y") != std::string::npos);
  CHECK(run({"rate", file}).out.find("group 3: 2 players: P, Q") != std::string::npos);
  // With a prior one game is enough to compare; those who never met stay apart.
  const Ran prior = run({"rate", "--json", "--prior", "1", file});
  CHECK(number(row(prior.value(), "Y").at("group")) == 1);
  CHECK(number(row(prior.value(), "P").at("group")) == 2);
}

TEST_CASE("rate: names of every kind, junk, missing parts") {
  const Folder folder;
  const std::string odd = "a\"b\\c <i>&\t'x'";
  const auto file =
      folder.file("g.pgn", std::string("\0junk\0\n", 7) + pgn_game(odd, "B", "1-0") + pgn_game("B", odd, "1-0") + pgn_game("", "B", "1-0") +
                               pgn_game("B", "B", "1-0") + pgn_game("A", "B", "*") + "[Event \"cut\"]\n[White \"A\"]\n[Bla");
  const Ran ran = run({"rate", "--json", file, "--html", folder.path("l.html")});
  REQUIRE(ran.code == 0);
  CHECK(number(row(ran.value(), "a\"b\\c <i>& 'x'").at("games")) == 2);
  CHECK(ran.value().as_array().size() == 2);
  CHECK(read(folder.path("l.html")).find("<i>") == std::string::npos);
  CHECK(ran.errors.find("without a result") != std::string::npos);

  const Ran none = run({"rate", folder.file("none.pgn", "not a game at all\n")});
  CHECK(none.code == 2);
  CHECK(none.errors.find("no games in it") != std::string::npos);
  CHECK(run({"rate", folder.file("empty.pgn", "")}).code == 2);
  CHECK(run({"rate", folder.path("missing.pgn")}).code == 2);
  const Ran unfinished = run({"rate", folder.file("u.pgn", pgn_game("A", "B", "*"))});
  CHECK(unfinished.code == 2);
  CHECK(unfinished.errors.find("no game with a result") != std::string::npos);
}

TEST_CASE("rate, elo: records that contradict themselves or are cut off are left out and named") {
  const Folder folder;
  const auto file = folder.file("g.pgn", pgn_game("A", "B", "1-0") + pgn_game("B", "A", "1-0") +
                                             "[Event \"e\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n"
                                             "[Event \"e\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf\n\n");
  const Ran ran = run({"rate", "--json", file});
  REQUIRE(ran.code == 0);
  CHECK(number(row(ran.value(), "A").at("games")) == 2);
  CHECK(ran.errors.find("1 game left out: the Result tag and the end of the moves differ (the first is game 3)") != std::string::npos);
  CHECK(ran.errors.find("1 game left out: cut off, the moves stop without a result (the first is game 4)") != std::string::npos);
}

TEST_CASE("rate, crosstable: Latin-1 and UTF-8 are the same names, and whole in every form") {  // PGN 4.1
  const Folder folder;
  const auto file = folder.file("g.pgn", pgn_game("M\xC3\xBCller", "B", "1-0", "1") + pgn_game("M\xFCller", "B", "0-1", "2") +
                                             pgn_game("M\xF6ller", "B", "1-0", "3") + pgn_game("B", "M\xF6ller", "1-0", "4") +
                                             pgn_game("Euro \x80", "B", "1/2-1/2", "5"));
  const Ran ran = run({"rate", "--json", file, "--html", folder.path("l.html"), "--csv", folder.path("l.csv")});
  REQUIRE(ran.code == 0);
  CHECK(number(row(ran.value(), "M\xC3\xBCller").at("games")) == 2);
  CHECK(number(row(ran.value(), "M\xC3\xB6ller").at("games")) == 2);
  CHECK(number(row(ran.value(), "Euro \xE2\x82\xAC").at("games")) == 1);
  for (const char* form : {"l.html", "l.csv"}) CHECK(read(folder.path(form)).find("M\xC3\xBCller") != std::string::npos);
  CHECK(run({"crosstable", file}).out.find("M\xC3\xBCller") != std::string::npos);
  const Ran renamed = run({"rate", "--json", "--aliases", folder.file("names.csv", "Mueller,M\xFCller\n"), file});
  CHECK(number(row(renamed.value(), "Mueller").at("games")) == 2);
}

TEST_CASE("rate: gzip is read, a cut one is said") {
  const Folder folder;
  const std::string text =
      pgn_game("A", "B", "1-0", "1") + pgn_game("B", "A", "1-0", "1") + pgn_game("A", "B", "1/2-1/2", "2", "1. Nf3 d5");
  gzFile out = gzopen(folder.path("g.pgn.gz").c_str(), "wb");
  REQUIRE(out != nullptr);
  gzwrite(out, text.data(), static_cast<unsigned>(text.size()));
  gzclose(out);
  CHECK(number(row(run({"rate", "--json", folder.path("g.pgn.gz")}).value(), "A").at("games")) == 3);
  const std::string bytes = read(folder.path("g.pgn.gz"));
  const Ran cut = run({"rate", folder.file("cut.pgn.gz", bytes.substr(0, bytes.size() - 12))});
  CHECK(cut.code == 2);
  CHECK(cut.errors.find("cut.pgn.gz: the compressed data") != std::string::npos);
}

TEST_CASE("elo: pairs of a PGN by opening or round, colours and endings") {
  const Folder folder;
  std::string text;
  const std::string fen =
      "[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"]\n[Termination \"normal\"]\n[ECO \"B00\"]\n";
  for (int i = 0; i < 3; ++i) {
    text += pgn_game("New", "Old", "1-0", std::to_string(2 * i + 1), "1... e5", fen);
    text += pgn_game("Old", "New", i == 0 ? "1-0" : "1/2-1/2", std::to_string(2 * i + 2), "1... e5", fen);
  }
  const auto file = folder.file("g.pgn", text);
  const json::value elo = run({"elo", "--json", file}).value();
  CHECK(elo.at("engine").as_string() == "New");
  CHECK(elo.at("against").as_string() == "Old");
  CHECK(number(elo.at("games")) == 6);
  CHECK(number(elo.at("pairs")) == 3);
  CHECK(elo.at("ptnml") == json::array{0, 0, 1, 2, 0});
  CHECK(number(elo.at("score")) == Approx(4.0 / 6));
  CHECK(number(elo.at("as_white").at("wins")) == 3);
  CHECK(number(elo.at("as_black").at("draws")) == 2);
  CHECK(number(elo.at("reasons").at("normal")) == 6);
  CHECK(elo.at("openings").as_array().size() == 1);
  CHECK(number(run({"elo", "--json", "--games-only", file}).value().at("pairs")) == 0);
  const json::value other = run({"elo", "--json", "--engine", "Old", file}).value();
  CHECK(number(other.at("score")) == Approx(2.0 / 6));
  CHECK(run({"elo", "--engine", "Nobody", file}).code == 2);
  CHECK(run({"elo", "--engine", "New", "--against", "New", file}).code == 2);
  CHECK(run({"elo", file, "--openings"}).out.find("B00") != std::string::npos);
  CHECK(run({"elo"}).code == 2);
  CHECK(run({"elo", "--wdl", "1", "2", "3", "--chart", folder.path("c.svg")}).code == 2);
}

TEST_CASE("elo and sprt: pairs of a journal by its plan, a chart") {
  const Folder folder;
  const std::string journal = folder.path("m.sqlite");
  // Pairs from New's side: WL, WD, DD, WW, and one whose second game is still played.
  write_journal(journal, {"1-0", "1-0", "1-0", "1/2-1/2", "1/2-1/2", "1/2-1/2", "1-0", "0-1", "1-0", "*", "1-0", "0-1"});
  const Ran ran = run({"elo", "--json", journal});
  REQUIRE(ran.code == 0);
  const json::value elo = ran.value();
  CHECK(elo.at("engine").as_string() == "New");
  CHECK(elo.at("ptnml") == json::array{0, 0, 2, 1, 2});
  CHECK(number(elo.at("unpaired_games")) == 1);
  CHECK(number(elo.at("reasons").at("checkmate")) == 8);
  CHECK(elo.at("openings").as_array().size() == 6);
  // The test waits for the fifth pair before it looks at the sixth.
  const Ran sprt = run({"sprt", "--json", "--elo1", "5", "--chart", folder.path("c.svg"), journal});
  REQUIRE(sprt.code == 0);
  CHECK(number(sprt.value().at("pairs")) == 4);
  CHECK(sprt.value().at("state").as_string() == "continue");
  CHECK(read(folder.path("c.svg")).find("<svg ") == 0);
  const double four = number(run({"sprt", "--json", "--elo1", "5", "--pairs", "0", "0", "1", "1", "1", "1"}).value().at("llr"));
  CHECK(number(sprt.value().at("llr")) == Approx(four));
  // A journal and PGN mixed.
  const auto more = folder.file("more.pgn", pgn_game("Old", "New", "1-0"));
  CHECK(number(row(run({"rate", "--json", journal, more}).value(), "New").at("games")) == 12);
}

TEST_CASE("elo: a loss on time is counted by its result, not by what was said about it (ST-07)") {
  const Folder folder;
  const std::string path = folder.path("m.sqlite");
  {
    const auto journal = record::Journal::open(path, record::Journal::Mode::create_new);
    journal->write_plan({"", "digest", {}, 1});
    record::GameStarted started;
    started.game = 1;
    started.white = "A";
    started.black = "B";
    record::EngineWarning warning;
    warning.game = 1;
    warning.engine = "B";
    warning.kind = "time";
    warning.text = "overstepped";
    record::GameEnded ended;
    ended.game = 1;
    ended.outcome.score = {100, 0};
    ended.outcome.reason = game::Reason::flag_fall;
    journal->write({started, warning, warning, ended});
  }
  const json::value elo = run({"elo", "--json", path}).value();
  CHECK(number(elo.at("reasons").at("flag_fall")) == 1);
  CHECK(number(elo.at("games")) == 1);
  CHECK(elo.at("bound").as_string() == "lower");
}

TEST_CASE("names: a broken file of aliases is refused with its place") {
  const Folder folder;
  const auto file = folder.file("g.pgn", pgn_game("A", "B", "1-0") + pgn_game("A", "B", "0-1"));
  const Ran broken = run({"rate", file, "--aliases", folder.file("a.csv", "A,A1\n\"B, B1\n")});
  CHECK(broken.code == 2);
  CHECK(broken.errors.find("a.csv:2:") != std::string::npos);
  CHECK(run({"rate", file, "--aliases", folder.path("none.csv")}).code == 2);
  // Families: the best of each line only.
  const json::value list = run({"rate", "--json", file, "--families", folder.file("f.csv", "Letter,A,\"B\"\n")}).value();
  CHECK(list.as_array().size() == 1);
}

TEST_CASE("sprt: of files the verdict is that of the first crossing") {
  const Folder folder;
  std::string text;
  for (int i = 0; i < 80; ++i) {
    const bool good = i < 40;
    text += pgn_game("New", "Old", good ? "1-0" : "0-1", std::to_string(i + 1));
    text += pgn_game("Old", "New", i % 3 == 0 ? "1/2-1/2" : good ? "0-1" : "1-0", std::to_string(i + 1));
  }
  const json::value sprt =
      run({"sprt", "--json", "--model", "logistic", "--elo0", "0", "--elo1", "100", folder.file("g.pgn", text)}).value();
  CHECK(sprt.at("state").as_string() == "accept_h1");
  CHECK(number(sprt.at("decided_after")) < 40);
  CHECK(number(sprt.at("pairs")) == number(sprt.at("decided_after")));
  CHECK(number(sprt.at("llr")) >= number(sprt.at("upper")));
  CHECK(number(sprt.at("expected_pairs_left")) == 0);
}

TEST_CASE("elo of numbers: a sweep gives a bound and valid JSON (ST-01), the scale's value (ST-11)") {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"elo", "--json", "--wdl", "6", "0", "0"}, {"elo", "--json", "--pairs", "0", "0", "0", "0", "3"}}) {
    const json::value elo = run(words).value();
    CHECK(elo.at("elo").is_null());
    CHECK(elo.at("bound").as_string() == "lower");
    CHECK(number(elo.at("score")) == 1);
  }
  const json::value elo = run({"elo", "--json", "--wdl", "520", "1010", "470"}).value();
  CHECK(number(elo.at("elo")) == Approx(8.69).margin(0.1));
  CHECK(number(elo.at("elo_error")) == Approx(10.7).margin(0.1));
  CHECK(number(elo.at("los")) == Approx(0.944).margin(0.001));
}

TEST_CASE("crosstable: a round-robin and a Swiss with a bye") {
  const Folder folder;
  const auto all =
      folder.file("rr.pgn", pgn_game("a", "b", "1-0", "1.1") + pgn_game("c", "d", "1-0", "1.2") + pgn_game("c", "a", "1/2-1/2", "2.1") +
                                pgn_game("d", "b", "0-1", "2.2") + pgn_game("a", "d", "0-1", "3.1") + pgn_game("b", "c", "1-0", "3.2"));
  const json::value table = run({"crosstable", "--json", "--tie-breaks", "sonneborn-berger", all}).value();
  REQUIRE(table.at("players").as_array().size() == 4);
  CHECK(table.at("players").at(0).at("player").as_string() == "b");
  CHECK(table.at("players").at(1).at("player").as_string() == "a");
  CHECK(number(table.at("players").at(1).at("sonneborn_berger")) == 2.75);  // b's 2 + half of c's 1.5
  CHECK(number(table.at("players").at(1).at("rank")) == 2);
  CHECK(number(table.at("games")) == 6);
  const Ran text = run({"crosstable", all});
  CHECK(text.code == 0);
  CHECK(text.out.find("sonneborn-berger") != std::string::npos);

  const auto swiss = folder.file("swiss.pgn", pgn_game("a", "b", "1-0", "1") + pgn_game("a", "c", "1-0", "2"));
  const json::value with_bye = run({"crosstable", "--json", "--bye", "1", swiss}).value();
  CHECK(number(row(with_bye.at("players"), "c").at("points")) == 1);
  CHECK(number(row(with_bye.at("players"), "b").at("points")) == 1);
  CHECK(run({"crosstable", "--form", "rounds", "--bye", "1", swiss}).out.find("bye") != std::string::npos);
  CHECK(run({"crosstable", "--tie-breaks", "coin", all}).code == 2);
  CHECK(run({"crosstable", "--bye", "1", folder.file("no-rounds.pgn", pgn_game("a", "b", "1-0", "?"))}).code == 2);
  CHECK(run({"crosstable", "--html", folder.path("t.html"), all}).code == 0);
  CHECK(read(folder.path("t.html")).find("<table>") != std::string::npos);
}
