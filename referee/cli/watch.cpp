// `watch`: a match's events as they happen.
#include <chrono>
#include <iostream>
#include <optional>
#include <string_view>
#include <thread>

#include "referee/chess/fen.hpp"
#include "referee/cli/daemon_client.hpp"
#include "referee/cli/registry.hpp"
#include "referee/match/console.hpp"
#include "referee/match/progress_view.hpp"

namespace referee::cli {

namespace {

namespace json = boost::json;

constexpr std::chrono::seconds before_reconnecting{1};
constexpr int most_reconnects = 30;
constexpr int games_a_page = 10'000;

/// The events of a message as they were written: {"match":3,"first":17,"events":[{...},{...}]}.
std::vector<std::string> events_of(const std::string& message) {
  std::vector<std::string> events;
  constexpr std::string_view key = R"("events":[)";
  const std::size_t start = message.find(key);
  if (start == std::string::npos) return events;
  int depth = 0;
  bool quoted = false;
  std::size_t begin = 0;
  for (std::size_t i = start + key.size(); i < message.size(); ++i) {
    const char c = message[i];
    if (quoted) {
      if (c == '\\')
        ++i;
      else
        quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      if (depth++ == 0) begin = i;
    } else if (c == '}' || c == ']') {
      if (--depth < 0) break;
      if (depth == 0) events.push_back(message.substr(begin, i + 1 - begin));
    }
  }
  return events;
}

/// "1-0" "1/2-0" ...: as game::result_text writes it.
std::optional<game::Score> score_of(std::string_view result) {
  const std::size_t dash = result.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto side = [](std::string_view text) { return text == "1" ? 100 : text == "1/2" ? 50 : text == "0" ? 0 : -1; };
  const game::Score score{side(result.substr(0, dash)), side(result.substr(dash + 1))};
  return score.white < 0 || score.black < 0 ? std::nullopt : std::optional(score);
}

/// The match as it stood when the watch began: what was played, what was given, what is on the board.
enum class Past {
  unknown,  // it is asked for
  told,     // the events that are watched tell it
};
match::ProgressStart state_of(const Arguments& arguments, int match, const json::object& summary, Past past) {
  match::ProgressStart start;
  start.planned = static_cast<int>(summary.at("planned").to_number<int>());
  if (const json::value* engines = summary.if_contains("engines"); engines != nullptr && engines->is_array()) {
    for (const json::value& engine : engines->as_array()) start.engines.emplace_back(engine.as_string().c_str());
  }
  const std::string kind = text_of(summary, "schedule");
  if (kind == "swiss" || kind == "knockout") start.by = match::StandingsBy::points;
  if (past == Past::told) return start;
  if (const json::value* byes = summary.if_contains("byes"); byes != nullptr && byes->is_array()) {
    for (const json::value& value : byes->as_array()) {
      const json::object& bye = value.as_object();
      const int games = bye.at("points").to_number<int>();
      start.given.push_back({.round = bye.at("round").to_number<int>(),
                             .engine = text_of(bye, "engine"),
                             .points = 100 * games,
                             .games = games,
                             .why = text_of(bye, "why")});
    }
  }
  for (int from = 1;;) {
    const Asked asked = ask_daemon(
        arguments, "GET",
        "/api/v1/matches/" + std::to_string(match) + "/games?limit=" + std::to_string(games_a_page) + "&from=" + std::to_string(from));
    if (!asked.answer || !asked.answer->is_array() || asked.answer->as_array().empty()) return start;
    for (const json::value& value : asked.answer->as_array()) {
      const json::object& game = value.as_object();
      record::GameRow row;
      row.game = game.at("number").to_number<int>();
      from = row.game + 1;
      const auto score = score_of(text_of(game, "result"));
      const json::value* counted = game.if_contains("counted");
      if (!score || counted == nullptr || !counted->is_bool() || !counted->as_bool()) continue;
      row.white = text_of(game, "white");
      row.black = text_of(game, "black");
      row.outcome.emplace().score = *score;
      start.played.push_back(std::move(row));
    }
  }
}

bool is_end(const record::Fact& fact) { return std::holds_alternative<record::MatchFinished>(fact); }

int follow(const Arguments& arguments) {
  if (arguments.operands().size() != 1) throw UsageError("watch takes one match (expected: referee watch MATCH)");
  const int match = match_number(arguments.operands().front());
  const Asked asked = ask_daemon(arguments, "GET", "/api/v1/matches/" + std::to_string(match));
  if (!asked.answer) return asked.exit_code;
  const json::object& summary = asked.answer->as_object();
  long long next = summary.at("next_event").to_number<long long>();
  if (const auto from = arguments.integer("from", 1, 1'000'000'000'000)) next = *from;
  const bool as_json = arguments.has("json");

  match::Console console(stdout, as_json ? match::Console::Kind::plain : match::kind_of_console(stdout));
  const Past past = as_json || arguments.has("from") ? Past::told : Past::unknown;
  match::ProgressView view(console, state_of(arguments, match, summary, past));
  if (past == Past::unknown) {
    for (const json::value& value : summary.at("games").as_array()) {
      const json::object& board = value.as_object();
      record::GameStarted started;
      started.game = board.at("number").to_number<int>();
      started.attempt = board.at("attempt").to_number<int>();
      started.white = text_of(board, "white");
      started.black = text_of(board, "black");
      started.opening = text_of(board, "opening");
      if (const chess::FenResult now = chess::parse_fen(text_of(board, "fen"))) started.setup.start = now.position();
      view.see(started);
    }
  }
  const std::string state = text_of(summary, "state");
  if (state != "active" && state != "paused" && next >= summary.at("next_event").to_number<long long>()) {
    std::cerr << "match " << match << " is " << state << '\n';
    return exit_done;
  }

  for (int failures = 0;;) {
    try {
      daemon::Client client(daemon_target(arguments));
      const bool ended =
          client.watch("/api/v1/live?match=" + std::to_string(match) + "&from=" + std::to_string(next), [&](const std::string& text) {
            failures = 0;
            if (!text.starts_with(R"({"match":)")) return daemon::Client::Watch::more;
            bool over = false;
            for (const std::string& line : events_of(text)) {
              const record::Fact fact = record::parse_fact(line);
              ++next;
              if (as_json)
                std::cout << line << '\n';
              else
                view.see(fact);
              over = over || is_end(fact);
            }
            std::cout.flush();
            view.batch_done();
            return over ? daemon::Client::Watch::enough : daemon::Client::Watch::more;
          });
      if (ended) return exit_done;
    } catch (const daemon::ClientError& error) {
      if (++failures > most_reconnects) {
        std::cerr << error.what() << '\n';
        return exit_usage;
      }
    }
    std::this_thread::sleep_for(before_reconnecting);  // it is being restarted: what we miss meanwhile is asked for
  }
}

}  // namespace

CommandDefinition watch_command() {
  CommandDefinition command;
  command.name = "watch";
  command.summary = "follow a match of the daemon until it ends";
  command.positional = "MATCH";
  command.description =
      "Shows the games as `run` does. If the daemon is restarted it waits and goes on where it was, without missing an event. With --json "
      "every event is one line, in the form of `output.events`.";
  command.options = daemon_options();
  command.options.push_back({"from", "N", "begin with event N (1 = from the start); without it with what comes", false, {}});
  command.options.push_back({"json", "", "print the events, one JSON object a line", false, {}});
  command.examples = {"referee watch 3", "referee watch 3 --from 1 --json > events.jsonl"};
  command.run = follow;
  return command;
}

}  // namespace referee::cli
