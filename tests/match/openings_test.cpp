#include <zlib.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <map>
#include <set>

#include "referee/chess/fen.hpp"
#include "referee/match/openings.hpp"
#include "referee/match/random.hpp"
#include "referee/match/text_input.hpp"
#include "tests/match/support.hpp"

using namespace referee;
using match::OpeningBook;
using match::OpeningOrder;

namespace {

config::Openings book_at(const std::string& path) {
  config::Openings openings;
  openings.file = path;
  return openings;
}

OpeningBook read(const std::string& path, bool chess960 = false) { return OpeningBook::read(book_at(path), chess960); }

std::vector<std::string> problems_of(const config::Openings& openings, bool chess960 = false) {
  try {
    (void)OpeningBook::read(openings, chess960);
  } catch (const match::BookException& error) { return error.problems(); }
  return {};
}

std::vector<std::string> fens_of(const OpeningBook& book) {
  std::vector<std::string> fens;
  for (std::size_t i = 0; i < book.size(); ++i) fens.push_back(chess::to_fen(book.at(i).start));
  return fens;
}

std::string gzipped(const std::string& text) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  std::string in = text;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

const std::string six_lines = [] {
  std::string text;
  for (char file = 'a'; file < 'g'; ++file)
    text += "4k3/8/8/8/8/8/" + std::string(file == 'a' ? "" : std::string(1, static_cast<char>('0' + file - 'a'))) + "P" +
            std::string(1, static_cast<char>('7' - (file - 'a'))) + "/4K3 w - - 0 1\n";
  return text;
}();

}  // namespace

TEST_CASE("an EPD book skips blank lines, remarks, CRLF and a byte-order mark", "[openings]") {  // OP-11
  const test::ScratchFolder folder;
  const auto path =
      folder.write("b.epd", "\xEF\xBB\xBF# remark\r\n\r\n4k3/8/8/8/8/8/4P3/4K3 w - - c0 \"x\";\r\n   \r\n4k3/8/8/8/8/8/3P4/4K3 w - -\r\n");
  const OpeningBook book = read(path);
  CHECK(fens_of(book) == std::vector<std::string>{"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1"});
  CHECK(book.at(0).line == 3);
  CHECK(book.at(1).line == 5);
}

TEST_CASE("counters and names of EPD lines are kept", "[openings]") {
  const test::ScratchFolder folder;
  const OpeningBook book =
      read(folder.write("b.epd", "8/8/4k3/8/8/3K4/3R4/8 w - - 5 9\n8/8/4k3/8/8/3K4/3R4/8 b - - id \"Rook ending\"; hmvc 3;\n"));
  CHECK(fens_of(book) == std::vector<std::string>{"8/8/4k3/8/8/3K4/3R4/8 w - - 5 9", "8/8/4k3/8/8/3K4/3R4/8 b - - 3 1"});
  CHECK(book.at(0).name == "b.epd:1");
  CHECK(book.at(1).name == "b.epd:2 Rook ending");
}

TEST_CASE("every bad line of a book is named before anything is played", "[openings]") {
  const test::ScratchFolder folder;
  const auto path =
      folder.write("b.epd", "4k3/8/8/8/8/8/4P3/4K3 w - -\nnonsense\n4k3/8/8/8/8/8/4P3/8 w - -\n4k3/8/8/8/8/8/4P3/4K3 x - -\n");
  const auto problems = problems_of(book_at(path));
  REQUIRE(problems.size() == 3);
  CHECK(problems[0].starts_with(path + ":2:"));
  CHECK(problems[1].starts_with(path + ":3:"));
  CHECK(problems[2].starts_with(path + ":4:"));
  std::string many;
  for (int i = 0; i < 50; ++i) many += "nonsense\n";
  const auto all = problems_of(book_at(folder.write("many.epd", many)));
  REQUIRE(all.size() == 21);
  CHECK(all.back() == "and 30 more bad lines");
}

TEST_CASE("a book that is missing, empty or of unknown kind is refused", "[openings]") {
  const test::ScratchFolder folder;
  CHECK(problems_of(book_at(folder.file("none.epd")))[0].find("cannot be read: No such file") != std::string::npos);
  CHECK(problems_of(book_at(folder.write("empty.epd", "# only a remark\n")))[0].find("holds no opening") != std::string::npos);
  CHECK(problems_of(book_at(folder.write("book.bin", "x")))[0].find("Polyglot") != std::string::npos);
  CHECK(problems_of(book_at(folder.write("book.xyz", "x")))[0].find("what kind of book") != std::string::npos);
  config::Openings told = book_at(folder.write("list.xyz", "4k3/8/8/8/8/8/4P3/4K3 w - -\n"));
  told.format = config::OpeningFormat::epd;
  CHECK(OpeningBook::read(told, false).size() == 1);
  CHECK(problems_of(book_at(folder.path().string() + "/"))[0].find("what kind of book") != std::string::npos);
}

TEST_CASE("Chess960 positions need a Chess960 match", "[openings]") {
  const test::ScratchFolder folder;
  const auto path = folder.write("b.epd", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1\n");
  CHECK(problems_of(book_at(path))[0].find(":1:1: castling: a Chess960 position") != std::string::npos);
  CHECK(read(path, true).size() == 1);
}

TEST_CASE("a PGN book gives the first plies of each game", "[openings]") {
  const test::ScratchFolder folder;
  config::Openings openings =
      book_at(folder.write("b.pgn",
                           "[Event \"x\"]\n[ECO \"B90\"]\n[Opening \"Sicilian\"]\n[Variation \"Najdorf\"]\n[Result \"*\"]\n\n"
                           "1. e4 c5 2. Nf3 {a comment} d6 3. d4 (3. Bb5+ Bd7) cxd4 *\n\n"
                           "[FEN \"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1\"]\n[SetUp \"1\"]\n[Result \"*\"]\n\n1. O-O Ke7 *\n"));
  openings.plies = 5;
  const OpeningBook book = OpeningBook::read(openings, false);
  REQUIRE(book.size() == 2);
  CHECK(book.at(0).moves == std::vector<std::string>{"e2e4", "c7c5", "g1f3", "d7d6", "d2d4"});
  CHECK(book.at(0).name == "b.pgn:1 B90 Sicilian, Najdorf");
  CHECK(book.at(1).moves == std::vector<std::string>{"e1g1", "e8e7"});
  CHECK(chess::to_fen(book.at(1).start) == "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1");
}

TEST_CASE("an illegal move in a PGN book is named with its line, one behind the plies that are used is not", "[openings]") {
  const test::ScratchFolder folder;
  config::Openings openings = book_at(folder.write("b.pgn", "[Result \"*\"]\n\n1. e4 e5\n2. Ke3 *\n"));
  const auto problems = problems_of(openings);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].starts_with(openings.file + ":4:4: move 2. Ke3"));
  openings.plies = 2;
  CHECK(OpeningBook::read(openings, false).at(0).moves.size() == 2);
}

TEST_CASE("compressed books read like plain ones, damaged ones are refused", "[openings]") {
  const test::ScratchFolder folder;
  const std::string packed = gzipped(six_lines);
  CHECK(fens_of(read(folder.write("b.epd.gz", packed))) == fens_of(read(folder.write("b.epd", six_lines))));
  std::string pgn = "[Result \"*\"]\n\n1. e4 e5 *\n";
  CHECK(read(folder.write("b.pgn.gz", gzipped(pgn))).at(0).moves.size() == 2);
  const auto cut = problems_of(book_at(folder.write("cut.epd.gz", packed.substr(0, packed.size() - 12))));
  REQUIRE_FALSE(cut.empty());
  CHECK(cut.back().find("ends too early") != std::string::npos);
  std::string broken = packed;
  broken[broken.size() - 6] = static_cast<char>(broken[broken.size() - 6] ^ 0x55);  // the check sum
  const auto damaged = problems_of(book_at(folder.write("damaged.epd.gz", broken)));
  REQUIRE_FALSE(damaged.empty());
  CHECK(damaged.back().find("damaged") != std::string::npos);
}

TEST_CASE("the start counts from 1 and wraps round", "[openings]") {  // OP-05
  config::Openings openings;
  openings.start = 9;
  const OpeningOrder order(openings, 6);
  CHECK(std::vector<std::size_t>{order.line_for(0) + 1, order.line_for(1) + 1, order.line_for(2) + 1} == std::vector<std::size_t>{3, 4, 5});
  openings.start = 6;
  const OpeningOrder last(openings, 6);
  CHECK(std::vector<std::size_t>{last.line_for(0), last.line_for(1), last.line_for(6)} == std::vector<std::size_t>{5, 0, 5});
}

TEST_CASE("the shuffle is unbiased", "[openings]") {  // OP-07
  std::map<std::vector<std::size_t>, int> seen;
  for (std::uint64_t seed = 1; seed <= 6000; ++seed) {
    config::Openings openings;
    openings.order = config::OpeningOrder::random;
    openings.seed = seed;
    const OpeningOrder order(openings, 3);
    ++seen[{order.line_for(0), order.line_for(1), order.line_for(2)}];
  }
  REQUIRE(seen.size() == 6);
  double chi_square = 0;
  for (const auto& [order, count] : seen) chi_square += (count - 1000.0) * (count - 1000.0) / 1000.0;
  CHECK(chi_square < 20.5);
}

TEST_CASE("a shuffle uses every line once before it repeats, and starts where it is told", "[openings]") {
  config::Openings openings;
  openings.order = config::OpeningOrder::random;
  openings.seed = 42;
  const OpeningOrder order(openings, 100);
  std::set<std::size_t> lines;
  for (std::size_t k = 0; k < 100; ++k) lines.insert(order.line_for(k));
  CHECK(lines.size() == 100);
  CHECK(order.line_for(100) == order.line_for(0));
  openings.start = 11;
  CHECK(OpeningOrder(openings, 100).line_for(0) == order.line_for(10));
}

TEST_CASE("the generator is SplitMix64", "[openings]") {
  // First outputs for seed 1234567 as published with the reference implementation (prng.di.unimi.it).
  match::Random random(1234567);
  CHECK(random.next() == 6457827717110365317ULL);
  CHECK(random.next() == 3203168211198807973ULL);
  CHECK(random.next() == 9817491932198370423ULL);
  CHECK(random.next() == 4593380528125082431ULL);
  CHECK(random.next() == 16408922859458223821ULL);
}

TEST_CASE("Chess960 starting positions by their number", "[openings]") {
  // Scharnagl's numbering: 518 is standard chess, 0 and 959 the ends of the table.
  CHECK(match::chess960_start(518) == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
  CHECK(match::chess960_start(0) == "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
  CHECK(match::chess960_start(959) == "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w KQkq - 0 1");
  std::set<std::string> all;
  for (int number = 0; number < 960; ++number) {
    all.insert(match::chess960_start(number));
    CHECK(chess::parse_fen(match::chess960_start(number)));
  }
  CHECK(all.size() == 960);
  CHECK(OpeningBook::read({}, true).size() == 960);
  CHECK(OpeningBook::read({}, false).at(0).name == "startpos");
}

TEST_CASE("lines of any length are read in bounded memory", "[openings]") {
  const test::ScratchFolder folder;
  match::TextInput input(folder.write("long.txt", std::string(3'000'000, 'x') + "\nshort\r\nlast"));
  std::string line;
  REQUIRE(input.next_line(line));
  CHECK(line.size() == (std::size_t{1} << 20U));
  REQUIRE(input.next_line(line));
  CHECK(line == "short");
  REQUIRE(input.next_line(line));
  CHECK(line == "last");
  CHECK(input.line_number() == 3);
  CHECK_FALSE(input.next_line(line));
  CHECK(input.failure().empty());
}
