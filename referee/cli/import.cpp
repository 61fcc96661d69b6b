// `import`: other tools' configurations and PGN in our forms.
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "config/import_match.hpp"
#include "config/yaml.hpp"
#include "referee/cli/plain_output.hpp"
#include "referee/cli/registry.hpp"
#include "referee/cli/result_files.hpp"
#include "referee/cli/together.hpp"
#include "referee/match/text_input.hpp"
#include "referee/record/append_file.hpp"
#include "referee/record/pgn_normalise.hpp"

namespace referee::cli {

namespace {

constexpr std::size_t most_engines_file = std::size_t{16} << 20U;

bool is_json(const std::string& path) {
  std::filesystem::path name(path);
  return name.extension() == ".json";
}

int import_configuration(const std::string& path, const std::string& target) {
  config::ImportedMatch imported;
  try {
    imported = config::import_match(config::read_text_file(path, {.bytes = most_engines_file}), path);
  } catch (const config::ConfigException& error) { throw UsageError(error.what()); }
  for (const std::string& note : imported.notes) std::cerr << note << '\n';
  const std::string text = config::to_yaml(imported.match);
  write_output(target, text);
  if (target == "-") return exit_done;
  std::cerr << imported.match.engines.size() << " engines written to " << target << " (try: referee schedule " << target << ")"
            << std::endl;
  return exit_done;
}

std::unique_ptr<match::TextInput> open_text(const std::string& path) {
  try {
    return std::make_unique<match::TextInput>(path);
  } catch (const std::runtime_error& error) { throw UsageError(path + ": " + error.what()); }
}

int import_games(const std::vector<std::string>& paths, const std::string& target, const record::PgnStyle& style) {
  std::unique_ptr<record::AppendFile> file;
  std::size_t games = 0;
  std::size_t refused = 0;
  std::size_t empty = 0;
  std::size_t variations = 0;
  try {
    if (target != "-") {
      file = std::make_unique<record::AppendFile>(target);
      file->cut(0);
    }
    for (const std::string& path : paths) {
      const std::unique_ptr<match::TextInput> opened = open_text(path);
      match::TextInput& input = *opened;
      record::PgnReader reader(input.stream());
      record::PgnGame game;
      bool any = false;
      while (reader.next(game)) {
        any = true;
        const record::NormalisedGame written = record::normalise(game, style);
        if (written.text.empty()) {
          ++refused;
          std::cerr << path << ':' << written.problem.line << ':' << written.problem.column << ": game " << game.number << ": "
                    << written.problem.text << '\n';
          continue;
        }
        ++games;
        variations += game.variations;
        if (file != nullptr)
          file->append(written.text);
        else
          print_data(std::cout, written.text);
      }
      if (const std::string failure = input.failure(); !failure.empty()) throw UsageError(std::string(path).append(": ").append(failure));
      if (!any) {
        ++empty;
        std::cerr << path << ": there is no game in it (expected PGN)\n";
      }
    }
  } catch (const record::JournalError& error) { throw UsageError(error.what()); }
  std::cout << std::flush;
  if (variations > 0)
    std::cerr << "note: " << variations << (variations == 1 ? " variation is" : " variations are")
              << " not kept: a record holds the moves that were played\n";
  std::cerr << games << (games == 1 ? " game" : " games") << " written" << (target == "-" ? "" : " to " + target)
            << (refused > 0 ? ", " + std::to_string(refused) + " left out" : "") << std::endl;
  return refused == 0 && empty == 0 ? exit_done : exit_fault_found;
}

int run_import(const Arguments& arguments) {
  const std::vector<std::string>& paths = arguments.operands();
  if (paths.empty()) throw UsageError("import: no file given (expected engines.json, config.json, or GAMES.pgn)");
  for (const std::string& path : paths) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
      throw UsageError(path + ": cannot be read (expected engines.json, config.json, or GAMES.pgn)");
  }
  const std::string target = arguments.value("output").value_or("-");
  const bool is_configuration = std::all_of(paths.begin(), paths.end(), is_json);
  check_output("output", target, paths, is_configuration ? Written::match_file : Written::games);
  if (is_configuration) {
    if (paths.size() > 1) throw UsageError("import: one configuration at a time");
    for (const char* option : {"comments", "no-openings"}) {
      if (arguments.has(option)) throw UsageError(std::string("option --") + option + " is about games (expected PGN files with it)");
    }
    return import_configuration(paths[0], target);
  }
  if (std::any_of(paths.begin(), paths.end(), is_json)) throw UsageError("import: configurations and games together (expected one kind)");
  record::PgnStyle style;
  const std::string comments = arguments.value("comments").value_or("tags");
  style.comments = comments == "none"     ? record::PgnComments::none
                   : comments == "engine" ? record::PgnComments::engine
                                          : record::PgnComments::tags;
  style.openings = !arguments.has("no-openings");
  try {
    return import_games(paths, target, style);
  } catch (const UsageError&) { throw; } catch (const std::runtime_error& error) {
    throw UsageError(error.what());
  }
}

}  // namespace

CommandDefinition import_command() {
  CommandDefinition command;
  command.name = "import";
  command.summary = "turns other tools' configurations into match files, and their PGN into ours";
  command.positional = "FILE...";
  command.description =
      "A .json is cutechess' engines.json or fastchess' config.json: a match file comes out, with absolute paths; what could not be "
      "carried "
      "over is said on standard error. Anything else is PGN (also .gz): every game is played through and written again with its tags in "
      "the "
      "standard's order, ECO and names from our table, moves in SAN, and the comments of engine matches (+0.30/13 0.28s) as [%eval] and "
      "[%emt]. Games that cannot be played are named and left out (exit code 1).";
  command.options = {{"output", "FILE", "where to write (default standard output)", false, {}},
                     {"comments", "FORM", "comments as commands (default), as they were, or none", false, {"tags", "engine", "none"}},
                     {"no-openings", "", "keep the ECO, Opening and Variation tags of the file", false, {}}};
  command.examples = {"referee import ~/.config/cutechess/engines.json --output engines.yaml", "referee import config.json > match.yaml",
                      "referee import fastchess.pgn --output games.pgn"};
  command.run = run_import;
  return command;
}

}  // namespace referee::cli
