// `scoresheet`: a game as a player would keep it.
#include "referee/record/scoresheet.hpp"

#include <boost/json.hpp>
#include <fstream>
#include <iostream>

#include "referee/cli/json_text.hpp"
#include "referee/cli/registry.hpp"
#include "referee/cli/result_files.hpp"
#include "referee/cli/together.hpp"

namespace referee::cli {

namespace {

namespace json = boost::json;

chess::Language language_from(const Arguments& arguments, const char* option) {
  const auto text = arguments.value(option);
  if (!text) return chess::Language::en;
  const auto language = chess::parse_language(*text);
  if (!language)
    throw UsageError("scoresheet: --" + std::string(option) + " " + *text + ": no such language");  // the choices are checked before
  return *language;
}

bool is_journal(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UsageError(path + ": cannot be read");
  std::string head(15, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  return head == "SQLite format 3";
}

record::Scoresheet from_journal(const std::string& path, int number, chess::Language language) {
  try {
    const auto journal = record::Journal::open(path, record::Journal::Mode::read_only);
    const auto game = journal->game(number);
    if (!game)
      throw UsageError(path + ": there is no game " + std::to_string(number) +
                       " (games played or being played: " + std::to_string(journal->games().size()) + ")");
    return record::scoresheet(*game, language);
  } catch (const record::JournalError& error) { throw UsageError(error.what()); }
}

record::Scoresheet from_pgn(const std::string& path, int number, chess::Language language, chess::Language written_in) {
  std::ifstream file(path, std::ios::binary);
  record::PgnReader reader(file);
  record::PgnGame game;
  for (int found = 0; reader.next(game);) {
    if (++found != number) continue;
    try {
      return record::scoresheet(game, language, written_in);
    } catch (const record::ScoresheetError& error) { throw UsageError(path + ":" + std::to_string(error.line()) + ": " + error.what()); }
  }
  throw UsageError(path + ": there is no game " + std::to_string(number) + " in this PGN file");
}

json::object object_of(const record::Scoresheet& sheet) {
  const auto ms = [](game::Duration time) -> json::value {
    if (time.count() % 1'000'000 == 0) return time.count() / 1'000'000;
    return static_cast<double>(time.count()) / 1e6;
  };
  json::array moves;
  for (const record::ScoresheetMove& move : sheet.moves) {
    json::object one{{"number", move.number},
                     {"side", move.side == chess::Color::white ? "white" : "black"},
                     {"text", move.text},
                     {"offer", move.offer}};
    one["clock_ms"] = move.clock ? ms(*move.clock) : json::value(nullptr);
    moves.push_back(std::move(one));
  }
  json::array notes;
  for (const record::ScoresheetNote& note : sheet.notes) notes.push_back(json::object{{"ply", note.ply}, {"text", note.text}});
  json::object out{{"white", sheet.white}, {"black", sheet.black}, {"event", sheet.event},
                   {"site", sheet.site},   {"date", sheet.date},   {"round", sheet.round}};
  out["time_control"] = sheet.time_control;
  out["edition"] = sheet.edition;
  out["language"] = chess::code(sheet.language);
  out["start"] = sheet.start.empty() ? json::value(nullptr) : json::value(sheet.start);
  out["moves"] = std::move(moves);
  out["notes"] = std::move(notes);
  out["result"] = sheet.result.empty() ? "*" : sheet.result;
  out["ending"] = sheet.ending;
  return out;
}

int run_scoresheet(const Arguments& arguments) {
  if (arguments.operands().size() != 1) throw UsageError("scoresheet: one file expected, a PGN file or the journal of a match");
  check_outputs(arguments, {"html"});
  const std::string& path = arguments.operands()[0];
  const int number = static_cast<int>(arguments.integer("game", 1, 1'000'000'000).value_or(1));
  const chess::Language language = language_from(arguments, "language");
  const record::Scoresheet sheet =
      is_journal(path) ? from_journal(path, number, language) : from_pgn(path, number, language, language_from(arguments, "written-in"));
  if (const auto page = arguments.value("html")) {
    write_output(*page, record::to_html(sheet));
    if (*page == "-") return exit_done;
    if (!arguments.has("json")) std::cerr << "written to " << *page << std::endl;
  }
  if (arguments.has("json")) {
    std::cout << json_text(object_of(sheet)) << std::endl;
  } else if (!arguments.has("html")) {
    std::cout << record::to_text(sheet) << std::flush;
  }
  return exit_done;
}

std::vector<std::string> language_codes() {
  std::vector<std::string> codes;
  codes.reserve(chess::all_languages.size());
  for (const chess::Language language : chess::all_languages) codes.emplace_back(chess::code(language));
  return codes;
}

}  // namespace

CommandDefinition scoresheet_command() {
  CommandDefinition command;
  command.name = "scoresheet";
  command.summary = "prints a game as a player would keep it";
  command.positional = "GAME.pgn|JOURNAL";
  command.description =
      "Writes one game in algebraic notation with the letters of a language, with the clock after each move, offers of a draw as (=) and "
      "what the arbiter ruled, with its article: as text, or with --html as a page that prints on A4. The journal of a running match may "
      "be read.";
  command.options = {{"game", "N", "which game: its number in the match, or its place in the PGN file (default 1)", false, {}},
                     {"language", "CODE", "whose letters to write (default en)", false, language_codes()},
                     {"written-in", "CODE", "whose letters the moves of the PGN file have (default en)", false, language_codes()},
                     {"html", "FILE", "write a page instead; - is standard output", false, {}},
                     {"json", "", "one JSON object on standard output", false, {}}};
  command.examples = {"referee scoresheet results/match.sqlite --game 12", "referee scoresheet game.pgn --language et --html game.html"};
  command.run = run_scoresheet;
  return command;
}

}  // namespace referee::cli
