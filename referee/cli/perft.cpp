// `perft`: counts of move sequences, to compare move generators.
#include "referee/chess/perft.hpp"

#include <boost/json.hpp>
#include <chrono>
#include <iostream>

#include "referee/chess/fen.hpp"
#include "referee/chess/notation.hpp"
#include "referee/cli/json_text.hpp"
#include "referee/cli/registry.hpp"

namespace referee::cli {

namespace {

namespace json = boost::json;
using chess::Position;

Position read_position(const std::string& text, bool chess960) {
  const auto parse = chess960 ? chess::parse_fen : chess::parse_standard_fen;
  chess::FenResult read = parse(text, chess::FenReading::strict);
  if (!read && read.error().field == chess::FenField::position) {
    // Counting moves needs no history: test positions may stand in checks that no game leads to.
    chess::FenResult lenient = parse(text, chess::FenReading::lenient);
    if (lenient) read = std::move(lenient);
  }
  if (!read) {
    const chess::FenError& error = read.error();
    throw UsageError("--fen: " + std::string(chess::name(error.field)) + ", column " + std::to_string(error.column) + ": " + error.message);
  }
  for (const std::string& assumption : read.assumptions()) std::cerr << "note: " << assumption << '\n';
  return read.position();
}

int run_perft(const Arguments& arguments) {
  constexpr long long deepest = 30;
  const Position position = read_position(arguments.value("fen").value_or("startpos"), arguments.has("chess960"));
  const auto given = arguments.integer("depth", 0, deepest);
  if (!given) throw UsageError("--depth is missing (expected a number from 0 to " + std::to_string(deepest) + ")");
  const int depth = static_cast<int>(*given);
  const bool divide = arguments.has("divide") && depth > 0;
  const bool as_json = arguments.has("json");
  const auto castling = arguments.has("chess960") ? chess::CastlingText::king_takes_rook : chess::CastlingText::king_two_squares;

  const auto start = std::chrono::steady_clock::now();
  std::uint64_t nodes = 0;
  json::object by_move;
  if (divide) {
    for (const auto& [move, count] : chess::perft_divide(position, depth)) {
      const std::string text = chess::to_uci(position, move, castling);
      nodes += count;
      by_move[text] = count;
      if (!as_json) std::cout << text << ": " << count << std::endl;
    }
  } else {
    nodes = chess::perft(position, depth);
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;

  if (as_json) {
    json::object out{{"fen", chess::to_fen(position)}, {"depth", depth}, {"nodes", nodes}};
    if (divide) out["divide"] = std::move(by_move);
    std::cout << json_text(out) << '\n';
    return exit_done;
  }
  std::cout << nodes << " nodes\n" << std::flush;
  if (elapsed.count() >= 0.01) {
    std::cerr << "in " << elapsed.count() << " s, " << static_cast<std::uint64_t>(static_cast<double>(nodes) / elapsed.count() / 1e6)
              << " million nodes a second\n";
  }
  return exit_done;
}

}  // namespace

CommandDefinition perft_command() {
  CommandDefinition command;
  command.name = "perft";
  command.summary = "count the move sequences of a length from a position";
  command.description =
      "The usual check of a move generator: how many sequences of N legal moves a position has (promotions to four pieces count "
      "separately, "
      "draws by rule are ignored). The position is FEN, X-FEN or Shredder-FEN, standard or Chess960 alike.";
  command.options = {{"fen", "FEN", "the position (default: the initial position)", false, {}},
                     {"depth", "N", "length in half-moves", false, {}},
                     {"chess960", "", "write castling as king takes rook", false, {}},
                     {"divide", "", "a count for each first move as well", false, {}},
                     {"json", "", "print JSON", false, {}}};
  command.examples = {"referee perft --depth 6",
                      "referee perft --divide --depth 3 --fen 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1'"};
  command.run = run_perft;
  return command;
}

}  // namespace referee::cli
