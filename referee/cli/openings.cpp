// `openings`: looks at suites of openings, and makes new ones of them.
#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

#include "config/editions.hpp"
#include "referee/chess/fen.hpp"
#include "referee/chess/notation.hpp"
#include "referee/cli/json_text.hpp"
#include "referee/cli/registry.hpp"
#include "referee/cli/result_files.hpp"
#include "referee/cli/together.hpp"
#include "referee/match/opening_rank.hpp"
#include "referee/match/opening_suite.hpp"
#include "referee/match/text_input.hpp"
#include "referee/record/append_file.hpp"
#include "referee/record/journal.hpp"
#include "referee/record/pgn.hpp"

namespace referee::cli {

namespace {

namespace json = boost::json;
using match::SuiteOpening;

std::string place(const SuiteOpening& line) { return line.file + ":" + std::to_string(line.opening.line); }

std::string title(const SuiteOpening& line) {
  if (!line.name) return line.opening.name;
  return line.name->eco + " " + line.name->opening + (line.name->variation.empty() ? "" : ", " + line.name->variation);
}

json::value text_or_null(const std::string& text) { return text.empty() ? json::value(nullptr) : json::value(text); }

/// A problem that the reader has named as "FILE:LINE:COLUMN: text".
int report_bad_lines(const match::BookException& error, bool as_json) {
  if (as_json) {
    json::array problems;
    for (const std::string& problem : error.problems()) problems.push_back(json::string(problem));
    std::cout << json_text(json::object{{"openings", json::array()}, {"problems", problems}}) << std::endl;
  } else {
    for (const std::string& problem : error.problems()) std::cout << problem << '\n';
    std::cout << error.problems().size() << " bad lines" << std::endl;
  }
  return exit_fault_found;
}

json::object as_json(const std::vector<SuiteOpening>& suite, std::size_t index) {
  const SuiteOpening& line = suite[index];
  json::object entry{{"file", line.file},
                     {"line", line.opening.line},
                     {"name", line.opening.name},
                     {"plies", line.moves.size()},
                     {"fen", chess::to_fen(line.end)},
                     {"eco", text_or_null(line.name ? line.name->eco : "")},
                     {"opening", text_or_null(line.name ? line.name->opening : "")},
                     {"variation", text_or_null(line.name ? line.name->variation : "")},
                     {"over", text_or_null(line.over ? std::string(game::code(*line.over)) : "")}};
  json::array moves;
  for (const std::string& move : line.opening.moves) moves.push_back(json::string(move));
  entry["moves"] = std::move(moves);
  entry["same_as"] = line.same_as ? json::value(place(suite[*line.same_as])) : json::value(nullptr);
  return entry;
}

void print_summary(const std::vector<SuiteOpening>& suite) {
  std::size_t same = 0;
  std::size_t over = 0;
  std::map<std::size_t, std::size_t> lengths;
  std::set<std::string> codes;
  std::size_t unnamed = 0;
  for (const SuiteOpening& line : suite) {
    if (line.same_as) {
      ++same;
      std::cout << place(line) << ": ends in the position of " << place(suite[*line.same_as]) << '\n';
    }
    if (line.over) {
      ++over;
      std::cout << place(line) << ": the game is over (" << game::code(*line.over) << ")\n";
    }
    ++lengths[line.moves.size()];
    if (line.name)
      codes.insert(line.name->eco);
    else
      ++unnamed;
  }
  std::cout << suite.size() << (suite.size() == 1 ? " opening" : " openings");
  if (!lengths.empty()) {
    std::cout << " of " << lengths.begin()->first;
    if (lengths.size() > 1) std::cout << " to " << lengths.rbegin()->first;
    std::cout << " half-moves";
  }
  std::cout << ", " << codes.size() << " ECO codes";
  if (unnamed > 0) std::cout << ", " << unnamed << " without a name";
  std::cout << "; " << same << " end in a position that was there before, " << over << " are over" << std::endl;
}

// --- ranking ---------------------------------------------------------------------------------------------------------------

/// How far into a game its opening is looked for.
constexpr std::size_t ranked_plies = 80;

void rank_journal(const std::string& path, match::OpeningRanking& ranking) {
  const auto journal = record::Journal::open(path, record::Journal::Mode::read_only);
  for (const record::GameRow& row : journal->games()) {
    if (!row.counts() || row.outcome->score.white + row.outcome->score.black != 100) continue;
    const auto recorded = journal->game(row.game, row.attempt);
    if (!recorded) continue;
    const game::GameSetup& setup = recorded->started.setup;
    const auto castling = setup.chess960 ? chess::CastlingText::king_takes_rook : chess::CastlingText::king_two_squares;
    chess::Position position = setup.start;
    const std::size_t* opening = ranking.find(position);
    for (const std::string& text : setup.opening_moves) {
      const auto read = chess::read_uci(position, text, castling);
      if (!std::holds_alternative<chess::ReadMove>(read)) break;
      position.play(std::get<chess::ReadMove>(read).move);
      if (const std::size_t* here = ranking.find(position)) opening = here;
    }
    if (opening != nullptr) ranking.add_game(*opening, row.white, row.black, row.outcome->score.white / 100.0);
  }
}

void rank_pgn(const std::string& path, match::OpeningRanking& ranking) {
  match::TextInput input(path);
  record::PgnReader reader(input.stream());
  record::PgnGame game;
  while (reader.next(game)) {
    const double score = game.result == "1-0" ? 1 : game.result == "0-1" ? 0 : game.result == "1/2-1/2" ? 0.5 : -1;
    const auto white = game.tag("White");
    const auto black = game.tag("Black");
    if (score < 0 || !white || !black) continue;
    chess::Position position = chess::Position::initial();
    if (const auto fen = game.tag("FEN")) {
      const auto read = chess::parse_fen(*fen, chess::FenReading::lenient);
      if (!read) continue;
      position = read.position();
    }
    const std::size_t* opening = ranking.find(position);
    for (std::size_t ply = 0; ply < std::min(game.moves.size(), ranked_plies); ++ply) {
      const auto read = chess::read_san(position, game.moves[ply].san);
      if (!std::holds_alternative<chess::ReadMove>(read)) break;
      position.play(std::get<chess::ReadMove>(read).move);
      if (const std::size_t* here = ranking.find(position)) opening = here;
    }
    if (opening != nullptr) ranking.add_game(*opening, std::string(*white), std::string(*black), score);
  }
  if (const std::string failure = input.failure(); !failure.empty()) throw UsageError(path + ": " + failure);
}

bool is_journal(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string head(15, '\0');
  return in.read(head.data(), 15) && head == "SQLite format 3";
}

std::vector<match::OpeningWorth> ranking_of(const std::vector<SuiteOpening>& suite, const std::vector<std::string>& records) {
  match::OpeningRanking ranking;
  for (std::size_t i = 0; i < suite.size(); ++i) ranking.add_opening(i, suite[i].end);
  for (const std::string& path : records) {
    try {
      is_journal(path) ? rank_journal(path, ranking) : rank_pgn(path, ranking);
    } catch (const record::JournalError& error) { throw UsageError(error.what()); } catch (const UsageError&) {
      throw;
    } catch (const std::runtime_error& error) { throw UsageError(path + ": " + error.what()); }
  }
  return ranking.ranked();
}

void print_ranking(const std::vector<SuiteOpening>& suite, const std::vector<match::OpeningWorth>& ranked) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(3) << "  worth    gain  pairs  decided  games  White  draws  opening\n";
  for (const match::OpeningWorth& worth : ranked) {
    out << std::setw(7) << worth.worth << std::setw(8) << worth.gain << std::setw(7) << worth.pairs << std::setw(9) << worth.decided
        << std::setw(7) << worth.games << std::setw(7) << worth.white << std::setw(7) << worth.draws << "  " << place(suite[worth.opening])
        << ' ' << title(suite[worth.opening]) << '\n';
  }
  std::cout << out.str() << suite.size() - ranked.size() << " openings without a pair of games" << std::endl;
}

json::array ranking_json(const std::vector<SuiteOpening>& suite, const std::vector<match::OpeningWorth>& ranked) {
  json::array out;
  for (const match::OpeningWorth& worth : ranked) {
    out.push_back(json::object{{"opening", place(suite[worth.opening])},
                               {"name", title(suite[worth.opening])},
                               {"worth", worth.worth},
                               {"gain", worth.gain},
                               {"pairs", worth.pairs},
                               {"decided", worth.decided},
                               {"games", worth.games},
                               {"white_score", worth.white},
                               {"draw_ratio", worth.draws}});
  }
  return out;
}

// --- the command -----------------------------------------------------------------------------------------------------------

void write_suite(const std::vector<SuiteOpening>& suite, match::SuiteForm form, const std::string& target) {
  std::string text;
  for (const SuiteOpening& line : suite) match::append_opening(text, line, form);
  write_output(target, text);
}

match::SuiteForm form_of(const Arguments& arguments, const std::string& target) {
  std::string form = arguments.value("to").value_or("");
  if (form.empty()) {
    const std::size_t point = target.rfind('.');
    form = point == std::string::npos ? "" : target.substr(point + 1);
  }
  if (form == "pgn") return match::SuiteForm::pgn;
  if (form == "epd") return match::SuiteForm::epd;
  if (form == "fen") return match::SuiteForm::fen;
  throw UsageError("openings: in which form? (expected --to pgn, epd or fen, or an --output that ends so)");
}

void check_source(const std::string& file) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) throw UsageError(file + ": there is no such file (expected .epd, .fen, .pgn, also .gz, or .bin)");
  if (fs::is_directory(status)) throw UsageError(file + ": is a folder (expected .epd, .fen, .pgn, also .gz, or .bin)");
}

int run_openings(const Arguments& arguments) {
  if (arguments.operands().empty()) throw UsageError("openings: no file given (expected .epd, .fen, .pgn, also .gz, or .bin)");
  const bool as_json_text = arguments.has("json");
  match::SuiteRequest request;
  request.files = arguments.operands();
  if (const auto plies = arguments.integer("plies", 0, 1000)) request.plies = static_cast<int>(*plies);
  request.chess960 = arguments.has("chess960");
  const auto target = arguments.value("output");
  const bool writes = target || arguments.has("to");
  const std::string where = target.value_or("-");
  if (writes && where == "-" && as_json_text) throw UsageError("openings: --json and a suite on standard output (expected --output FILE)");

  belongs_to(arguments, {"sample", "unique"}, {"output", "to"});
  belongs_to(arguments, {"seed"}, {"sample"});
  if (writes) (void)form_of(arguments, where);  // said before a large suite is read
  for (const std::string& file : request.files) check_source(file);
  check_outputs(arguments, {"output"}, {"rank"});

  std::vector<std::string> notes;
  std::vector<SuiteOpening> suite;
  try {
    suite = match::read_suite(request, config::load_edition("engine-practice"), notes);
  } catch (const match::BookException& error) { return report_bad_lines(error, as_json_text); }
  for (const std::string& note : notes) std::cerr << note << '\n';

  if (writes) {
    std::vector<SuiteOpening> chosen;
    for (const SuiteOpening& line : suite) {
      if (arguments.has("unique") && (line.same_as || line.over)) continue;
      chosen.push_back(line);
    }
    if (const auto count = arguments.integer("sample", 1, 1'000'000'000))
      chosen = match::sample(std::move(chosen), static_cast<std::size_t>(*count),
                             static_cast<std::uint64_t>(arguments.integer("seed", 0, INT64_MAX).value_or(1)));
    write_suite(chosen, form_of(arguments, where), where);
    std::cerr << chosen.size() << (chosen.size() == 1 ? " opening" : " openings") << " written" << (where == "-" ? "" : " to " + where)
              << std::endl;
    if (!as_json_text) return exit_done;
  }

  const std::vector<std::string> records = arguments.values("rank");
  const auto ranked = records.empty() ? std::vector<match::OpeningWorth>() : ranking_of(suite, records);
  if (as_json_text) {
    json::array openings;
    for (std::size_t i = 0; i < suite.size(); ++i) openings.push_back(as_json(suite, i));
    json::object out{{"openings", std::move(openings)}, {"problems", json::array()}};
    if (!records.empty()) out["ranking"] = ranking_json(suite, ranked);
    std::cout << json_text(out) << std::endl;
    return exit_done;
  }
  records.empty() ? print_summary(suite) : print_ranking(suite, ranked);
  return exit_done;
}

}  // namespace

CommandDefinition openings_command() {
  CommandDefinition command;
  command.name = "openings";
  command.summary = "checks, names, converts, samples and ranks suites of openings";
  command.positional = "FILE...";
  command.description =
      "Reads suites (EPD, FEN lists, PGN, also .gz, Polyglot .bin) as a match would. Bad lines are named as file:line:column, with exit "
      "code "
      "1. Without further options it tells what is in them: how long, which ECO codes, which lines end in the same position (by whatever "
      "order "
      "of moves), which are over before a move is asked for.\n\n"
      "With --to or --output a new suite is written: cut to --plies, without repetitions and finished games (--unique), a --sample drawn "
      "with "
      "--seed. PGN carries ECO, Opening and Variation from our own table; EPD has the name as id.\n\n"
      "--rank takes played games (journals, PGN) and orders the openings by what they tell apart: in pairs of games with colours swapped, "
      "what "
      "the engine that is stronger over all these games scored above one half of the pair (gain), drawn towards the mean by two pairs so "
      "that "
      "openings seen once do not lead (worth).";
  command.options = {{"to", "FORM", "write the openings in this form", false, {"pgn", "epd", "fen"}},
                     {"output", "FILE", "where to write them (default standard output); its ending names the form", false, {}},
                     {"plies", "N", "cut every opening to N half-moves", false, {}},
                     {"unique", "", "leave out what ends in a position that was there before, and what is over", false, {}},
                     {"sample", "N", "write only N of them, drawn at random", false, {}},
                     {"seed", "N", "seed of the sample (default 1)", false, {}},
                     {"rank", "GAMES", "order the openings by how well they separate engines in these games", true, {}},
                     {"chess960", "", "the positions are of Chess960", false, {}},
                     {"json", "", "one JSON object on standard output", false, {}}};
  command.examples = {"referee openings matches/openings/theory.pgn",
                      "referee openings big.pgn.gz --unique --plies 12 --sample 500 --seed 7 --output small.epd",
                      "referee openings matches/openings/theory.pgn --rank results/match.sqlite"};
  command.run = run_openings;
  return command;
}

}  // namespace referee::cli
