// Writes large records for benchmarks, built on request by scripts/bench:
//
//   make_records journal FILE GAMES PLIES   a journal of so many games of at most so many half-moves
//   make_records pgn FILE GAMES PLIES       the same games as PGN
//
// The games are random moves, really judged, from a fixed start: the same bytes on every machine. Some hundreds are played; the rest repeat
// them under numbers of their own.
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include "referee/record/append_file.hpp"
#include "referee/record/journal.hpp"
#include "referee/record/pgn.hpp"
#include "tests/record/support.hpp"

namespace {

using namespace referee;
using namespace referee::record;

constexpr int different_games = 300;
constexpr std::size_t batch = 500;

void renumber(std::vector<Fact>& facts, int number) {
  for (Fact& fact : facts) {
    if (auto* started = std::get_if<GameStarted>(&fact)) {
      started->game = number;
      started->round = started->pair = (number + 1) / 2;
    } else if (auto* judged = std::get_if<EventJudged>(&fact)) {
      judged->game = number;
    } else if (auto* ended = std::get_if<GameEnded>(&fact)) {
      ended->game = number;
    }
  }
}

std::vector<std::vector<Fact>> some_games(std::size_t plies) {
  std::vector<std::vector<Fact>> games;
  for (int i = 0; i < different_games; ++i)
    games.push_back(testing::played(testing::started(1), testing::random_moves(static_cast<std::uint64_t>(i), plies), true));
  return games;
}

std::string pgn_of(const std::vector<Fact>& facts) {
  std::unique_ptr<PgnComposer> composer;
  for (const Fact& fact : facts) {
    if (const auto* started = std::get_if<GameStarted>(&fact)) composer = std::make_unique<PgnComposer>(*started, PgnStyle{});
    if (const auto* judged = std::get_if<EventJudged>(&fact)) composer->add(*judged);
  }
  const auto& ended = std::get<GameEnded>(facts.back());
  return composer->text(&ended);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "make_records journal|pgn FILE GAMES PLIES\n";
    return 2;
  }
  const std::string form = argv[1];
  const std::string path = argv[2];
  const int count = std::atoi(argv[3]);
  auto games = some_games(static_cast<std::size_t>(std::atoi(argv[4])));
  std::filesystem::remove(path);
  if (form == "pgn") {
    AppendFile file(path);
    std::string text;
    for (int number = 1; number <= count; ++number) {
      auto& facts = games[static_cast<std::size_t>(number) % games.size()];
      renumber(facts, number);
      text += pgn_of(facts);
      if (text.size() > (std::size_t{1} << 20U) || number == count) {
        file.append(text);
        text.clear();
      }
    }
    return 0;
  }
  const auto journal = Journal::open(path, Journal::Mode::create_new);
  std::vector<Fact> facts;
  for (int number = 1; number <= count; ++number) {
    auto& game = games[static_cast<std::size_t>(number) % games.size()];
    renumber(game, number);
    facts.insert(facts.end(), game.begin(), game.end());
    if (static_cast<std::size_t>(number) % batch == 0 || number == count) {
      journal->write(facts);
      facts.clear();
    }
  }
  return 0;
}
