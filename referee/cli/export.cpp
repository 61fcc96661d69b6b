// `export`: views of a journal as files.
#include <array>
#include <iostream>
#include <set>
#include <thread>

#include "referee/cli/plain_output.hpp"
#include "referee/cli/registry.hpp"
#include "referee/cli/together.hpp"
#include "referee/record/append_file.hpp"
#include "referee/record/export.hpp"

namespace referee::cli {

namespace {

record::PgnStyle style_from(const Arguments& arguments) {
  record::PgnStyle style;
  const std::string comments = arguments.value("comments").value_or("tags");
  style.comments = comments == "none"     ? record::PgnComments::none
                   : comments == "engine" ? record::PgnComments::engine
                                          : record::PgnComments::tags;
  const std::string notation = arguments.value("notation").value_or("san");
  style.notation = notation == "lan" ? record::PgnNotation::lan : notation == "uci" ? record::PgnNotation::uci : record::PgnNotation::san;
  style.depth = !arguments.has("no-depth");
  style.eval = !arguments.has("no-eval");
  style.clock = !arguments.has("no-clock");
  style.used = !arguments.has("no-time");
  style.openings = !arguments.has("no-openings");
  style.nodes = arguments.has("nodes");
  style.pv = arguments.has("pv");
  return style;
}

std::vector<int> numbers(const Arguments& arguments, const std::string& option) {
  std::vector<int> found;
  for (const std::string& text : arguments.values(option)) {
    std::size_t read = 0;
    long long number = 0;
    try {
      number = std::stoll(text, &read);
    } catch (const std::exception&) { read = 0; }
    if (read != text.size() || number < 1 || number > record::most_games)
      throw UsageError(std::string("--").append(option).append(": '").append(text) + "' (expected a whole number from 1 to " +
                       std::to_string(record::most_games) + ")");
    found.push_back(static_cast<int>(number));
  }
  return found;
}

record::ExportFilter filter_from(const Arguments& arguments) {
  record::ExportFilter filter;
  filter.engines = arguments.values("engine");
  filter.results = arguments.values("result");
  filter.reasons = arguments.values("reason");
  for (const std::string& reason : filter.reasons) {
    if (game::parse_reason(reason) == game::Reason::none && reason != game::code(game::Reason::none))
      throw UsageError("--reason: '" + reason + "' is no reason (expected a code such as checkmate, flag_fall, adjudication_draw)");
  }
  filter.rounds = numbers(arguments, "round");
  filter.games = numbers(arguments, "game");
  filter.uncounted = arguments.has("all");
  filter.unfinished = filter.uncounted || !filter.games.empty();
  return filter;
}

/// Where one form goes: a file, or standard output.
class Target {
 public:
  Target(std::string name, record::ExportForm form) : name_(std::move(name)), form_(form) {
    if (name_ != "-") {
      file_ = std::make_unique<record::AppendFile>(name_);
      file_->cut(0);
    }
    if (form_ == record::ExportForm::csv) write(record::csv_head());
  }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] record::ExportForm form() const noexcept { return form_; }
  void write(std::string_view text) {
    if (file_ != nullptr) return file_->append(text);
    print_data(std::cout, text);
    std::cout << std::flush;
    if (!std::cout) throw UsageError("standard output cannot be written");
  }

 private:
  std::string name_;
  record::ExportForm form_;
  std::unique_ptr<record::AppendFile> file_;
};

constexpr std::array<std::pair<std::string_view, record::ExportForm>, 3> forms{
    {{"pgn", record::ExportForm::pgn}, {"epd", record::ExportForm::epd}, {"csv", record::ExportForm::csv}}};

std::vector<std::pair<std::string, record::ExportForm>> targets_from(const Arguments& arguments) {
  std::vector<std::pair<std::string, record::ExportForm>> targets;
  check_outputs(arguments, {"pgn", "epd", "csv"});
  for (const auto& [option, form] : forms)
    if (const auto name = arguments.value(option)) targets.emplace_back(*name, form);
  if (targets.empty()) throw UsageError("export: say what to write (expected --pgn FILE, --epd FILE or --csv FILE; - is standard output)");
  return targets;
}

/// A name that nobody has is a slip, not a filter.
void check_engines(const record::ExportFilter& filter, const std::vector<record::GameRow>& rows, const std::string& path) {
  std::set<std::string> names;
  for (const record::GameRow& row : rows) names.insert({row.white, row.black});
  for (const std::string& engine : filter.engines) {
    if (names.contains(engine)) continue;
    const auto guess = nearest(engine, {names.begin(), names.end()});
    throw UsageError(std::string(path).append(": no game of '").append(engine).append("'") +
                     (guess ? " (did you mean '" + *guess + "'?)" : ""));
  }
}

int run_export(const Arguments& arguments) {
  if (arguments.operands().size() != 1) throw UsageError("export: one journal expected (the file `output.journal` of a match)");
  const std::string& path = arguments.operands()[0];
  const auto wanted = targets_from(arguments);
  belongs_to(arguments, {"comments", "notation", "no-eval", "no-depth", "no-clock", "no-time", "no-openings", "nodes", "pv"}, {"pgn"});
  const record::ExportFilter filter = filter_from(arguments);
  const std::string order = arguments.value("order").value_or("ended");
  record::ExportTask task;
  task.journal = path;
  task.style = style_from(arguments);
  task.threads = static_cast<unsigned>(arguments.integer("threads", 1, 1024).value_or(std::max(1U, std::thread::hardware_concurrency())));
  std::size_t games = 0;
  try {
    std::vector<record::GameRow> rows = record::Journal::open(path, record::Journal::Mode::read_only)->attempts();
    check_engines(filter, rows, path);
    const std::size_t there = rows.size();
    std::erase_if(rows, [&](const record::GameRow& row) { return !filter.passes(row); });
    if (rows.empty() && filter.games.size() == 1) throw UsageError(path + ": there is no game " + std::to_string(filter.games[0]));
    if (rows.empty()) {
      std::cerr << path << ": "
                << (there == 0 ? "no game in it has begun"
                               : "no game fits; of " + std::to_string(there) + " none is finished, counts and passes the filters")
                << "; nothing is written" << std::endl;
      return exit_fault_found;
    }
    record::sort_rows(rows, order == "number"  ? record::ExportOrder::number
                            : order == "round" ? record::ExportOrder::round
                                               : record::ExportOrder::ended);
    games = rows.size();
    std::vector<Target> targets;
    for (const auto& [name, form] : wanted) {
      targets.emplace_back(name, form);
      task.forms.push_back(form);
    }
    record::export_games(task, rows, [&](std::size_t form, std::string_view text) { targets[form].write(text); });
  } catch (const record::JournalError& error) { throw UsageError(error.what()); }
  for (const auto& [name, form] : wanted) {
    if (name != "-") std::cerr << games << (games == 1 ? " game" : " games") << " written to " << name << std::endl;
  }
  return exit_done;
}

}  // namespace

CommandDefinition export_command() {
  CommandDefinition command;
  command.name = "export";
  command.summary = "writes the games of a journal as PGN, EPD or CSV";
  command.positional = "JOURNAL";
  command.description =
      "Writes the finished games that count. The journal of a running match may be read. A file that is there is replaced. PGN is written "
      "in "
      "the detail, notation and order asked for; EPD has the final positions, with players, result and reason; CSV has a row a move, with "
      "times and scores. Filters may be given more than once: a game passes when it fits one value of each.";
  command.options = {
      {"pgn", "FILE", "where to write the games; - is standard output", false, {}},
      {"epd", "FILE", "where to write the final positions", false, {}},
      {"csv", "FILE", "where to write the moves with times and scores", false, {}},
      {"comments", "FORM", "comments on moves: broadcast commands, the form of engine matches, or none", false, {"tags", "engine", "none"}},
      {"notation", "FORM", "moves in SAN (default), long algebraic or UCI form", false, {"san", "lan", "uci"}},
      {"no-eval", "", "leave the scores out of comments", false, {}},
      {"no-depth", "", "leave the search depth out of comments", false, {}},
      {"no-clock", "", "leave the clock times out of comments", false, {}},
      {"no-time", "", "leave the times used out of comments", false, {}},
      {"no-openings", "", "no ECO, Opening and Variation tags", false, {}},
      {"nodes", "", "add node counts", false, {}},
      {"pv", "", "add principal variations", false, {}},
      {"order", "ORDER", "as the games ended (default), by number, or by round", false, {"ended", "number", "round"}},
      {"engine", "NAME", "only games of this engine", true, {}},
      {"result", "RESULT", "only games with this result", true, {"1-0", "0-1", "1/2-1/2", "*"}},
      {"reason", "CODE", "only games that ended so (checkmate, flag_fall ...)", true, {}},
      {"round", "N", "only games of this round", true, {}},
      {"game", "N", "only this game, also while it is played", true, {}},
      {"all", "", "also attempts that do not count and games being played", false, {}},
      {"threads", "N", "threads that render (default: as many as the machine has)", false, {}}};
  command.examples = {"referee export results/match.sqlite --pgn games.pgn",
                      "referee export results/match.sqlite --pgn - --game 12 --comments engine --pv",
                      "referee export results/match.sqlite --csv moves.csv --engine Stockfish --result 0-1"};
  command.run = run_export;
  return command;
}

}  // namespace referee::cli
