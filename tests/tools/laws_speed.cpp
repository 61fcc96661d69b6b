// Times the questions of the Laws that are asked while games are played, on one core, in processor time of the thread:
//
//   laws_speed verdicts FILE...   lines that begin with a FEN: who can still mate, proof both ways, with the budget of a verdict
//   laws_speed plies FILE...      PGN: the dead-position test after every half-move, with its neighbours in the judge
//
// One JSON object a line on standard output. Each question is asked three times and the quickest answer counts for the worst case, so
// that a neighbour's interrupt is nobody's cost; the mean is of everything. A benchmark, built on request by scripts/bench.
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/editions.hpp"
#include "referee/chess/fen.hpp"
#include "referee/chess/notation.hpp"
#include "referee/game/game.hpp"
#include "referee/laws/winnability.hpp"
#include "referee/record/pgn.hpp"

namespace {

using namespace referee;
using chess::Color;
using chess::Position;

constexpr int rounds = 3;

[[nodiscard]] double now_us() {
  timespec at{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
  return static_cast<double>(at.tv_sec) * 1e6 + static_cast<double>(at.tv_nsec) * 1e-3;
}

/// What reading the clock costs itself.
[[nodiscard]] double clock_cost_us() {
  constexpr int readings = 20'000;
  const double start = now_us();
  for (int i = 1; i < readings; ++i) static_cast<void>(now_us());
  return (now_us() - start) / readings;
}

/// Asks every question `rounds` times; ask(i) is question i.
template <typename Ask>
void measure(const char* what, std::size_t questions, Ask ask) {
  if (questions == 0) throw std::runtime_error("nothing to ask");
  const double overhead = clock_cost_us();
  std::vector<double> quickest(questions, 1e18);
  double whole = 1e18;
  for (int round = 0; round < rounds; ++round) {
    const double start = now_us();
    for (std::size_t i = 0; i < questions; ++i) ask(i);
    whole = std::min(whole, now_us() - start);
    for (std::size_t i = 0; i < questions; ++i) {
      const double before = now_us();
      ask(i);
      quickest[i] = std::min(quickest[i], now_us() - before - overhead);
    }
  }
  const auto worst_at = static_cast<std::size_t>(std::max_element(quickest.begin(), quickest.end()) - quickest.begin());
  std::sort(quickest.begin(), quickest.end());
  const auto share = [&quickest](double part) {
    return quickest[static_cast<std::size_t>(static_cast<double>(quickest.size() - 1) * part)];
  };
  std::printf(
      "{\"what\":\"%s\",\"questions\":%zu,\"mean_us\":%.3f,\"median_us\":%.3f,\"p99_us\":%.3f,\"p999_us\":%.3f,\"worst_us\":%.3f,"
      "\"worst_question\":%zu}\n",
      what, questions, whole / static_cast<double>(questions), share(0.5), share(0.99), share(0.999), quickest.back(), worst_at);
  std::fflush(stdout);
}

[[nodiscard]] Position position_of(const std::string& fen) {
  const auto read = chess::parse_fen(fen, chess::FenReading::lenient);
  if (!read) throw std::runtime_error(fen + ": " + read.error().message);
  return read.position();
}

void verdicts(const std::vector<std::string>& files) {
  std::vector<Position> positions;
  for (const std::string& name : files) {
    std::ifstream file(name);
    if (!file) throw std::runtime_error(name + ": cannot be read");
    for (std::string line; std::getline(file, line);) {
      if (!line.empty() && line[0] != '#') positions.push_back(position_of(line.substr(0, line.find(';'))));
    }
  }
  std::size_t undecided = 0;
  measure("verdict", positions.size() * 2, [&](std::size_t i) {
    const auto answer = laws::can_mate(positions[i / 2], static_cast<Color>(i % 2), laws::WinnabilityBudget::verdict());
    undecided += answer.verdict == laws::CanMate::undecided ? 1 : 0;
  });
  std::printf("{\"what\":\"of which undecided\",\"questions\":%zu}\n", undecided / (2 * rounds));
}

struct Played {
  game::GameSetup setup;
  std::vector<std::string> moves;
};

void plies(const std::vector<std::string>& files) {
  std::vector<Position> positions;
  std::vector<Played> games;
  for (const std::string& name : files) {
    std::ifstream file(name);
    if (!file) throw std::runtime_error(name + ": cannot be read");
    record::PgnReader reader(file);
    while (const auto read = reader.next()) {
      Played played;
      if (const auto fen = read->tag("FEN")) played.setup.start = position_of(std::string(*fen));
      Position position = played.setup.start;
      for (const record::PgnMove& written : read->moves) {
        const chess::MoveText text = chess::read_san(position, written.san);
        const auto* found = std::get_if<chess::ReadMove>(&text);
        if (found == nullptr) break;
        position.play(found->move);
        positions.push_back(position);
        played.moves.push_back(written.san);
      }
      games.push_back(std::move(played));
    }
  }
  std::size_t dead = 0;
  measure("dead", positions.size(), [&](std::size_t i) { dead += laws::quick_dead(positions[i]) ? 1 : 0; });
  std::printf("{\"what\":\"of which dead\",\"questions\":%zu}\n", dead / (2 * rounds));

  // The judge as a whole: two events a move.
  for (const char* id : {"fide-2023", "engine-practice"}) {
    const auto edition = config::load_edition(id);
    double quickest = 1e18;
    std::size_t moves = 0;
    for (int round = 0; round < rounds; ++round) {
      moves = 0;
      const double start = now_us();
      for (const Played& played : games) {
        game::Game game(played.setup, edition);
        for (const std::string& text : played.moves) {
          const Color side = game.position().side_to_move();
          game.apply({{}, game::TurnStarted{side}});
          game.apply({{}, game::MoveReceived{side, text, game::MoveNotation::san, false}});
          ++moves;
          if (game.outcome()) break;
        }
      }
      quickest = std::min(quickest, now_us() - start);
    }
    std::printf("{\"what\":\"judge %s\",\"questions\":%zu,\"mean_us\":%.3f}\n", id, moves, quickest / static_cast<double>(moves));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 2 ? argv[1] : "";
  const std::vector<std::string> files(argv + std::min(argc, 2), argv + argc);
  try {
    if (what == "verdicts") {
      verdicts(files);
    } else if (what == "plies") {
      plies(files);
    } else {
      std::fprintf(stderr, "usage: laws_speed verdicts|plies FILE...\n");
      return 2;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "laws_speed: %s\n", error.what());
    return 1;
  }
  return 0;
}
