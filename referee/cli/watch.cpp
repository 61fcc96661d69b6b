// `watch`: a match's events as they happen.
#include <chrono>
#include <iostream>
#include <thread>

#include "referee/cli/daemon_client.hpp"
#include "referee/cli/registry.hpp"
#include "referee/match/console.hpp"
#include "referee/match/progress_view.hpp"

namespace referee::cli {

namespace {

namespace json = boost::json;

constexpr std::chrono::seconds before_reconnecting{1};
constexpr int most_reconnects = 30;

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
  match::ProgressStart start;
  start.planned = static_cast<int>(summary.at("planned").to_number<int>());
  if (const json::value* engines = summary.if_contains("engines")) {
    for (const json::value& engine : engines->as_array()) start.engines.emplace_back(engine.as_string().c_str());
  }
  match::ProgressView view(console, std::move(start));
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
