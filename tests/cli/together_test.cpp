// What means nothing alone, or nothing at all, is refused with a word instead of being passed over.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "referee/cli/command.hpp"
#include "referee/cli/plain_output.hpp"
#include "tests/cli/run_words.hpp"
#include "tests/match/support.hpp"

using namespace referee;
using Catch::Matchers::Contains;
using test::Ran;

namespace {

void is_refused(const std::vector<std::string>& words, const std::string& why) {
  const Ran ran = test::run(words);
  INFO(words.front());
  CHECK(ran.code == cli::exit_usage);
  CHECK_THAT(ran.errors, Contains(why));
}

}  // namespace

TEST_CASE("options that say nothing alone are refused") {
  const test::ScratchFolder folder;
  const auto match = folder.write("m.yaml", "engines:\n  - {name: A, command: /bin/true}\n  - {name: B, command: /bin/true}\n");
  is_refused({"run", "--gate", match}, "--gate answers for a sequential test");
  is_refused({"run", "--fresh", "--accept-change", match}, "--fresh and --accept-change exclude each other");
  is_refused({"match", "/bin/true,name=A", "/bin/true,name=B", "--gate"}, "--gate answers for a sequential test");
  is_refused({"match", "/bin/true,name=A", "/bin/true,name=B", "--seed", "3"},
             "--seed says nothing alone (expected --order random with it)");
  is_refused({"match", "/bin/true,name=A", "/bin/true,name=B", "--plies", "3"}, "--plies says nothing alone (expected --book with it)");
  is_refused({"match", "/bin/true,name=A", "/bin/true,name=B", "--games", "4", "--cycles", "2"}, "--games and --cycles exclude each other");
  is_refused({"match", "/bin/true,name=A", "/bin/true,name=B", "/bin/true,name=C", "--sprt", "elo0=0,elo1=2"}, "expected two engines");
  is_refused({"elo", "--wdl", "1", "2", "3", "--engine", "A"}, "--engine is about the games of files");
  is_refused({"judge", "--edition", "fide-2023", "--all-editions"}, "exclude each other");
}

TEST_CASE("the arbiter's operands and a token's name are told apart from what they are not") {
  const test::ScratchFolder folder;
  is_refused({"arbiter", "1", "0", "pause", "--data", folder.file("d")}, "'0' is no game (expected its number in the match, from 1)");
  is_refused({"arbiter", "0", "1", "pause", "--data", folder.file("d")}, "'0' is no match");
  for (const char* name : {"a/b", "..", "\x1b[2J"})
    is_refused({"serve", "--data", folder.file("d"), "--new-token", "viewer", "--name", name}, "--name: the name");
  CHECK_FALSE(std::filesystem::exists(folder.file("d")));
}

TEST_CASE("two engines of one name are told of as they stand on the command line") {
  const Ran ran = test::run({"match", "stockfish", "stockfish"});
  CHECK(ran.code == cli::exit_usage);
  CHECK_THAT(ran.errors, Contains("both named 'stockfish'") && Contains("'stockfish,name=Other'"));
  CHECK(ran.errors.find("line") == std::string::npos);
  is_refused({"match", "./a/engine", "./b/engine"}, "'./a/engine' and './b/engine' are both named 'engine'");
}

TEST_CASE("openings: nothing is ignored, overwritten or made on the way") {
  const test::ScratchFolder folder;
  const auto book = folder.write("b.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - id \"one\";\n");
  is_refused({"openings", book, "--sample", "5"}, "--sample says nothing alone (expected --output or --to with it)");
  is_refused({"openings", book, "--output", book}, "is read and written");
  is_refused({"openings", book, "--output", folder.file("new/folder/x.epd")}, "there is no folder");
  is_refused({"openings", folder.file("none.epd")}, "there is no such file");
  is_refused({"openings", folder.path().string()}, "is a folder");
  CHECK(folder.read("b.epd").find("one") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "new"));
}

TEST_CASE("a file without games is said, with an exit code") {
  const test::ScratchFolder folder;
  const auto empty = folder.write("empty.pgn", "");
  const Ran checked = test::run({"check", empty});
  CHECK(checked.code == cli::exit_fault_found);
  CHECK_THAT(checked.out, Contains("there is no game in it"));
  const Ran imported = test::run({"import", empty});
  CHECK(imported.code == cli::exit_fault_found);
  CHECK_THAT(imported.errors, Contains("there is no game in it"));
  const auto game = folder.write("one.pgn", "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n1. e4 *\n");
  CHECK(test::run({"import", game}).code == cli::exit_done);
}

TEST_CASE("import names what it did not take over, and what it writes can be played") {
  const test::ScratchFolder folder;
  const auto config =
      folder.write("config.json",
                   R"({"engines": [{"name": "a", "cmd": "/bin/true", "dir": "", "limit": {"tc": {"time": 1000}}, "cores": 7},
                                                   {"name": "b", "cmd": "true", "dir": "", "limit": {"tc": {"time": 1000}}}],
                                       "games": 2, "rounds": 1, "livestream": {"url": "x"}, "log": {"file": ""}, "quick": false, "affinity": true})");
  const Ran imported = test::run({"import", config});
  CHECK(imported.code == cli::exit_done);
  CHECK_THAT(imported.errors, Contains("not carried over: livestream, affinity") && Contains("a: not carried over: cores"));
  CHECK(imported.errors.find("log") == std::string::npos);  // empty: nothing was asked for
  CHECK(imported.out.find("null") == std::string::npos);
  const auto match = folder.write("m.yaml", imported.out);
  const Ran scheduled = test::run({"schedule", "--json", match});
  CHECK(scheduled.code == cli::exit_done);
  CHECK_THAT(scheduled.out, Contains("\"white\":\"a\""));
}

TEST_CASE("a list of names that is none is refused, with the place") {
  const test::ScratchFolder folder;
  const auto pgn = folder.write("g.pgn", "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n");
  for (const char* option : {"--aliases", "--families"}) {
    is_refused({"rate", option, folder.path().string(), pgn}, ": is a folder (expected a file, CSV)");
    is_refused({"rate", option, folder.write("l.csv", "# two\nFoo;E1\n"), pgn}, "l.csv:2:1: one name alone");
    is_refused({"rate", option, folder.write("l.csv", "\"Foo\" bar,E1\n"), pgn}, "l.csv:1:7: text behind a closing quote");
  }
  is_refused({"crosstable", "--aliases", folder.path().string(), pgn}, ": is a folder");
}

TEST_CASE("lists of names that contradict themselves are refused, with the place") {
  const test::ScratchFolder folder;
  const auto pgn = folder.write("g.pgn", "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n");
  for (const char* command : {"rate", "crosstable"}) {
    is_refused({command, "--aliases", folder.write("l.csv", "A,X\nB,X\n"), pgn}, "l.csv:2:1: 'X' belongs to 'B' here and to 'A' in line 1");
    is_refused({command, "--aliases", folder.write("l.csv", "A,B\n# then\nB,C\n"), pgn}, "l.csv:3:1: 'B' belongs to 'B' here and to 'A'");
    is_refused({command, "--aliases", folder.write("l.csv", "B,C\nA,B\n"), pgn}, "l.csv:2:1: 'B' belongs to 'A' here and to 'B'");
  }
  is_refused({"rate", "--families", folder.write("l.csv", "F,A,B\nG,B\n"), pgn}, "l.csv:2:1: 'B' belongs to 'G' here and to 'F' in line 1");
  // The same said again is no contradiction, and a family may be called as one of its engines.
  CHECK(test::run({"rate", "--aliases", folder.write("l.csv", "A,X\nA,X,Y,A\n"), pgn}).code == cli::exit_done);
  CHECK(test::run({"rate", "--families", folder.write("l.csv", "A,A,B\n"), pgn}).code == cli::exit_done);
}

TEST_CASE("UTF-16 is refused in one sentence") {
  const test::ScratchFolder folder;
  const std::string text = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n";
  std::string little;
  std::string big;
  for (const char c : text) {
    little += std::string{c, '\0'};
    big += std::string{'\0', c};
  }
  for (const std::string& form : {little, big, "\xFF\xFE" + little, "\xFE\xFF" + big}) {
    const auto pgn = folder.write("g.pgn", form);
    for (const char* command : {"check", "rate", "elo", "crosstable"}) {
      is_refused({command, pgn}, "g.pgn: is UTF-16 (expected UTF-8 or Latin-1)");
      CHECK(test::run({command, pgn}).errors.size() < 300);
    }
  }
}

TEST_CASE("a time control of every engine is given once") {
  is_refused({"match", "a", "b", "--tc", "10+0.1", "--each", "tc=1+0.1"}, "the time control is given twice");
  is_refused({"match", "a", "b", "--tc", "10+0.1", "--each", "option.Hash=4,time_control=1+0.1"}, "the time control is given twice");
}

TEST_CASE("words that would say nothing are refused") {
  is_refused({"serve", "--name", "olga"}, "option --name says nothing alone (expected --new-token with it)");
  is_refused({"status", "--token-file", "token"}, "option --token-file says nothing alone (expected --connect with it)");
  is_refused({"status", "--socket", "s", "--connect", "127.0.0.1:1"}, "exclude each other");
  is_refused({"man", "run"}, "man: 'run' says nothing here");
  is_refused({"submit", ""}, "the name of the match file is empty");
}

TEST_CASE("a file that is read, or belongs to a journal that is read, is not written") {
  const test::ScratchFolder folder;
  const auto pgn = folder.write("g.pgn", "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n");
  const auto names = folder.write("names.csv", "A,B\n");
  is_refused({"rate", "--families", names, "--csv", names, pgn}, "names.csv is read and written");
  is_refused({"rate", "--aliases", names, "--html", names, pgn}, "names.csv is read and written");
  CHECK(folder.read("names.csv") == "A,B\n");
  std::filesystem::create_symlink("round.json", folder.file("round.json"));
  is_refused({"import", folder.file("round.json")}, "round.json: cannot be read (expected");
  is_refused({"rate", "--average", "1e308", pgn}, "--average is a rating");
  is_refused({"rate", "--white-advantage", "1e308", pgn}, "--white-advantage is a difference of ratings");
  for (const char* part : {"-wal", "-shm", "-journal", ".lock"})
    is_refused({"export", "--csv", folder.file("m.sqlite") + part, folder.file("m.sqlite")}, "is a part of the journal");
  const std::string database("SQLite format 3\0 and so on", 26);
  const auto other = folder.write("other.sqlite", database);
  is_refused({"export", "--pgn", other, folder.file("m.sqlite")}, "other.sqlite: is a database");
  is_refused({"rate", "--csv", other, pgn}, "other.sqlite: is a database");
  is_refused({"rate", "--csv", folder.write("m.yaml", "event: mine\n"), pgn}, "m.yaml is there, and named as a match file");
  is_refused({"rate", "--csv", folder.write("archive.pgn", "\xEF\xBB\xBF\n[Event \"old\"]\n\n1. e4 *\n"), pgn},
             "archive.pgn is there and holds games");
  is_refused({"rate", "--html", folder.write("engines.json", "[]\n"), pgn}, "engines.json is there, and named as a configuration");
  CHECK(folder.read("other.sqlite") == database);
  CHECK(folder.read("m.yaml") == "event: mine\n");
  for (const char* part : {"-wal", "-shm", "-journal", ".lock"}) {  // of a journal that nobody reads, and that is not there yet
    is_refused({"export", "--csv", other + part, folder.file("m.sqlite")}, "is a part of the journal " + other);
    is_refused({"import", "--output", other + part, pgn}, "is a part of the journal " + other);
    is_refused({"rate", "--html", other + part, pgn}, "is a part of the journal " + other);
    CHECK_FALSE(std::filesystem::exists(other + part));
  }
  const std::string binary("\x46\x3b\x96\x18\x16\x91\xfc\x9c\x03\x1c\x00\x01\x00\x00\x00\x00", 16);  // an entry of a Polyglot book
  const auto book = folder.write("book.bin", binary);
  is_refused({"export", "--csv", book, folder.file("m.sqlite")}, "book.bin: is no text");
  is_refused({"rate", "--html", book, pgn}, "book.bin: is no text");
  is_refused({"import", "--output", book, pgn}, "book.bin: is no text");
  CHECK(folder.read("book.bin") == binary);
  std::filesystem::create_symlink("made.csv", folder.file("one.csv"));
  std::filesystem::create_symlink("made.csv", folder.file("two.csv"));
  is_refused({"export", "--csv", folder.file("one.csv"), "--pgn", folder.file("two.csv"), folder.file("m.sqlite")}, "name one file");
  const Ran ran = test::run({"rate", "--csv", folder.file("one.csv"), pgn});
  CHECK(ran.code == 0);
  CHECK(std::filesystem::is_symlink(folder.file("one.csv")));
  CHECK_THAT(folder.read("made.csv"), Contains("A"));
}

TEST_CASE("text of files and of the command line steers no terminal, and JSON stays JSON") {
  const test::ScratchFolder folder;
  const std::string escape = "\x1b[2J";
  const std::string c1 =
      "\xC2\x9B"
      "2J";  // U+009B, CSI
  const std::string turn =
      "\xE2\x80\xAE"
      "olleh";  // U+202E
  const auto is_calm = [&](const std::string& text) {
    return text.find('\x1b') == std::string::npos && text.find("\xC2\x9B") == std::string::npos &&
           text.find("\xE2\x80\xAE") == std::string::npos && text.find('\x7F') == std::string::npos &&
           text.find('\xFF') == std::string::npos;
  };
  for (const std::string& bad : {escape, c1, turn, std::string("\x7F"), std::string("\xFF")}) {
    const auto pgn =
        folder.write("g.pgn", "[Event \"" + bad + "\"]\n[White \"A" + bad + "\"]\n[Black \"B" + bad +
                                  "\"]\n[Result \"1-0\"]\n[TimeControl \"" + bad + "\"]\n[Termination \"" + bad + "\"]\n\n1. e4 e5 1-0\n");
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"check", pgn},
                                                                                       {"rate", pgn},
                                                                                       {"crosstable", pgn},
                                                                                       {"elo", pgn},
                                                                                       {"scoresheet", pgn},
                                                                                       {"scoresheet", "--html", "-", pgn},
                                                                                       {"case", "from", pgn, "--ply", "1"},
                                                                                       {bad},
                                                                                       {"rate", "--" + bad},
                                                                                       {"clock", bad},
                                                                                       {"perft", "--fen", bad, "--depth", "1"},
                                                                                       {"run", folder.file(bad)}}) {
      const Ran ran = test::run(words);
      INFO(words.front());
      CHECK(is_calm(ran.out));
      CHECK(is_calm(ran.errors));
    }
    for (const char* command : {"check", "rate", "crosstable", "elo", "scoresheet"}) {
      const Ran ran = test::run({command, "--json", pgn});
      INFO(command);
      CHECK(is_calm(ran.out));
      CHECK_NOTHROW(ran.value());
    }
  }
  // What is text stays as it is, whatever the pieces in which it is written.
  const std::string name = "Andr\xC3\xA9 \xE2\x99\x9E \xF0\x9F\x90\x8E";
  const auto pgn = folder.write("g.pgn", "[White \"" + name + "\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n");
  CHECK_THAT(test::run({"crosstable", pgn}).out, Contains(name));
  std::ostringstream out;
  {
    cli::PlainOutput plain(out, -1);
    for (const char c : name) out << c << std::flush;
    out << "\xE2\x80";
  }
  CHECK(out.str() == name + "\\xE2\\x80");
  // Latin-1 is read as what it says, also for another program.
  const auto latin = folder.write("l.pgn", "[White \"Andr\xE9\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n");
  CHECK_THAT(test::run({"rate", "--csv", "-", latin}).out, Contains("Andr\xC3\xA9"));
}
