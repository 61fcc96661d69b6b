// Engines' own books: the referee plays their moves, in no time, and says so in the record.
#include <catch2/catch.hpp>
#include <cstdlib>

#include "referee/match/plan.hpp"
#include "referee/record/journal.hpp"
#include "tests/match/support.hpp"

using namespace referee;

namespace {

const std::string program = std::string(REFEREE_BINARY_FOLDER) + "/referee";

/// A Polyglot book of one move: key, move, weight, learn.
std::string book_of(std::uint64_t key, unsigned move) {
  std::string bytes;
  const auto put = [&](std::uint64_t value, unsigned count) {
    while (count-- > 0) bytes += static_cast<char>(value >> (8 * count) & 0xFFU);
  };
  put(key, 8);
  put(move, 2);
  put(1, 2);
  put(0, 4);
  return bytes;
}

constexpr std::uint64_t start_key = 0x463b96181691fc9c;  // published with the format, as the next
constexpr std::uint64_t e4_key = 0x823c9b50fd114196;
constexpr unsigned e2e4 = 4U | 3U << 3U | 4U << 6U | 1U << 9U;
constexpr unsigned c7c5 = 2U | 4U << 3U | 2U << 6U | 6U << 9U;

struct Played {
  std::string moves, from_book;
};

Played played(const record::RecordedGame& game) {
  Played out;
  for (const record::EventJudged& judged : game.events) {
    for (const game::Ruling& ruling : judged.rulings) {
      const auto* move = std::get_if<game::MoveAccepted>(&ruling.body);
      if (move == nullptr) continue;
      out.moves += move->uci + " ";
      if (!judged.book) continue;
      out.from_book += move->uci + " ";
      CHECK(move->used == game::Duration::zero());
      CHECK(move->remaining >= std::chrono::seconds(20));
    }
  }
  return out;
}

}  // namespace

TEST_CASE("engines' own books are played from, for UCI and XBoard engines alike", "[book]") {
  const test::ScratchFolder folder;
  const std::string uci = folder.write("uci.txt", "# protocol uci\n");
  const std::string xboard = folder.write("xboard.txt", "# protocol xboard\n");
  const std::string first = folder.write("first.bin", book_of(start_key, e2e4));
  const std::string reply = folder.write("reply.bin", book_of(e4_key, c7c5));
  for (const bool a_is_xboard : {false, true}) {
    const std::string out = folder.file(a_is_xboard ? "out-x" : "out-u");
    const auto engine = [&](const std::string& name, bool is_xboard, const std::string& book) {
      return "  - {name: " + name + ", command: " + program + ", arguments: [stub, " + (is_xboard ? xboard : uci) +
             "], protocol: " + (is_xboard ? "xboard" : "uci") + ", book: " + book + "}\n";
    };
    const std::string match =
        folder.write("m.yaml", "time_control: 20+0.2\nschedule: {kind: match, games: 2}\nadjudication: {max_moves: 5}\nengines:\n" +
                                   engine("A", a_is_xboard, first) + engine("B", !a_is_xboard, "{file: " + reply + ", plies: 2}") +
                                   "output: {folder: " + out + ", comments: engine}\n");
    REQUIRE(std::system((program + " run " + match + " > /dev/null 2>&1").c_str()) == 0);
    const auto journal = record::Journal::open(out + "/match.sqlite", record::Journal::Mode::read_only);
    const Played one = played(*journal->game(1));
    CHECK(one.moves.starts_with("e2e4 c7c5 "));
    CHECK(one.from_book == "e2e4 c7c5 ");
    CHECK(journal->games()[0].outcome->reason == game::Reason::max_moves);
    // B has White in the second game: neither book knows the position.
    CHECK(played(*journal->game(2)).from_book.empty());
    CHECK(std::system((program + " replay " + out + "/match.sqlite > /dev/null").c_str()) == 0);
    std::ifstream in(out + "/games.pgn");
    const std::string pgn{std::istreambuf_iterator<char>(in), {}};
    CHECK_THAT(pgn, Catch::Contains("1. e4 {book} 1... c5 {book} 2. "));
  }
}

TEST_CASE("a book that cannot be played from is refused before the match", "[book]") {
  const test::ScratchFolder folder;
  const std::string torn = folder.write("torn.bin", "0123456789");
  config::MatchFile file = test::match_of({"A", "B"});
  file.engines[1].book = config::EngineBook{torn, 10};
  try {
    (void)match::MatchPlan::make(file);
    FAIL("accepted");
  } catch (const config::ConfigException& error) { CHECK_THAT(error.what(), Catch::Contains("book of B") && Catch::Contains("10 bytes")); }
}

TEST_CASE("a book's move is the same whenever the game is played", "[book]") {
  const test::ScratchFolder folder;
  constexpr unsigned d2d4 = 3U | 3U << 3U | 3U << 6U | 1U << 9U;
  config::MatchFile file = test::match_of({"A", "B"}, config::ScheduleKind::match);
  file.schedule.games = 400;
  file.engines[0].book = config::EngineBook{folder.write("two.bin", book_of(start_key, e2e4) + book_of(start_key, d2d4)), 10};
  const auto plan = match::MatchPlan::make(file);
  const auto again = match::MatchPlan::make(file);
  const match::PolyglotPlace place(chess::Position::initial());
  int e4 = 0;
  for (const match::PlannedGame& game : plan.games()) {
    const auto move = plan.book_move(game, 0, place, 0);
    REQUIRE(move);
    CHECK(*move == *again.book_move(game, 0, place, 0));
    e4 += chess::file_of(move->to()) == 4 ? 1 : 0;
    CHECK_FALSE(plan.book_move(game, 1, place, 0));   // no book
    CHECK_FALSE(plan.book_move(game, 0, place, 10));  // beyond its depth
  }
  // 200 expected, standard deviation 10.
  CHECK(e4 > 150);
  CHECK(e4 < 250);
}
