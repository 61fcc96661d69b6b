// `arbiter`: the desk on the command line.
#include <iostream>

#include "referee/chess/fen.hpp"
#include "referee/cli/daemon_client.hpp"
#include "referee/cli/json_text.hpp"
#include "referee/cli/registry.hpp"
#include "referee/daemon/orders.hpp"
#include "referee/game/explain.hpp"

namespace referee::cli {

namespace {

namespace json = boost::json;

void print_desk_entry(const json::object& game) {
  const json::object& clocks = game.at("clocks").as_object();
  std::cout << "match " << text_of(game, "match") << " game " << text_of(game, "number") << ": " << text_of(game, "white") << " - "
            << text_of(game, "black") << ", " << text_of(game, "phase");
  if (const std::string claimant = text_of(game, "claimant"); !claimant.empty()) std::cout << ", asked by " << claimant;
  if (const std::string question = text_of(game, "question"); !question.empty()) std::cout << ": " << question;
  if (const std::string article = text_of(game, "article"); !article.empty())
    std::cout << " (article " << article << ", " << text_of(game, "edition") << ")";
  std::cout << "\n  clocks " << shown_ms(clocks.at("white_ms")) << " - " << shown_ms(clocks.at("black_ms")) << ", after ply "
            << text_of(game, "plies") << ' ' << text_of(game, "last_san") << "\n  " << text_of(game, "fen") << '\n';
  const chess::FenResult read = chess::parse_fen(text_of(game, "fen"));
  if (read) std::cout << game::diagram(read.position()) << '\n';
}

int show_desk(const Arguments& arguments) {
  const Asked asked = ask_daemon(arguments, "GET", "/api/v1/desk");
  if (!asked.answer) return asked.exit_code;
  if (arguments.has("json")) {
    std::cout << json_text(*asked.answer) << std::endl;
    return exit_done;
  }
  if (asked.answer->as_array().empty()) std::cout << "nothing waits for an arbiter\n";
  for (const json::value& game : asked.answer->as_array()) print_desk_entry(game.as_object());
  return exit_done;
}

double milliseconds(const std::string& text) {
  std::size_t end = 0;
  double value = -1;
  try {
    value = std::stod(text, &end);
  } catch (const std::exception&) { end = 0; }
  const std::string unit = text.substr(end);
  const double factor = unit == "ms" ? 1 : unit == "s" ? 1000 : unit == "m" ? 60'000 : unit == "h" ? 3'600'000 : 0;
  if (end == 0 || value < 0 || factor == 0) throw UsageError("--time " + text + " is no time (expected 500ms, 60s, 2m or 1h)");
  return value * factor;
}

void put_scores(json::object& body, const std::string& text) {
  const std::size_t dash = text.find('-');
  const auto score = [&](const std::string& part) -> double {
    if (part == "0") return 0;
    if (part == "1") return 1;
    if (part == "1/2" || part == "0.5") return 0.5;
    throw UsageError("--score " + text + " is no result (expected as 1-0, 1/2-1/2, 0-0)");
  };
  if (dash == std::string::npos) throw UsageError("--score " + text + " is no result (expected as 1-0, 1/2-1/2, 0-0)");
  body["white_score"] = score(text.substr(0, dash));
  body["black_score"] = score(text.substr(dash + 1));
}

int run(const Arguments& arguments) {
  const auto& operands = arguments.operands();
  if (operands.empty()) return show_desk(arguments);
  if (operands.size() != 3) throw UsageError("an order names match, game and what is ordered (expected: referee arbiter MATCH GAME ORDER)");
  json::object body{{"order", operands[2]}};
  for (const char* name : {"side", "text", "why"}) {
    if (const auto value = arguments.value(name)) body[name] = *value;
  }
  if (const auto time = arguments.value("time")) body["time_ms"] = milliseconds(*time);
  if (const auto score = arguments.value("score")) put_scores(body, *score);
  if (arguments.has("flag")) body["flag"] = true;
  const std::string target =
      "/api/v1/matches/" + std::to_string(match_number(operands[0])) + "/games/" + std::to_string(game_number(operands[1])) + "/orders";
  const Asked asked = ask_daemon(arguments, "POST", target, json_text(body));
  if (!asked.answer) return asked.exit_code;
  if (arguments.has("json")) {
    std::cout << json_text(*asked.answer) << std::endl;
    return asked.exit_code;
  }
  for (const json::value& ruling : asked.answer->as_object().at("rulings").as_array())
    std::cout << text_of(ruling.as_object(), "words") << '\n';
  std::cout.flush();
  return asked.exit_code;
}

}  // namespace

CommandDefinition arbiter_command() {
  CommandDefinition command;
  command.name = "arbiter";
  command.summary = "the arbiter's desk: games that wait for a decision, and orders about any game";
  command.positional = "[MATCH GAME ORDER]";
  command.description =
      "Without operands it shows the games that wait: with a claim or question, interrupted, or adjourned. With an order it gives it; the "
      "order is recorded with who and why, and what the edition in force forbids is refused with the article. Orders:\n\n";
  for (const daemon::OrderForm& form : daemon::order_forms()) {
    command.description +=
        "  " + std::string(form.name) + (form.takes.empty() ? "" : " ") + std::string(form.takes) + ": " + std::string(form.does) + "\n";
  }
  command.description += "\nExit: 0 done; 1 the Laws forbid it; 2 no such game or order.";
  command.options = daemon_options();
  command.options.push_back({"side", "SIDE", "whom it is about", false, {"white", "black", "both"}});
  command.options.push_back({"time", "TIME", "500ms, 60s, 2m, 1h", false, {}});
  command.options.push_back({"score", "RESULT", "1-0, 0-1, 1/2-1/2, 0-0, 1/2-0 ...", false, {}});
  command.options.push_back({"text", "TEXT", "a move, or the words of a warning", false, {}});
  command.options.push_back({"why", "TEXT", "the reason, for the record", false, {}});
  command.options.push_back({"flag", "", "what `flag` means for the order", false, {}});
  command.options.push_back({"json", "", "print what the API answers", false, {}});
  command.examples = {"referee arbiter", "referee arbiter 3 17 add_time --side white --time 2m --why 'clock defect'",
                      "referee arbiter 3 17 adjourn",
                      "referee arbiter 3 17 override_result --score 1/2-1/2 --why 'agreed before the flag fell'"};
  command.run = run;
  return command;
}

}  // namespace referee::cli
