// `check`: are the games of PGN files legal and complete, and do their results agree with the board, the clocks and the Laws.
#include <boost/json.hpp>
#include <iostream>
#include <thread>

#include "config/editions.hpp"
#include "referee/cli/json_text.hpp"
#include "referee/cli/registry.hpp"
#include "referee/match/text_input.hpp"
#include "referee/record/pgn_archive.hpp"

namespace referee::cli {

namespace {

namespace json = boost::json;

json::value text_or_null(const std::string& text) { return text.empty() ? json::value(nullptr) : json::value(text); }

/// Where findings go: a line each, or one JSON object written as it grows, so that an archive of any size can be checked.
class Report {
 public:
  explicit Report(bool as_json) : json_(as_json) {
    if (json_) std::cout << "{\"problems\":[";
  }

  void add(const std::string& file, const record::CheckProblem& problem) {
    ++problems_;
    if (json_) {
      const json::object entry{{"file", file},
                               {"game", problem.game},
                               {"line", problem.line},
                               {"ply", problem.ply},
                               {"kind", std::string(record::name(problem.kind))},
                               {"text", problem.text},
                               {"result_in_file", text_or_null(problem.result_in_file)},
                               {"result_by_law", text_or_null(problem.result_by_law)},
                               {"article", text_or_null(problem.article)},
                               {"proof", text_or_null(problem.proof)}};
      std::cout << (problems_ > 1 ? ",\n" : "\n") << json_text(entry);
      return;
    }
    std::cout << file << ':' << problem.line << ": game " << problem.game;
    if (problem.ply > 0) std::cout << ", half-move " << problem.ply;
    std::cout << ": " << record::name(problem.kind) << ": " << problem.text;
    if (!problem.article.empty()) std::cout << " (article " << problem.article << ')';
    if (!problem.proof.empty()) std::cout << " (cannot mate, with proof: " << problem.proof << ')';
    std::cout << std::endl;
  }
  void not_checked(const std::string& file, std::size_t game, std::size_t line, const std::string& why) {
    ++not_checked_;
    if (!json_) std::cout << file << ':' << line << ": game " << game << ": not checked: " << why << std::endl;
  }
  [[nodiscard]] std::size_t problems() const noexcept { return problems_; }
  void count_games(std::size_t games) { games_ += games; }

  int close() {
    if (json_)
      std::cout << "],\"games\":" << games_ << ",\"not_checked\":" << not_checked_ << "}" << std::endl;
    else
      std::cout << games_ << (games_ == 1 ? " game, " : " games, ") << problems_ << (problems_ == 1 ? " problem" : " problems")
                << (not_checked_ > 0 ? ", " + std::to_string(not_checked_) + " not checked" : "") << std::endl;
    return problems_ == 0 ? exit_done : exit_fault_found;
  }

 private:
  bool json_;
  std::size_t games_ = 0, problems_ = 0, not_checked_ = 0;
};

void check_stream(const std::string& file, std::istream& in, const record::PgnChecker& checker, unsigned threads, Report& report) {
  // A file has been asked when it was opened.
  if (file == "-" && in.peek() != std::char_traits<char>::eof()) {
    std::string beginning(1, static_cast<char>(in.get()));
    beginning += static_cast<char>(in.peek());
    in.unget();
    if (match::is_utf16(beginning)) throw UsageError("standard input: is UTF-16 (expected UTF-8 or Latin-1)");
  }
  const std::size_t before = report.problems();
  const auto found = [&](const record::CheckedGame& checked, std::size_t game, std::size_t line) {
    for (const record::CheckProblem& problem : checked.problems) report.add(file, problem);
    if (!checked.not_checked.empty()) report.not_checked(file, game, line, checked.not_checked);
  };
  const std::size_t games = record::check_archive(in, checker, threads, found);
  report.count_games(games);
  // Text that is no game has been complained of already.
  if (games == 0 && report.problems() == before)
    report.add(file, {0, 1, 0, record::CheckKind::unreadable, "there is no game in it (expected PGN)", {}, {}, {}});
}

int run_check(const Arguments& arguments) {
  if (arguments.operands().empty()) throw UsageError("check: no file given (expected FILE.pgn..., or - for standard input)");
  std::shared_ptr<const laws::Edition> edition;
  try {
    edition = config::load_edition(arguments.value("edition").value_or("fide-2023"));
  } catch (const config::ConfigException& error) { throw UsageError(error.what()); }
  const record::PgnChecker checker(edition);
  // What cannot be opened is said before the first game of another file is looked at.
  for (const std::string& file : arguments.operands()) {
    if (file == "-") continue;
    try {
      const match::TextInput probe(file);
    } catch (const std::runtime_error& error) { throw UsageError(file + ": " + error.what()); }
  }
  const auto threads =
      static_cast<unsigned>(arguments.integer("threads", 1, 1024).value_or(std::max(1U, std::thread::hardware_concurrency())));
  Report report(arguments.has("json"));
  for (const std::string& file : arguments.operands()) {
    if (file == "-") {
      check_stream(file, std::cin, checker, threads, report);
      continue;
    }
    match::TextInput input(file);
    check_stream(file, input.stream(), checker, threads, report);
    if (const std::string failure = input.failure(); !failure.empty())
      report.add(file, {0, 0, 0, record::CheckKind::unreadable, failure, {}, {}, {}});
  }
  return report.close();
}

}  // namespace

CommandDefinition check_command() {
  CommandDefinition command;
  command.name = "check";
  command.summary = "checks PGN files: legality, completeness, results against board, clocks and Laws";
  command.positional = "FILE.pgn...";
  command.description =
      "Reads every game (variations, glyphs, comments of both kinds, escape lines, gzip) and plays it through. Reported are: text that is "
      "no PGN (unreadable), moves that are not legal (illegal_move), records without an end (cut_off), results that tag, end mark, board "
      "and Laws do not agree on (result_mismatch), ends that cannot be and play after the end (termination), clock comments that the time "
      "control does not explain (clock), set-ups that do not fit (setup). Each finding names file, line, game and half-move.\n\n"
      "The Laws are those of the edition: a loss on time against a side that cannot mate, or a fifth repetition that was played on, are "
      "faults where the edition says so. Exit code 1 if anything was found. A FILE of - is standard input.";
  command.options = {{"edition", "EDITION", "edition of the Laws, an id or a file (default fide-2023)", false, {}},
                     {"threads", "N", "threads that read and judge (default: as many as the machine has)", false, {}},
                     {"json", "", "one JSON object on standard output", false, {}}};
  command.examples = {"referee check games.pgn", "referee check --edition fide-2018 --json archive.pgn.gz"};
  command.run = run_check;
  return command;
}

}  // namespace referee::cli
