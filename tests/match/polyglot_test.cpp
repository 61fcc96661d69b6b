#include "referee/match/polyglot.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <map>
#include <set>

#include "referee/chess/fen.hpp"
#include "referee/chess/notation.hpp"
#include "referee/match/openings.hpp"
#include "referee/match/polyglot_lines.hpp"
#include "tests/match/support.hpp"

using namespace referee;
using match::PolyglotBook;
using match::PolyglotPlace;

namespace {

PolyglotPlace after(const std::vector<std::string>& moves) {
  PolyglotPlace place(chess::Position::initial());
  for (const std::string& text : moves) {
    const auto read = chess::read_uci(place.position(), text, chess::CastlingText::king_two_squares);
    REQUIRE(std::holds_alternative<chess::ReadMove>(read));
    place.play(std::get<chess::ReadMove>(read).move);
  }
  return place;
}

struct Entry {
  std::uint64_t key;
  unsigned move, weight;
};

// Fields of the specification: to file, to row, from file, from row, promotion.
unsigned code(std::string_view uci, unsigned promotion = 0) {
  const auto at = [&](std::size_t i, char zero) { return static_cast<unsigned>(uci[i] - zero); };
  return at(2, 'a') | at(3, '1') << 3U | at(0, 'a') << 6U | at(1, '1') << 9U | promotion << 12U;
}

std::string bytes_of(const std::vector<Entry>& entries) {
  std::string bytes;
  const auto put = [&](std::uint64_t value, unsigned count) {
    while (count-- > 0) bytes += static_cast<char>(value >> (8 * count) & 0xFFU);
  };
  for (const Entry& entry : entries) {
    put(entry.key, 8);
    put(entry.move, 2);
    put(entry.weight, 2);
    put(0, 4);
  }
  return bytes;
}

constexpr std::uint64_t start_key = 0x463b96181691fc9c;  // published with the format
constexpr std::uint64_t e4_key = 0x823c9b50fd114196;

std::vector<std::string> moves_of(const PolyglotBook& book, const PolyglotPlace& place) {
  std::vector<std::string> moves;
  for (const auto& choice : book.moves(place))
    moves.push_back(chess::to_uci(place.position(), choice.move, chess::CastlingText::king_two_squares));
  return moves;
}

std::string refusal(std::string bytes) {
  try {
    (void)PolyglotBook::parse(std::move(bytes));
  } catch (const std::runtime_error& error) { return error.what(); }
  return {};
}

}  // namespace

TEST_CASE("keys of the Polyglot format as published", "[polyglot]") {
  CHECK(after({}).key() == 0x463b96181691fc9c);
  CHECK(after({"e2e4"}).key() == 0x823c9b50fd114196);
  CHECK(after({"e2e4", "d7d5"}).key() == 0x0756b94461c50fb0);
  CHECK(after({"e2e4", "d7d5", "e4e5"}).key() == 0x662fafb965db29d4);
  CHECK(after({"e2e4", "d7d5", "e4e5", "f7f5"}).key() == 0x22a48b5a8e47ff78);
  CHECK(after({"e2e4", "d7d5", "e4e5", "f7f5", "e1e2"}).key() == 0x652a607ca3f242c1);
  CHECK(after({"e2e4", "d7d5", "e4e5", "f7f5", "e1e2", "e8f7"}).key() == 0x00fdd303c946bdd9);
  CHECK(after({"a2a4", "b7b5", "h2h4", "b5b4", "c2c4"}).key() == 0x3c8123ea7b067637);
  CHECK(after({"a2a4", "b7b5", "h2h4", "b5b4", "c2c4", "b4c3", "a1a3"}).key() == 0x5c3f9b829b279560);
  const auto set_up = chess::parse_fen("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3");
  CHECK(PolyglotPlace(set_up.position()).key() == 0x22a48b5a8e47ff78);
}

TEST_CASE("moves of a Polyglot book come heaviest first, castling as the format writes it", "[polyglot]") {
  const PolyglotBook book = PolyglotBook::parse(
      bytes_of({{start_key, code("d2d4"), 10}, {start_key, code("e2e4"), 30}, {start_key, code("a2a3"), 0}, {e4_key, code("c7c5"), 1}}));
  CHECK(moves_of(book, after({})) == std::vector<std::string>{"e2e4", "d2d4"});
  CHECK(moves_of(book, after({"e2e4"})) == std::vector<std::string>{"c7c5"});
  CHECK(moves_of(book, after({"d2d4"})).empty());

  const PolyglotPlace castling = after({"e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "g8f6"});
  for (const std::string_view written : {"e1h1", "e1g1"})
    CHECK(moves_of(PolyglotBook::parse(bytes_of({{castling.key(), code(written), 1}})), castling) == std::vector<std::string>{"e1g1"});

  const PolyglotPlace promoting(chess::parse_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1").position());
  CHECK(moves_of(PolyglotBook::parse(bytes_of({{promoting.key(), code("a7a8", 4), 1}})), promoting) == std::vector<std::string>{"a7a8q"});
  CHECK(moves_of(PolyglotBook::parse(bytes_of({{promoting.key(), code("a7a8", 1), 1}})), promoting) == std::vector<std::string>{"a7a8n"});
  CHECK(moves_of(PolyglotBook::parse(bytes_of({{promoting.key(), code("a7a8"), 1}})), promoting).empty());
}

TEST_CASE("damaged Polyglot books are refused or survived", "[polyglot]") {
  CHECK(refusal("").find("empty file") != std::string::npos);
  CHECK(refusal(bytes_of({{start_key, code("e2e4"), 1}}).substr(0, 13)).find("13 bytes") != std::string::npos);
  CHECK(refusal(bytes_of({{2, 1, 1}, {1, 1, 1}})).find("entry 2 (byte 16)") != std::string::npos);
  std::size_t illegal = 0;
  const PolyglotBook book =
      PolyglotBook::parse(bytes_of({{start_key, code("e2e5"), 9}, {start_key, code("e2e4"), 1}, {start_key, 0xFFFF, 1}}));
  const auto moves = book.moves(after({}), &illegal);
  CHECK(moves.size() == 1);
  CHECK(illegal == 2);
}

TEST_CASE("moves are drawn by their weight", "[polyglot]") {
  const PolyglotBook book = PolyglotBook::parse(bytes_of({{start_key, code("e2e4"), 300}, {start_key, code("d2d4"), 100}}));
  match::Random random(5);
  int e4 = 0;
  for (int i = 0; i < 4000; ++i)
    e4 += chess::to_uci({after({}).position()}, *book.draw(after({}), random), chess::CastlingText::king_two_squares) == "e2e4" ? 1 : 0;
  // 3000 expected, standard deviation 27.4; five of them.
  CHECK(e4 > 2863);
  CHECK(e4 < 3137);
}

TEST_CASE("a Polyglot book made by polyglot itself gives openings for a match", "[polyglot]") {
  const std::string maker = "/usr/games/polyglot";
  if (!std::filesystem::exists(maker)) {
    WARN("polyglot is not installed: its books are not tried");
    return;
  }
  const test::ScratchFolder folder;
  // Lines and how often each occurs: the weights.
  const std::map<std::string, int> lines{{"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7", 3},
                                         {"1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6", 2},
                                         {"1. d4 d5 2. c4 e6 3. Nc3 Nf6", 2}};
  std::string games;
  for (const auto& [moves, times] : lines) {
    for (int i = 0; i < times; ++i)
      games += "[Event \"?\"]\n[Site \"?\"]\n[Date \"?\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"1/2-1/2\"]\n\n" + moves +
               " 1/2-1/2\n\n";
  }
  const std::string pgn = folder.write("lines.pgn", games);
  const std::string bin = folder.file("lines.bin");
  const std::string made =
      "cd " + folder.path().string() + " && " + maker + " make-book -pgn lines.pgn -bin lines.bin -max-ply 20 -min-game 1 >/dev/null 2>&1";
  REQUIRE(std::system(made.c_str()) == 0);

  config::Openings openings;
  openings.file = bin;
  openings.plies = 10;
  const match::OpeningBook listed = match::OpeningBook::read(openings, false);
  std::set<std::string> ends;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    chess::Position position = listed.at(i).start;
    for (const std::string& move : listed.at(i).moves)
      position.play(std::get<chess::ReadMove>(chess::read_uci(position, move, chess::CastlingText::king_two_squares)).move);
    ends.insert(chess::to_fen(position));
  }
  config::Openings as_pgn = openings;
  as_pgn.file = pgn;
  const match::OpeningBook played = match::OpeningBook::read(as_pgn, false);
  std::set<std::string> expected;
  for (std::size_t i = 0; i < played.size(); ++i) {
    chess::Position position = played.at(i).start;
    for (const std::string& move : played.at(i).moves)
      position.play(std::get<chess::ReadMove>(chess::read_uci(position, move, chess::CastlingText::king_two_squares)).move);
    expected.insert(chess::to_fen(position));
  }
  CHECK(ends == expected);
  CHECK(listed.at(0).moves.front() == "e2e4");

  openings.order = config::OpeningOrder::random;
  openings.seed = 11;
  const match::OpeningBook drawn = match::OpeningBook::read(openings, false);
  const match::OpeningBook again = match::OpeningBook::read(openings, false);
  REQUIRE(drawn.size() == 3);
  const match::OpeningOrder order(openings, drawn.size());
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(order.line_for(k) == k);
    CHECK(drawn.at(k).moves == again.at(k).moves);
  }
  CHECK_THROWS_AS(match::OpeningBook::read(openings, true), match::BookException);
}

TEST_CASE("what has an opening of its own is the policy's choice", "[openings]") {
  config::Openings openings;
  const auto numbers = [&] {
    match::OpeningCount count(openings);
    std::vector<std::size_t> out;
    // Two engines' four games in round 1, two others' there, the first two again in round 2.
    out.push_back(count.of(1, 1, 1, 0, 1));
    out.push_back(count.of(2, 1, 1, 0, 1));
    out.push_back(count.of(3, 2, 1, 0, 1));
    out.push_back(count.of(4, 2, 1, 0, 1));
    out.push_back(count.of(5, 3, 1, 2, 3));
    out.push_back(count.of(6, 3, 1, 2, 3));
    out.push_back(count.of(7, 4, 2, 0, 1));
    return out;
  };
  CHECK(numbers() == std::vector<std::size_t>{0, 0, 1, 1, 2, 2, 3});
  openings.policy = config::OpeningPolicy::encounter;
  CHECK(numbers() == std::vector<std::size_t>{0, 0, 0, 0, 1, 1, 2});
  openings.policy = config::OpeningPolicy::round;
  CHECK(numbers() == std::vector<std::size_t>{0, 0, 0, 0, 0, 0, 1});
  openings.policy = config::OpeningPolicy::pairing;
  openings.repeat = false;
  CHECK(numbers() == std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6});
}
