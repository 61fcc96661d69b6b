// `export`: views of a journal as files.
#include <iostream>

#include "referee/cli/registry.hpp"
#include "referee/record/append_file.hpp"
#include "referee/record/pgn.hpp"

namespace referee::cli {

namespace {

record::PgnStyle style_from(const Arguments& arguments) {
  record::PgnStyle style;
  const std::string comments = arguments.value("comments").value_or("tags");
  style.comments = comments == "none"     ? record::PgnComments::none
                   : comments == "engine" ? record::PgnComments::engine
                                          : record::PgnComments::tags;
  style.depth = !arguments.has("no-depth");
  style.nodes = arguments.has("nodes");
  style.pv = arguments.has("pv");
  return style;
}

int run_export(const Arguments& arguments) {
  if (arguments.operands().size() != 1) throw UsageError("export: one journal expected (the file `output.journal` of a match)");
  const auto target = arguments.value("pgn");
  if (!target) throw UsageError("export: say what to write (expected --pgn FILE, or --pgn - for standard output)");
  const record::PgnStyle style = style_from(arguments);
  const auto wanted = arguments.integer("game", 1, 1'000'000'000);
  std::size_t games = 0;
  try {
    const auto journal = record::Journal::open(arguments.operands()[0], record::Journal::Mode::read_only);
    std::unique_ptr<record::AppendFile> file;
    if (*target != "-") {
      file = std::make_unique<record::AppendFile>(*target);
      file->cut(0);
    }
    for (const record::GameRow& row : journal->attempts()) {
      if (wanted && row.game != *wanted) continue;
      if (!row.outcome && !wanted && !arguments.has("all")) continue;
      if (!row.counted && !arguments.has("all")) continue;
      const auto recorded = journal->game(row.game, row.attempt);
      if (!recorded) continue;
      const std::string text = record::to_pgn(*recorded, style);
      if (file != nullptr)
        file->append(text);
      else
        std::cout << text << std::flush;
      ++games;
    }
  } catch (const record::JournalError& error) { throw UsageError(error.what()); }
  if (wanted && games == 0) throw UsageError(arguments.operands()[0] + ": there is no game " + std::to_string(*wanted));
  if (*target != "-") std::cerr << games << (games == 1 ? " game" : " games") << " written to " << *target << std::endl;
  return exit_done;
}

}  // namespace

CommandDefinition export_command() {
  CommandDefinition command;
  command.name = "export";
  command.summary = "writes the games of a journal as PGN";
  command.positional = "JOURNAL";
  command.description =
      "Writes the finished games that count, in the order in which they ended. The journal of a running match may be read. A file that is "
      "there is replaced.";
  command.options = {
      {"pgn", "FILE", "where to write the games; - is standard output", false, {}},
      {"comments", "FORM", "comments on moves: broadcast commands, the form of engine matches, or none", false, {"tags", "engine", "none"}},
      {"no-depth", "", "leave the search depth out of comments", false, {}},
      {"nodes", "", "add node counts", false, {}},
      {"pv", "", "add principal variations", false, {}},
      {"game", "N", "only this game, also while it is played", false, {}},
      {"all", "", "also attempts that do not count and games being played", false, {}}};
  command.examples = {"referee export results/match.sqlite --pgn games.pgn",
                      "referee export results/match.sqlite --pgn - --game 12 --comments engine --pv"};
  command.run = run_export;
  return command;
}

}  // namespace referee::cli
