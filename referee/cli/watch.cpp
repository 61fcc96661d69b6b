// `watch`: a match's events as they happen.
#include <charconv>
#include <chrono>
#include <iostream>
#include <map>
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

/// The number of its first event.
long long first_of(std::string_view message) {
  constexpr std::string_view key = R"("first":)";
  const std::size_t place = message.find(key);
  long long number = 1;
  if (place != std::string_view::npos) std::from_chars(message.data() + place + key.size(), message.data() + message.size(), number);
  return number;
}

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

/// What every view of the match begins with.
match::ProgressStart without_past(const json::object& summary) {
  match::ProgressStart start;
  start.planned = static_cast<int>(summary.at("planned").to_number<int>());
  if (const json::value* engines = summary.if_contains("engines"); engines != nullptr && engines->is_array()) {
    for (const json::value& engine : engines->as_array()) start.engines.emplace_back(engine.as_string().c_str());
  }
  const std::string kind = text_of(summary, "schedule");
  if (kind == "swiss" || kind == "knockout") start.by = match::StandingsBy::points;
  return start;
}

/// The match as it stands: what was played, what was given.
match::ProgressStart as_it_stands(const Arguments& arguments, int match, const json::object& summary) {
  match::ProgressStart start = without_past(summary);
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

/// The games on the board, each as if it began with the position that it has now.
std::vector<record::Fact> on_the_board(const json::object& summary) {
  std::vector<record::Fact> facts;
  for (const json::value& value : summary.at("games").as_array()) {
    const json::object& board = value.as_object();
    record::GameStarted started;
    started.game = board.at("number").to_number<int>();
    started.attempt = board.at("attempt").to_number<int>();
    started.white = text_of(board, "white");
    started.black = text_of(board, "black");
    started.opening = text_of(board, "opening");
    if (const chess::FenResult now = chess::parse_fen(text_of(board, "fen"))) started.setup.start = now.position();
    facts.emplace_back(std::move(started));
  }
  return facts;
}

/// The match as it stood before the event that is to be shown first, by the events before it.
class MatchPast {
 public:
  void add(const record::Fact& fact) {
    if (const auto* started = std::get_if<record::GameStarted>(&fact)) {
      played_.erase(started->game);
      running_[started->game] = {fact};
    } else if (const auto* judged = std::get_if<record::EventJudged>(&fact)) {
      if (const auto found = running_.find(judged->game); found != running_.end()) found->second.push_back(fact);
    } else if (const auto* ended = std::get_if<record::GameEnded>(&fact)) {
      end(*ended);
    } else if (const auto* voided = std::get_if<record::GameVoided>(&fact)) {
      played_.erase(voided->game);
      running_.erase(voided->game);
    } else if (const auto* given = std::get_if<record::PointsGiven>(&fact)) {
      given_.push_back(*given);
    }
  }

  [[nodiscard]] match::ProgressStart start(const json::object& summary) const {
    match::ProgressStart start = without_past(summary);
    for (const auto& [number, row] : played_) start.played.push_back(row);
    start.given = given_;
    return start;
  }
  [[nodiscard]] std::vector<record::Fact> on_the_board() const {
    std::vector<record::Fact> facts;
    for (const auto& [number, game] : running_) facts.insert(facts.end(), game.begin(), game.end());
    return facts;
  }

 private:
  void end(const record::GameEnded& ended) {
    if (const auto running = running_.find(ended.game); running != running_.end()) {
      const auto& started = std::get<record::GameStarted>(running->second.front());
      record::GameRow& row = played_[ended.game];
      row.game = started.game;
      row.attempt = started.attempt;
      row.white = started.white;
      row.black = started.black;
      running_.erase(running);
    }
    const auto row = played_.find(ended.game);
    if (row == played_.end()) return;
    row->second.outcome = ended.outcome;
    row->second.counted = ended.counted;
  }

  std::map<int, record::GameRow> played_;
  std::vector<record::PointsGiven> given_;
  std::map<int, std::vector<record::Fact>> running_;
};

/// A match of the daemon as its events come in, from the first that is to be shown.
class MatchWatch {
 public:
  MatchWatch(const Arguments& arguments, int match, const json::object& summary)
      : match_(match),
        summary_(summary),
        state_(text_of(summary, "state")),
        goes_on_(state_ == "active" || state_ == "paused" || summary.at("playing").as_bool()),
        end_(summary.at("next_event").to_number<long long>()),
        as_json_(arguments.has("json")),
        console_(stdout, as_json_ ? match::Console::Kind::plain : match::kind_of_console(stdout)) {
    const auto from = arguments.integer("from", 1, 1'000'000'000'000);
    shown_from_ = from.value_or(end_);
    // A table is made of all that was before; JSON lines need none of it.
    next_ = from && !as_json_ ? 1 : std::min(shown_from_, end_);
    if (shown_from_ < end_) return;
    if (!goes_on_) {
      say("is " + state_ + (from ? " after " + events(end_ - 1) : ""));
    } else if (from) {
      const std::string so_far = end_ == 1 ? "nothing has happened yet" : "event " + std::to_string(end_ - 1) + " is its last so far";
      say("is " + state_ + ", " + so_far + "; waiting for event " + std::to_string(shown_from_));
    } else if (!as_json_) {
      begin(as_it_stands(arguments, match, summary), on_the_board(summary));
    }
  }

  /// Nothing is to come that could be shown.
  [[nodiscard]] bool over() const noexcept { return !goes_on_ && shown_from_ >= end_; }
  [[nodiscard]] std::string target() const { return "/api/v1/live?match=" + std::to_string(match_) + "&from=" + std::to_string(next_); }

  daemon::Client::Watch hear(const std::string& message) {
    if (!message.starts_with(R"({"match":)")) return daemon::Client::Watch::more;
    next_ = first_of(message);
    bool ended = false;
    for (const std::string& line : events_of(message)) {
      const record::Fact fact = record::parse_fact(line);
      take(next_++, line, fact);
      ended = ended || is_last(fact);
    }
    std::cout.flush();
    if (view_) view_->batch_done();
    if (!ended) return daemon::Client::Watch::more;
    if (next_ <= shown_from_)
      say("has ended after " + events(next_ - 1));
    else if (!goes_on_ && state_ != "finished")
      say("is " + state_);
    return daemon::Client::Watch::enough;
  }

 private:
  void take(long long number, const std::string& line, const record::Fact& fact) {
    if (number < shown_from_) {
      if (!as_json_) past_.add(fact);
      return;
    }
    if (as_json_) {
      std::cout << line << '\n';
      return;
    }
    if (!view_) begin(past_.start(summary_), past_.on_the_board());
    view_->see(fact);
  }

  [[nodiscard]] bool is_last(const record::Fact& fact) const {
    if (std::holds_alternative<record::MatchFinished>(fact)) return true;
    if (!goes_on_) return next_ >= end_;
    return state_ == "stopped" && std::holds_alternative<record::MatchPaused>(fact);  // its last games have ended
  }

  void begin(match::ProgressStart start, const std::vector<record::Fact>& games) {
    view_.emplace(console_, std::move(start));
    for (const record::Fact& fact : games) view_->see(fact);
  }

  static std::string events(long long count) { return std::to_string(count) + (count == 1 ? " event" : " events"); }
  void say(const std::string& what) const { std::cerr << "match " << match_ << ' ' << what << '\n'; }

  int match_;
  const json::object& summary_;
  std::string state_;
  bool goes_on_;   // or its running games do
  long long end_;  // number of the next event when the watch began
  bool as_json_;
  match::Console console_;
  std::optional<match::ProgressView> view_;
  MatchPast past_;
  long long shown_from_ = 1;
  long long next_ = 1;
};

int follow(const Arguments& arguments) {
  if (arguments.operands().size() != 1) throw UsageError("watch takes one match (expected: referee watch MATCH)");
  const int match = match_number(arguments.operands().front());
  const Asked asked = ask_daemon(arguments, "GET", "/api/v1/matches/" + std::to_string(match));
  if (!asked.answer) return asked.exit_code;
  MatchWatch watch(arguments, match, asked.answer->as_object());
  if (watch.over()) return exit_done;
  for (int failures = 0;;) {
    try {
      daemon::Client client(daemon_target(arguments));
      const bool ended = client.watch(watch.target(), [&](const std::string& message) {
        failures = 0;
        return watch.hear(message);
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
  command.options.push_back(
      {"from", "N", "begin with event N (1 = from the start), wait for it if it is to come; without it with what comes", false, {}});
  command.options.push_back({"json", "", "print the events, one JSON object a line", false, {}});
  command.examples = {"referee watch 3", "referee watch 3 --from 1 --json > events.jsonl"};
  command.run = follow;
  return command;
}

}  // namespace referee::cli
