#include <catch2/catch.hpp>

#include "config/editions.hpp"
#include "referee/chess/fen.hpp"
#include "referee/chess/notation.hpp"
#include "referee/match/search_checks.hpp"

using namespace referee;
using match::SearchChecks;
using match::SearchOutput;

namespace {

engine::SearchInfo info(const std::string& pv, std::optional<int> centipawns, std::optional<int> mate = std::nullopt) {
  engine::SearchInfo result;
  result.pv = pv;
  result.raw = "info pv " + pv;
  result.score = engine::Score{.centipawns = centipawns, .mate = mate};
  return result;
}

/// A game that is fed move by move.
class Feeding {
 public:
  explicit Feeding(const std::string& fen = "startpos", engine::ProtocolKind protocol = engine::ProtocolKind::uci)
      : position_(chess::parse_fen(fen).position()),
        checks_(7, setup(position_), config::load_edition("engine-practice"), {"White", "Black"}, {protocol, protocol}) {}

  std::vector<record::EngineWarning> play(const std::string& uci, std::vector<engine::SearchInfo> lines) {
    SearchOutput output;
    output.ply = ++ply_;
    output.played = std::get<chess::ReadMove>(chess::read_uci(position_, uci, chess::CastlingText::king_two_squares)).move;
    output.played_uci = uci;
    output.was_played = true;
    output.lines = std::move(lines);
    position_.play(output.played);
    return checks_.move(output);
  }
  std::vector<record::EngineWarning> finish() { return checks_.finish(); }

 private:
  static game::GameSetup setup(const chess::Position& position) {
    game::GameSetup setup;
    setup.start = position;
    return setup;
  }
  chess::Position position_;
  SearchChecks checks_;
  int ply_ = 0;
};

std::vector<std::string> kinds(const std::vector<record::EngineWarning>& warnings) {
  std::vector<std::string> all;
  for (const auto& warning : warnings) all.push_back(warning.kind);
  return all;
}

}  // namespace

TEST_CASE("a sound search gives no finding", "[search]") {
  Feeding game;
  CHECK(game.play("e2e4", {info("e2e4 e7e5 g1f3", 30), info("e2e4 c7c5", 25)}).empty());
  CHECK(game.play("e7e5", {info("e7e5", -20)}).empty());
  CHECK(game.finish().empty());
}

TEST_CASE("an illegal move in a principal variation is found, in every line", "[search]") {
  Feeding game;
  const auto found = game.play("e2e4", {info("e2e4 e7e5 e4e5", 10), info("e2e4", 10)});
  REQUIRE(kinds(found) == std::vector<std::string>{"pv_illegal"});
  CHECK(found[0].game == 7);
  CHECK(found[0].ply == 1);
  CHECK(found[0].engine == "White");
  CHECK(found[0].text == "move 3 of the line, e4e5, is not legal");
  CHECK(found[0].line == "info pv e2e4 e7e5 e4e5");
}

TEST_CASE("a line may not go on after the end of the game", "[search]") {
  // Fool's mate, and a move after it.
  Feeding mated;
  CHECK(kinds(mated.play("f2f3", {info("f2f3 e7e5 g2g4 d8h4 a2a3", 0)})) == std::vector<std::string>{"pv_past_end"});
  // Bare kings: the capture ends the game.
  Feeding capture("8/8/8/8/8/1k6/4q3/4K3 w - - 0 1");
  CHECK(kinds(capture.play("e1e2", {info("e1e2 b3b4", 0)})) == std::vector<std::string>{"pv_past_end"});
  // The third occurrence ends it in engine practice; the game's own history counts.
  Feeding repeated;
  for (const char* move : {"g1f3", "g8f6", "f3g1", "f6g8"}) CHECK(repeated.play(move, {info(move, 0)}).empty());
  CHECK(kinds(repeated.play("g1f3", {info("g1f3 g8f6 f3g1 f6g8 e2e4", 0)})) == std::vector<std::string>{"pv_past_end"});
}

TEST_CASE("the last line begins with the move that is played", "[search]") {
  Feeding game;
  CHECK(kinds(game.play("e2e4", {info("d2d4 d7d5", 10)})) == std::vector<std::string>{"pv_head"});
  CHECK(game.play("e7e5", {info("d7d5", 10), info("e7e5 d2d4", 10)}).empty());
}

TEST_CASE("a line that mates as announced and runs on is at fault for running on alone", "[search]") {
  const std::string fen = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
  CHECK(kinds(Feeding(fen).play("a1a8", {info("a1a8 0000", std::nullopt, 1)})) == std::vector<std::string>{"pv_past_end"});
  CHECK(kinds(Feeding(fen).play("a1a8", {info("a1a8 0000", std::nullopt, 2)})) == std::vector<std::string>{"pv_past_end", "mate_length"});
}

TEST_CASE("announced mates have the announced length and mate", "[search]") {
  // Back-rank mate in one.
  const std::string fen = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
  CHECK(Feeding(fen).play("a1a8", {info("a1a8", std::nullopt, 1)}).empty());
  CHECK(kinds(Feeding(fen).play("a1a8", {info("a1a8", std::nullopt, 2)})) == std::vector<std::string>{"mate_length"});
  CHECK(kinds(Feeding(fen).play("a1a7", {info("a1a7 g8f8 a7a8", std::nullopt, 2)})) == std::vector<std::string>{"mate_line_no_mate"});
  CHECK(kinds(Feeding(fen).play("a1a7", {info("a1a7 g8f8", std::nullopt, 2)})) == std::vector<std::string>{"mate_line_short"});
  CHECK(kinds(Feeding(fen).play("a1a7", {info("a1a7 g8f8", std::nullopt, INT32_MAX)})) == std::vector<std::string>{"mate_line_short"});
  CHECK(kinds(Feeding(fen).play("a1a7", {info("a1a7 h7h5 a7a8 g8h7", std::nullopt, 2)})) == std::vector<std::string>{"mate_line_no_mate"});
  CHECK(kinds(Feeding(fen).play("a1b1", {info("a1b1 g8h8 b1b7 h8g8 b7b8", std::nullopt, 2)})) == std::vector<std::string>{"mate_length"});
}

TEST_CASE("claims of mate agree with each other", "[search]") {
  Feeding game("6k1/5ppp/8/8/8/8/8/R3K2R w - - 0 1");
  (void)game.play("a1a7", {info("a1a7", std::nullopt, 3)});
  const auto both = game.play("g8f8", {info("g8f8", std::nullopt, 2)});
  CHECK(kinds(both) == std::vector<std::string>{"mate_line_short", "mate_contradiction"});
  // White announced mate in 3 and played its first move: two moves must be enough now.
  CHECK(kinds(game.play("h1h3", {info("h1h3", std::nullopt, 4)})) ==
        std::vector<std::string>{"mate_line_short", "mate_contradiction", "mate_lost"});
  Feeding lost("6k1/5ppp/8/8/8/8/8/R3K2R w - - 0 1");
  (void)lost.play("a1a7", {info("a1a7", std::nullopt, 3)});
  (void)lost.play("g8f8", {info("g8f8", -300)});
  CHECK(kinds(lost.play("h1h3", {info("h1h3", 500)})) == std::vector<std::string>{"mate_lost"});
  Feeding kept("6k1/5ppp/8/8/8/8/8/R3K2R w - - 0 1");
  (void)kept.play("a1a7", {info("a1a7", std::nullopt, 3)});
  (void)kept.play("g8f8", {info("g8f8", std::nullopt, -2)});
  const auto fine = kinds(kept.play("h1h3", {info("h1h3", std::nullopt, 2)}));
  CHECK(std::find(fine.begin(), fine.end(), "mate_lost") == fine.end());
}

TEST_CASE("a side without any score is told of once", "[search]") {
  Feeding game;
  CHECK(game.play("e2e4", {}).empty());
  CHECK(game.play("e7e5", {info("e7e5", 0)}).empty());
  const auto found = game.finish();
  REQUIRE(kinds(found) == std::vector<std::string>{"no_score"});
  CHECK(found[0].engine == "White");
}

TEST_CASE("findings of a kind are told five times, then counted", "[search]") {
  Feeding game;
  const std::vector<std::string> moves{"g1f3", "g8f6", "b1c3", "b8c6", "e2e3", "e7e6", "d2d3",
                                       "d7d6", "a2a3", "a7a6", "h2h3", "h7h6", "b2b3", "b7b6"};
  std::size_t told = 0;
  for (std::size_t i = 0; i < moves.size(); ++i) told += game.play(moves[i], {info(i % 2 == 0 ? moves[i] + " a1a8" : moves[i], 0)}).size();
  CHECK(told == 5);
  const auto rest = game.finish();
  REQUIRE(rest.size() == 1);
  CHECK(rest[0].text == "and 2 more of this kind in this game");
}

TEST_CASE("XBoard lines are free text: numbers are skipped, what is no move ends them", "[search]") {
  Feeding game("startpos", engine::ProtocolKind::xboard);
  CHECK(game.play("e2e4", {info("1. e4 e5 2. Nf3 <HT>", 20)}).empty());
  CHECK(kinds(game.play("e7e5", {info("1... e5 2. Ke3 Nc6", 20)})) == std::vector<std::string>{"pv_illegal"});
}
