// Two programs that are not ours read what we write. Each part passes with a warning where its program is not installed.
#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "referee/chess/fen.hpp"
#include "referee/record/pgn.hpp"
#include "support.hpp"

using namespace referee;
using namespace referee::record;
using namespace referee::record::testing;

namespace {

std::optional<std::string> program(const std::string& name) {
  std::string folders = std::getenv("PATH") == nullptr ? "" : std::getenv("PATH");
  folders += ":/usr/games";
  for (std::size_t start = 0; start <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', start), folders.size());
    const std::string path = folders.substr(start, end - start) + "/" + name;
    if (::access(path.c_str(), X_OK) == 0) return path;
    start = end + 1;
  }
  return std::nullopt;
}

struct Said {
  std::string text;
  int status;
};
Said run(const std::string& command) {
  std::FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string text;
  std::array<char, 4096> buffer;
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe)) text.append(buffer.data(), got);
  return {text, ::pclose(pipe)};
}

enum class Starts { initial, any };

std::string games(int count, Starts starts) {
  std::string text;
  for (int i = 1; i <= count; ++i) {
    GameStarted start = started(i);
    start.white = R"(C:\engines\"quoted" {1} [2] ; % $)";
    start.event = "Test; \xC3\xA9t\xC3\xA9";
    chess::Position first = chess::Position::initial();
    if (starts == Starts::any && i % 3 == 0) {
      first = chess::parse_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 4 30").position();
      start.setup.start = first;
    } else if (i % 4 == 0) {
      start.setup.opening_moves = {"e2e4", "c7c5"};
      for (const std::string& move : start.setup.opening_moves)
        first.play(std::get<chess::ReadMove>(chess::read_uci(first, move, chess::CastlingText::king_two_squares)).move);
    }
    PgnComposer composer(start, {static_cast<PgnComments>(i % 3), true, true, true});
    const std::vector<Fact> facts = played(start, random_moves(static_cast<std::uint64_t>(i), 160, first), true);
    GameEnded ended;
    for (const Fact& fact : facts) {
      if (const auto* judged = std::get_if<EventJudged>(&fact)) composer.add(*judged);
      if (const auto* end = std::get_if<GameEnded>(&fact)) ended = *end;
    }
    ended.outcome.detail =
        "a { comment } with \\ and \" and ; and (brackets) that goes on for longer than any line may be, so that it breaks";
    text += composer.text(&ended);
  }
  return text;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("pgn-extract accepts every standard-chess game we write") {
  const auto reader = program("pgn-extract");
  if (!reader) {
    WARN("pgn-extract is not installed: not tested");
    return;
  }
  const TempFolder folder;
  write_file(folder.file("ours.pgn"), games(60, Starts::any));
  const Said said = run(*reader + " --quiet --fixresulttags -o " + folder.file("theirs.pgn") + " " + folder.file("ours.pgn"));
  CHECK(said.text.empty());
  CHECK(said.status == 0);
  CHECK(count_of(read_file(folder.file("theirs.pgn")), "[Event ") == 60);
  // It does say when something is wrong.
  write_file(folder.file("bad.pgn"), "[Event \"?\"]\n[Result \"*\"]\n\n1. e4 e5 2. Ke3 *\n");
  CHECK_FALSE(run(*reader + " --quiet -o " + folder.file("none.pgn") + " " + folder.file("bad.pgn")).text.empty());
}

TEST_CASE("polyglot, a second reader, plays through every game from the initial position") {
  const auto reader = program("polyglot");
  if (!reader) {
    WARN("polyglot is not installed: not tested");
    return;
  }
  const TempFolder folder;
  write_file(folder.file("ours.pgn"), games(60, Starts::initial));
  const std::string options = " -max-ply 1024 -min-game 1 -bin " + folder.file("book.bin");
  const Said said = run(*reader + " make-book -pgn " + folder.file("ours.pgn") + options);
  CHECK_THAT(said.text, Catch::Matchers::Contains("all done!") && !Catch::Matchers::Contains("tellusererror"));
  write_file(folder.file("bad.pgn"), "[Event \"?\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 1-0\n");
  CHECK_THAT(run(*reader + " make-book -pgn " + folder.file("bad.pgn") + options).text, Catch::Matchers::Contains("illegal"));
}
