#include <catch2/catch.hpp>
#include <sstream>

#include "referee/chess/fen.hpp"
#include "referee/record/pgn.hpp"
#include "support.hpp"

using namespace referee;
using namespace referee::record;
using namespace referee::record::testing;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using chess::Color;

namespace {

PgnGame read_one(const std::string& text) {
  std::istringstream in(text);
  PgnReader reader(in);
  auto game = reader.next();
  REQUIRE(game);
  CHECK_FALSE(reader.next());
  CHECK(game->problems.empty());
  CHECK_FALSE(game->cut_off);
  return *game;
}

std::string movetext(const std::string& pgn) {
  std::string text = pgn.substr(pgn.find("\n\n") + 2);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

constexpr PgnStyle bare{PgnComments::none, false, false, false};

}  // namespace

TEST_CASE("PW-01 number and side come from the FEN") {
  GameStarted start = started(1);
  start.setup.start = chess::parse_fen("8/8/4k3/8/8/4K3/4P3/8 b - - 3 41").position();
  std::vector<Fact> facts = played(start, {"e6d5", "e3d3"});
  facts.pop_back();  // still being played
  facts.pop_back();
  const std::string pgn = to_pgn(recorded(facts), bare);
  CHECK(movetext(pgn) == "41... Kd5 42. Kd3 *");
  CHECK_THAT(pgn, Contains("[SetUp \"1\"]\n") && Contains("[FEN \"8/8/4k3/8/8/4K3/4P3/8 b - - 3 41\"]\n") && Contains("[Result \"*\"]\n") &&
                      Contains("[Termination \"unterminated\"]\n"));
}

TEST_CASE("PW-03 escapes in tags; a line break becomes a blank") {
  CHECK(pgn_tag("White", R"(C:\eng\"fast" 1.0)") == R"([White "C:\\eng\\\"fast\" 1.0"])");
  CHECK(pgn_tag("White", "a\nb\tc") == "[White \"a b c\"]");
  GameStarted start = started(1);
  start.white = R"(C:\eng\"fast" 1.0)";
  CHECK(read_one(to_pgn(recorded(played(start, {"e2e4"})), bare)).tag("White") == start.white);
}

TEST_CASE("PW-05 lines are short, break only between tokens and at blanks in comments, and read back equal") {
  for (const PgnStyle style : {PgnStyle{PgnComments::tags, true, true, true}, PgnStyle{PgnComments::engine, true, true, true}, bare}) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const std::vector<Fact> facts = played(started(1), random_moves(seed, 40), true);
      const std::string pgn = to_pgn(recorded(facts), style);
      std::istringstream lines(pgn);
      for (std::string line; std::getline(lines, line);) {
        REQUIRE(line.size() < 80);
        REQUIRE((line.empty() || (line.front() != ' ' && line.back() != ' ' && line.front() != '%')));
        // No command of a broadcast comment is torn apart.
        REQUIRE(std::count(line.begin(), line.end(), '[') == std::count(line.begin(), line.end(), ']'));
      }
      const PgnGame game = read_one(pgn);
      std::vector<std::string> sans;
      for (const Fact& fact : facts)
        if (const auto* judged = std::get_if<EventJudged>(&fact))
          for (const game::Ruling& ruling : judged->rulings)
            if (const auto* move = std::get_if<game::MoveAccepted>(&ruling.body)) sans.push_back(move->san);
      REQUIRE(sans.size() == game.moves.size());
      for (std::size_t i = 0; i < sans.size(); ++i) REQUIRE(game.moves[i].san == sans[i]);
      CHECK(pgn.ends_with("\n\n"));
    }
  }
}

TEST_CASE("PW-09 PlyCount counts the half-moves of the record, book moves included") {
  GameStarted start = started(1);
  start.setup.opening_moves = {"e2e4", "e7e5", "g1f3", "b8c6"};
  const std::string pgn = to_pgn(recorded(played(start, {"f1b5", "a7a6", "b5a4"})), PgnStyle{});
  const PgnGame game = read_one(pgn);
  CHECK(game.tag("PlyCount") == "7");
  CHECK(game.moves.size() == 7);
}

TEST_CASE("PW-11 each kind of ending has the standard's word") {
  using game::Reason;
  CHECK(pgn_termination(Reason::checkmate) == "normal");
  CHECK(pgn_termination(Reason::flag_fall) == "time forfeit");
  CHECK(pgn_termination(Reason::illegal_move_forfeit) == "rules infraction");
  CHECK(pgn_termination(Reason::crash) == "abandoned");
  CHECK(pgn_termination(Reason::stall) == "abandoned");
  CHECK(pgn_termination(Reason::adjudication_win) == "adjudication");
  CHECK(pgn_termination(Reason::aborted) == "unterminated");
}

TEST_CASE("seven tags first and in order, the others in ASCII order") {
  const PgnGame game = read_one(to_pgn(recorded(played(started(3), {"e2e4"})), PgnStyle{}));
  std::vector<std::string> names;
  for (const auto& tag : game.tags) names.push_back(tag.first);
  REQUIRE(names.size() > 7);
  CHECK(std::vector<std::string>(names.begin(), names.begin() + 7) ==
        std::vector<std::string>{"Event", "Site", "Date", "Round", "White", "Black", "Result"});
  CHECK(std::is_sorted(names.begin() + 7, names.end()));
  CHECK(game.tag("Round") == "2.3");
  CHECK(game.tag("UTCDate") == "2026.11.30");
  CHECK(game.tag("UTCTime") == "00:00:03");
  CHECK(game.tag("TimeControl") == "60+0.1");
  CHECK(game.tag("Result") == "1-0");  // Black was to move, and resigned
}

TEST_CASE("the date of an event takes the place of the day of the game, not of its instant") {
  GameStarted start = started(3);
  start.date = "2026.12.??";
  const PgnGame game = read_one(to_pgn(recorded(played(start, {"e2e4"})), PgnStyle{}));
  CHECK(game.tag("Date") == "2026.12.??");
  CHECK(game.tag("UTCDate") == "2026.11.30");
}

TEST_CASE("comments for broadcast tools: White's point of view, times with decimals") {
  std::vector<Fact> facts = played(started(1), {"e2e4", "e7e5"});
  SearchReport mate;
  mate.mate = -3;
  mate.depth = 21;
  SearchReport pawns;
  pawns.centipawns = 31;
  pawns.depth = 13;
  pawns.nodes = 12345U;
  int moves = 0;
  for (Fact& fact : facts)
    if (auto* judged = std::get_if<EventJudged>(&fact); judged != nullptr && std::holds_alternative<game::MoveReceived>(judged->event.body))
      judged->search = moves++ == 0 ? mate : pawns;
  // 60 s; used 123.456789 ms and 123.493789 ms; 100 ms added.
  CHECK_THAT(movetext(to_pgn(recorded(facts), PgnStyle{PgnComments::tags, true, true, false})),
             Contains("1. e4 {[%eval #-3,21] [%clk 0:00:59.976] [%emt 0:00:00.123]} 1... e5 {[%eval -0.31,13] [%clk 0:00:59.976] [%emt "
                      "0:00:00.123] n=12345"));
  CHECK_THAT(movetext(to_pgn(recorded(facts), PgnStyle{PgnComments::engine, true, false, false})),
             Contains("1. e4 {-M6/21 0.123s} 1... e5 {+0.31/13 0.123s"));
  CHECK_THAT(movetext(to_pgn(recorded(facts), PgnStyle{PgnComments::engine, false, true, false})), Contains("{+0.31 0.123s, n=12345"));
}

TEST_CASE("rulings that are not plain are told with their article") {
  std::vector<Fact> facts = played(started(1), {"e2e4"});
  EventJudged judged;
  judged.game = 1;
  judged.event.body = game::MoveReceived{Color::black, "e7e9 {}"};
  judged.rulings.push_back(
      {game::MoveRejected{Color::black, "e7e9 {}", game::IllegalKind::malformed, 1, 2min, false, {}}, "7.5.5", "illegal_reinstated"});
  facts.insert(facts.end() - 2, judged);
  judged.event.body = game::DrawOffered{Color::black};
  judged.rulings = {{game::OfferPending{Color::black}, "9.1.2", ""}};
  facts.insert(facts.end() - 2, judged);
  judged.event.body = game::DrawClaimed{Color::black, game::ClaimRule::threefold, "", game::MoveNotation::uci};
  judged.rulings = {{game::ClaimRejected{Color::black, 2min, 0s, ""}, "9.5.3", "claim_incorrect"}};
  facts.insert(facts.end() - 2, judged);
  game::ArbiterOrder order{game::OrderKind::add_time, Color::white, 60s, 0, 0, "", false, "Ann", "noise"};
  judged.event.body = order;
  judged.rulings = {{game::ClocksChanged{90s, 30s, std::nullopt}, "6.10", ""}};
  facts.insert(facts.end() - 2, judged);
  const std::string pgn = to_pgn(recorded(facts), bare);
  const PgnGame game = read_one(pgn);
  REQUIRE(game.moves.size() == 1);
  REQUIRE(game.moves[0].comments.size() == 2);
  CHECK(game.moves[0].comments[0] ==
        "Black answered 'e7e9 ()': no move, 1st illegal move, White is given 0:02:00 (article 7.5.5); (=) Black offers a draw (article "
        "9.1.2); "
        "claim of Black rejected, "
        "the opponent is given 0:02:00 (article 9.5.3); Arbiter Ann: add_time White 0:01:00 (noise); clocks: White 0:01:30, Black 0:00:30 "
        "(article 6.10)");
}

TEST_CASE("the last comment tells the end in words") {
  game::Outcome outcome{game::white_wins, game::Reason::checkmate, "5.1.1", "", false, false};
  CHECK(words(outcome) == "White wins by checkmate (article 5.1.1)");
  outcome = {game::draw, game::Reason::stalemate, "5.2.1", "White is stalemated", false, false};
  CHECK(words(outcome) == "Draw by stalemate (article 5.2.1): White is stalemated");
  outcome = {game::both_lose, game::Reason::both_lost, "", "", false, false};
  CHECK_THAT(words(outcome), Contains("0-0"));

  std::vector<Fact> facts = played(started(1), {"f2f3", "e7e5", "g2g4", "d8h4"});
  const std::string mate = movetext(to_pgn(recorded(facts), bare));
  CHECK_THAT(mate, Contains("2. g4 Qh4# {Black wins by checkmate") && Catch::Matchers::EndsWith("} 0-1"));

  // A pair of scores that PGN cannot say: "*", with the true result in the comment.
  std::get<GameEnded>(facts.back()).outcome = {game::both_lose, game::Reason::both_lost, "11.7", "", false, false};
  const std::string none = to_pgn(recorded(facts), bare);
  CHECK_THAT(none, Contains("[Result \"*\"]") && Contains("[Termination \"rules infraction\"]") && Contains("0-0") &&
                       Catch::Matchers::EndsWith("*\n\n"));
}

TEST_CASE("moves after a proven end are comment, not moves") {
  std::vector<Fact> facts = played(started(1), {"e2e4", "e7e5", "g1f3", "b8c6", "f1b5"});
  auto& ended = std::get<GameEnded>(facts.back());
  ended.plies = 3;
  ended.outcome = {game::draw, game::Reason::dead_position, "5.2.2", "", false, false};
  const PgnGame game = read_one(to_pgn(recorded(facts), bare));
  CHECK(game.tag("PlyCount") == "3");
  REQUIRE(game.moves.size() == 3);
  CHECK(game.moves[2].comments[0] == "Played after the end: 2... Nc6 3. Bb5");
}

TEST_CASE("Chess960 and odds are said in tags") {
  GameStarted start = started(1);
  start.setup.start = chess::parse_fen("nrk1bqrb/pppppppp/8/8/8/8/PPPPPPPP/NRK1BQRB w KQkq - 0 1").position();
  start.setup.chess960 = true;
  start.setup.time_control[1] = seconds_per_game(300, 0);
  const PgnGame game = read_one(to_pgn(recorded(played(start, {"c2c4"})), PgnStyle{}));
  CHECK(game.tag("Variant") == "Chess960");
  CHECK(game.tag("SetUp") == "1");
  CHECK((game.tag("TimeControl") == "?" && game.tag("WhiteTimeControl") == "60+0.1" && game.tag("BlackTimeControl") == "300"));
}

TEST_CASE("no text of an engine breaks the layout") {
  for (const std::string& text : {std::string(300, 'x'), std::string("%escape %line ") + std::string(70, 'y') + " %again",
                                  std::string("{}{}"), std::string("a\nb\rc"), std::string("[%clk "), std::string(90, '['),
                                  std::string("[%" + std::string(200, 'z') + "]"), std::string("; ; ; ) ( $")}) {
    std::vector<Fact> facts = played(started(1), {"e2e4", "e7e5"});
    std::get<GameEnded>(facts.back()).outcome.detail = text + " " + text + " " + text;
    const std::string pgn = to_pgn(recorded(facts), bare);
    std::istringstream lines(pgn);
    for (std::string line; std::getline(lines, line);) CHECK((line.size() < 80 && !line.starts_with("%")));
    CHECK(read_one(pgn).moves.size() == 2);
  }
}
