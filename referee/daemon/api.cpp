#include "referee/daemon/api.hpp"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "config/match_names.hpp"
#include "referee/daemon/api_forms.hpp"
#include "referee/daemon/envelope.hpp"
#include "referee/daemon/json_views.hpp"
#include "referee/daemon/orders.hpp"
#include "referee/match/game_json.hpp"
#include "referee/match/standings_json.hpp"
#include "referee/record/json.hpp"
#include "referee/record/pgn.hpp"
#include "referee/record/scoresheet.hpp"

namespace referee::daemon {

namespace json = boost::json;

namespace {

constexpr int games_a_page = 1000;
constexpr int events_a_page = 1000;
constexpr int faults_a_page = 1000;
constexpr std::size_t faults_a_reading = 50;
// What can be had of a match, and what can be done with it: /matches/N/...
constexpr std::array<std::string_view, 9> views_of_a_match = {"events", "standings", "crosstable", "statistics", "live.pgn",
                                                              "pgn",    "file",      "log",        "faults"};
constexpr std::array<std::string_view, 3> orders_to_a_match = {"pause", "resume", "stop"};
constexpr std::array<std::string_view, 2> views_of_a_game = {"pgn", "scoresheet"};
constexpr std::size_t longest_page_bytes = 4 * 1024 * 1024;
constexpr std::chrono::seconds when_ratings_are_busy{5};
constexpr std::size_t below_the_version = 2;  // segments: api, v1, then ours

}  // namespace

std::optional<Right> Api::right_for(const Request& request) {
  const auto& words = request.segments;
  const bool looks = request.method == "GET";
  if (words.size() == below_the_version) return Right::look;
  const std::string& what = words[below_the_version];
  if (what == "matches") {
    if (looks) return Right::look;
    const bool about_a_game = words.size() == below_the_version + 5 && words.back() == "orders";
    return about_a_game ? Right::rule : Right::operate;
  }
  if (what == "desk" || what == "orders" || what == "ratings" || what == "ratings.html") return Right::look;
  if (what == "engines") return looks ? Right::look : Right::own;
  if (what == "tokens") return Right::own;
  if (what == "audit") return Right::operate;
  return std::nullopt;
}

void Api::handle(const Request& request, const Caller& caller, const ServerState& state, const Reply& reply) {
  try {
    Words words = request.segments;
    const std::size_t count = words.size() - below_the_version;
    const auto word = [&](std::size_t i) -> const std::string& { return words[below_the_version + i]; };
    if (count == 0) {
      only(request, {"GET"});
      return reply(info(state, caller));
    }
    if (word(0) == "matches") {
      if (count == 1) return reply(matches(request, caller));
      const int id = number_in_path(word(1), "match");
      if (count >= 3 && word(2) == "games") {
        if (count == 3) return reply(games(request, id));
        const int number = number_in_path(word(3), "game");
        if (count == 5 && word(4) == "orders") return order(request, id, number, caller, reply);
        return reply(game(request, id, number));
      }
      return reply(match(request, id, caller));
    }
    if (word(0) == "desk" && count == 1) {
      only(request, {"GET"});
      return reply(desk());
    }
    if (word(0) == "orders" && count == 1) {
      only(request, {"GET"});
      json::array forms;
      for (const OrderForm& form : order_forms())
        forms.push_back(json::object{
            {"order", record::valid_utf8(form.name)}, {"takes", record::valid_utf8(form.takes)}, {"does", record::valid_utf8(form.does)}});
      return reply(json_response(forms));
    }
    if (word(0) == "engines") return reply(engines(request, caller));
    if (word(0) == "tokens") return reply(tokens(request, caller));
    if (word(0) == "ratings" && count == 1) return ratings(request, Form::json, reply);
    if (word(0) == "ratings.html" && count == 1) return ratings(request, Form::page, reply);
    if (word(0) == "audit" && count == 1) return reply(audit(request));
    reply(error_response(404, "there is nothing at " + request.path));
  } catch (const std::exception& error) { reply(answer_to(error)); }
}

Response Api::info(const ServerState& state, const Caller& caller) {
  json::array rights;
  for (const auto& [right, text] :
       {std::pair{Right::look, "look"}, {Right::operate, "operate"}, {Right::rule, "rule"}, {Right::own, "own"}}) {
    if (caller.may(right)) rights.push_back(json::string(text));
  }
  return json_response(json::object{{"name", "referee"},
                                    {"version", state.version},
                                    {"uptime_s", std::chrono::duration<double>(std::chrono::steady_clock::now() - state.since).count()},
                                    {"cores", office_.cores()},
                                    {"cores_busy", office_.cores_busy()},
                                    {"viewers", state.viewers},
                                    {"who", record::valid_utf8(caller.who)},
                                    {"rights", std::move(rights)}});
}

Response Api::matches(const Request& request, const Caller& caller) {
  only(request, {"GET", "POST"});
  if (request.method == "GET") {
    json::array out;
    for (const MatchSummary& match : office_.matches()) out.push_back(to_json(match));
    return json_response(out);
  }
  const json::object body = body_of(request);
  only_members(body, {"match", "path", "priority"});
  Office::NewMatch match;
  match.text = text_member(body, "match");
  if (match.text.empty()) throw Refusal(400, "no match file is given (expected match: its text)");
  match.trust = caller.local ? Trust::local : Trust::network;
  match.path = text_member(body, "path");
  if (!match.path.empty() && match.path.front() != '/') throw Refusal(400, "'path' is not absolute");
  match.priority = integer_member(body, "priority").value_or(0);
  match.who = caller.who;
  return json_response(to_json(office_.match(office_.submit(match))), 201);
}

Response Api::match(const Request& request, int id, const Caller& caller) {
  const auto& words = request.segments;
  const std::size_t count = words.size() - below_the_version;
  if (count == 2) {
    only(request, {"GET", "PATCH"});
    if (request.method == "PATCH") {
      const json::object body = body_of(request);
      only_members(body, {"priority"});
      const auto priority = integer_member(body, "priority");
      if (!priority) throw Refusal(400, "nothing to change is given (expected priority: a number)");
      office_.set_priority(id, *priority, caller.who);
      return json_response(to_json(office_.match(id)));
    }
    const MatchSummary summary = office_.match(id);
    json::object out = to_json(summary);
    json::array running;
    json::array standings;
    if ((summary.record.problem.empty() && summary.seen.empty()) || summary.counts.finished > 0) {
      const auto board = office_.board_with_course(id);
      for (const BoardGame& game : board->running()) running.push_back(to_json(game));
      for (const match::StandingsRow& row : board->standings()) standings.push_back(match::standing_json(row));
      match::put_course(out, board->course(), board->engines(), board->kind());
      const config::MatchFile& file = office_.file(id);
      json::array names;
      for (const config::EngineEntry& engine : file.engines) names.emplace_back(record::valid_utf8(engine.name));
      out["engines"] = std::move(names);
      out["schedule"] = record::valid_utf8(config::name_of(file.schedule.kind, config::schedule_kinds));
      out["edition"] = record::valid_utf8(file.edition);
      out["site"] = record::valid_utf8(file.site);
    }
    out["games"] = std::move(running);
    out["standings"] = std::move(standings);
    return json_response(out);
  }
  if (count != 3) throw Refusal(404, "there is nothing at " + request.path);
  const std::string& what = words.back();
  if (std::ranges::find(orders_to_a_match, what) != orders_to_a_match.end()) {
    only(request, {"POST"});
    const json::object body = optional_body_of(request);
    if (what == "resume")
      only_members(body, {"accept_changes"});
    else if (what == "stop")
      only_members(body, {"at_once"});
    else
      only_members(body, {});
    if (what == "pause") office_.pause(id, caller.who);
    if (what == "resume")
      office_.resume(id, flag_member(body, "accept_changes") ? Office::Changes::accept : Office::Changes::refuse, caller.who);
    if (what == "stop")
      office_.stop_match(id, flag_member(body, "at_once") ? match::MatchRun::Stop::at_once : match::MatchRun::Stop::finish_running,
                         caller.who);
    return json_response(to_json(office_.match(id)));
  }
  one_of(request, views_of_a_match);
  only(request, {"GET"});
  const std::string name = "match-" + std::to_string(id);
  if (what == "events") return events(request, id);
  const auto board = what == "standings" ? office_.board_with_course(id) : office_.board(id);
  if (what == "standings") {
    json::array out;
    for (const match::StandingsRow& row : board->standings()) out.push_back(match::standing_json(row));
    return json_response(out);
  }
  if (what == "crosstable") return json_response(crosstable(board->games()));
  if (what == "statistics") return json_response(statistics(board->games(), office_.file(id)));
  if (what == "live.pgn") {
    Response response = text_response(board->live_pgn(), "application/x-chess-pgn");
    response.headers.emplace_back("Cache-Control", "no-store");
    return response;
  }
  if (what == "pgn") {
    const std::string path = office_.output(id, "games.pgn");
    if (std::filesystem::exists(path)) return file_response(path, "application/x-chess-pgn", name + ".pgn");
    return text_response("", "application/x-chess-pgn");
  }
  if (what == "file") return text_response(office_.file_text(id), "application/yaml");
  if (what == "log") return file_response(office_.output(id, "log.txt"), "text/plain; charset=utf-8", name + ".txt");
  return faults(request, id);
}

Response Api::faults(const Request& request, int id) {
  const auto from = static_cast<std::size_t>(parameter(request, "from", 1, 1, 100'000'000));
  const auto at_most = static_cast<std::size_t>(parameter(request, "limit", faults_a_page, 1, 10 * faults_a_page));
  const auto last = static_cast<std::size_t>(parameter(request, "last", 0, 0, 10 * faults_a_page));
  json::array out;
  const auto journal = office_.journal(id);
  if (!journal) return json_response(out);
  const std::size_t all = journal->count_faults();
  std::size_t next = std::max(from - 1, last == 0 || last > all ? 0 : all - last);
  const std::size_t end = next + at_most;
  std::size_t bytes = 0;  // of the logs, which are the most of it
  while (next < end && bytes < longest_page_bytes) {
    const auto some = journal->faults(next, std::min<std::size_t>(end - next, faults_a_reading));
    if (some.empty()) break;
    for (const record::EngineFault& fault : some) {
      if (bytes >= longest_page_bytes) break;
      bytes += fault.log.size();
      out.push_back(json::object{{"number", ++next},
                                 {"game", fault.game},
                                 {"engine", record::valid_utf8(fault.engine)},
                                 {"reason", record::valid_utf8(game::code(fault.reason))},
                                 {"detail", record::valid_utf8(fault.detail)},
                                 {"log", record::valid_utf8(fault.log)}});
    }
  }
  return json_response(out);
}

Response Api::games(const Request& request, int id) {
  only(request, {"GET"});
  const int from = parameter(request, "from", 1, 1, 100'000'000);
  const int at_most = parameter(request, "limit", games_a_page, 1, 10 * games_a_page);
  const auto last = static_cast<std::size_t>(parameter(request, "last", 0, 0, 10 * games_a_page));
  const EndedGames games = office_.board_with_course(id)->games();
  const auto first = last == 0 ? std::optional<int>() : games.first_of_last(last);
  json::array out;
  for (const record::GameRow& row : games.page(std::max(from, first.value_or(from)), static_cast<std::size_t>(at_most)))
    out.push_back(match::game_json(row));
  return json_response(out);
}

Response Api::game(const Request& request, int id, int number) {
  const std::size_t count = request.segments.size() - below_the_version;
  if (count > 5) throw Refusal(404, "there is nothing at " + request.path);
  if (count == 5) one_of(request, views_of_a_game);
  only(request, {"GET"});
  const auto journal = office_.journal(id);
  const auto recorded = journal ? journal->game(number) : std::nullopt;
  if (!recorded) throw Refusal(404, "game " + std::to_string(number) + " has not begun");
  if (count == 5 && request.segments.back() == "pgn") { return text_response(record::to_pgn(*recorded, {}), "application/x-chess-pgn"); }
  if (count == 5 && request.segments.back() == "scoresheet") {
    const auto code = request.parameter("language").value_or("en");
    const auto language = chess::parse_language(code);
    if (!language) throw Refusal(400, "'language' is " + code + " (expected the code of a language, as en, de, fr)");
    const record::Scoresheet sheet = record::scoresheet(*recorded, *language);
    if (request.parameter("text")) return text_response(record::to_text(sheet), "text/plain; charset=utf-8");
    return text_response(record::to_html(sheet), "text/html; charset=utf-8");
  }
  json::object out = match::game_json(recorded->row);
  const auto fact_json = [](const record::Fact& fact) {
    std::string text;
    record::append_json(text, fact);
    return json::parse(text);
  };
  out["started"] = fact_json(recorded->started);
  json::array events;
  for (const record::EventJudged& event : recorded->events) events.push_back(fact_json(with_closed_envelope(event)));
  out["events"] = std::move(events);
  json::array warnings;
  for (const record::EngineWarning& warning : recorded->warnings) warnings.push_back(fact_json(warning));
  out["warnings"] = std::move(warnings);
  json::array faults;
  for (const record::EngineFault& fault : recorded->faults) faults.push_back(fact_json(fault));
  out["faults"] = std::move(faults);
  json::object binaries;
  if (const auto plan = journal->plan()) {
    for (const std::string& engine : {recorded->row.white, recorded->row.black}) {
      const auto found = plan->fingerprints.find("engine " + engine + ": binary");
      constexpr std::string_view kind = "sha256 ";
      if (found != plan->fingerprints.end() && found->second.starts_with(kind))
        binaries[engine] = record::valid_utf8(std::string_view(found->second).substr(kind.size()));
    }
  }
  out["binaries"] = std::move(binaries);
  if (const auto live = office_.board(id)->running(number)) out["live"] = to_json(*live);
  return json_response(out);
}

Response Api::events(const Request& request, int id) {
  (void)office_.board(id);
  const auto log = office_.log_of(id);
  const auto from = parameter<std::uint64_t>(request, "from", 1, 1, std::uint64_t{1} << 60U);
  const int at_most = parameter(request, "limit", events_a_page, 1, 10 * events_a_page);
  const LiveLog::Slice slice = log->read(from, static_cast<std::size_t>(at_most), longest_page_bytes);
  std::string text;
  for (const std::string& line : slice.lines) {
    text += line;
    text += '\n';
  }
  Response response = text_response(std::move(text), "application/x-ndjson");
  response.headers.emplace_back("Referee-First-Event", std::to_string(slice.first));
  response.headers.emplace_back("Referee-Next-Event", std::to_string(slice.first + slice.lines.size()));
  return response;
}

Response Api::desk() {
  json::array out;
  for (const MatchSummary& match : office_.matches()) {
    if (!match.playing && match.counts.halted == 0) continue;
    for (const BoardGame& game : office_.board(match.record.id)->running()) {
      if (game.phase == game::Phase::playing || game.phase == game::Phase::over) continue;
      json::object entry = to_json(game);
      entry["match"] = match.record.id;
      entry["event"] = record::valid_utf8(match.record.event);
      out.push_back(std::move(entry));
    }
  }
  return json_response(out);
}

void Api::order(const Request& request, int id, int game, const Caller& caller, const Reply& reply) {
  only(request, {"POST"});
  const json::object given = body_of(request);
  only_members(given, {"order", "side", "time_ms", "white_score", "black_score", "text", "why", "flag"});
  game::EventBody body = read_order(given, caller.who);
  office_.order(id, game, std::move(body), caller.who, [reply](std::optional<Office::OrderResult> result, const Refusal& problem) {
    if (!result) return reply(error_response(problem.status(), problem.what()));
    reply(json_response(json::object{{"refused", result->refused}, {"rulings", to_json(result->rulings)}}, result->refused ? 409 : 200));
  });
}

Response Api::engines(const Request& request, const Caller& caller) {
  const auto& words = request.segments;
  const std::size_t count = words.size() - below_the_version;
  if (count == 1) {
    only(request, {"GET", "POST"});
    if (request.method == "POST") {
      const json::object body = body_of(request);
      const std::string name = text_member(body, "name");
      std::string keys = text_member(body, "keys");
      if (!keys.empty()) only_members(body, {"name", "keys"});
      if (keys.empty()) {  // the members themselves, which JSON writes as YAML reads
        json::object members = body;
        members.erase("name");
        keys = json::serialize(members);
      }
      office_.put_engine(name, keys, caller.who);
    }
    json::array out;
    for (const EngineRecord& engine : office_.engines()) {
      json::object entry = to_json(engine);
      if (!caller.local) {  // paths and options of this machine are nobody else's business
        entry.erase("command");
        entry.erase("keys");
      }
      entry["probing"] = office_.probing(engine.name);
      out.push_back(std::move(entry));
    }
    return json_response(out, request.method == "POST" ? 201 : 200);
  }
  const std::string& name = words[below_the_version + 1];
  if (count == 3 && words.back() == "probe") {
    only(request, {"POST"});
    office_.probe(name, caller.who);
    return json_response(json::object{{"probing", true}}, 202);
  }
  if (count != 2) throw Refusal(404, "there is nothing at " + request.path);
  only(request, {"GET", "DELETE"});
  if (request.method == "DELETE") {
    office_.remove_engine(name, caller.who);
    return json_response(json::object{{"removed", record::valid_utf8(name)}});
  }
  for (const EngineRecord& engine : office_.engines()) {
    if (engine.name != name) continue;
    json::object entry = to_json(engine);
    if (!caller.local) {
      entry.erase("command");
      entry.erase("keys");
    }
    entry["probing"] = office_.probing(name);
    return json_response(entry);
  }
  throw Refusal(404, "there is no engine " + name);
}

Response Api::tokens(const Request& request, const Caller& caller) {
  const auto& words = request.segments;
  const std::size_t count = words.size() - below_the_version;
  if (count == 1) {
    only(request, {"GET", "POST"});
    if (request.method == "GET") {
      json::array out;
      for (const TokenRecord& token : office_.tokens()) out.push_back(to_json(token));
      return json_response(out);
    }
    const json::object body = body_of(request);
    only_members(body, {"name", "role"});
    TokenRecord token;
    token.name = text_member(body, "name");
    if (const auto fault = fault_of_name(token.name)) throw Refusal(400, "a token: " + *fault);
    const auto role = parse_role(text_member(body, "role"));
    if (!role) throw Refusal(400, "'role' is no role (expected viewer, operator or arbiter)");
    token.role = *role;
    const std::string secret = new_token();
    token.sha256 = hash_of_token(secret);
    token.created = wall_now();
    office_.put_token(token, caller.who);
    json::object out = to_json(token);
    out["token"] = secret;  // the only time that it is seen
    return json_response(out, 201);
  }
  if (count != 2) throw Refusal(404, "there is nothing at " + request.path);
  only(request, {"DELETE"});
  office_.remove_token(words.back(), caller.who);
  return json_response(json::object{{"removed", record::valid_utf8(words.back())}});
}

Response Api::audit(const Request& request) {
  only(request, {"GET"});
  json::array out;
  for (const AuditRecord& record :
       office_.audit(parameter<std::int64_t>(request, "from", 1, 1, std::int64_t{1} << 60U), parameter(request, "limit", 1000, 1, 10'000)))
    out.push_back(to_json(record));
  return json_response(out);
}

void Api::ratings(const Request& request, Form form, const Reply& reply) {
  only(request, {"GET"});
  const int least_games = parameter(request, "min_games", 1, 1, 1'000'000);
  RatedMatches matches;
  std::vector<std::string> problems;  // the others' list does without what it cannot have, and says so
  const auto note = [&problems](const MatchSummary& match, bool is_rated) {
    if (match.seen.empty()) return;
    problems.push_back("match " + std::to_string(match.record.id) + (is_rated ? " is rated, yet: " : " is left out: ") + match.seen);
  };
  for (const auto& [name, value] : request.query) {
    if (name != "match") continue;
    const int id = number_in_path(value, "match");
    if (matches.contains(id)) continue;
    matches[id] = office_.board(id);
    const MatchSummary match = office_.match(id);
    note(match, match.counts.finished > 0);
  }
  if (matches.empty()) {
    for (const MatchSummary& match : office_.matches()) {
      const bool is_rated = match.counts.finished > 0;
      if (is_rated) matches[match.record.id] = office_.board(match.record.id);
      const bool never_began =
          match.record.state == MatchState::failed && !std::filesystem::exists(office_.output(match.record.id, "match.sqlite"));
      if (!never_began) note(match, is_rated);
    }
  }
  const std::string title = request.parameter("title").value_or("Rating list");
  const bool taken = ratings_.ask(std::move(matches), [least_games, title, form, reply, problems](const RatingDesk::Answer& answer) {
    try {
      if (answer.problem) std::rethrow_exception(answer.problem);
      reply(form == Form::json ? json_response(answer.ratings->to_json(least_games, problems))
                               : text_response(answer.ratings->to_html(title, least_games, problems), "text/html; charset=utf-8"));
    } catch (const std::length_error& error) { reply(error_response(422, error.what())); } catch (const std::exception& error) {
      reply(answer_to(error));
    }
  });
  if (taken) return;
  Response busy = error_response(503, "other rating lists are being calculated (expected: the request once more, in a while)");
  busy.headers.emplace_back("Retry-After", std::to_string(when_ratings_are_busy.count()));
  reply(std::move(busy));
}

std::string Api::metrics(const ServerState& state) {
  std::ostringstream out;
  const auto metric = [&out](const char* name, const char* kind, const char* help) {
    out << "# HELP " << name << ' ' << help << "\n# TYPE " << name << ' ' << kind << '\n';
  };
  const auto single = [&](const char* name, const char* kind, const char* help, auto value) {
    metric(name, kind, help);
    out << name << ' ' << value << '\n';
  };
  const std::vector<MatchSummary> all = office_.matches();
  single("referee_uptime_seconds", "gauge", "Since the daemon started.",
         std::chrono::duration<double>(std::chrono::steady_clock::now() - state.since).count());
  single("referee_cores", "gauge", "Cores that games may keep busy.", office_.cores());
  single("referee_cores_busy", "gauge", "Cores that games keep busy now.", office_.cores_busy());
  single("referee_http_requests_total", "counter", "Requests served.", state.requests);
  single("referee_connections", "gauge", "Open connections.", state.connections);
  single("referee_viewers", "gauge", "WebSocket clients.", state.viewers);
  single("referee_viewers_cut_off_total", "counter", "WebSocket clients that did not keep up.", state.cut_off);
  single("referee_ratings_calculated_total", "counter", "Rating lists calculated.", ratings_.calculated());
  metric("referee_matches", "gauge", "Matches by state.");
  for (const MatchState value : {MatchState::active, MatchState::paused, MatchState::stopped, MatchState::finished, MatchState::failed})
    out << "referee_matches{state=\"" << name(value) << "\"} "
        << std::ranges::count_if(all, [value](const MatchSummary& match) { return match.record.state == value; }) << '\n';
  const auto by_match = [&](const char* name, const char* kind, const char* help, auto value) {
    metric(name, kind, help);
    for (const MatchSummary& match : all) {
      if (match.record.state == MatchState::finished) continue;
      out << name << "{match=\"" << match.record.id << "\"} " << value(match) << '\n';
    }
  };
  by_match("referee_games_finished_total", "counter", "Games with an outcome.", [](const MatchSummary& m) { return m.counts.finished; });
  by_match("referee_games_planned", "gauge", "Games of the plan.", [](const MatchSummary& m) { return m.counts.planned; });
  by_match("referee_games_running", "gauge", "Games on the board.", [](const MatchSummary& m) { return m.counts.running; });
  by_match("referee_games_adjourned", "gauge", "Adjourned games.", [](const MatchSummary& m) { return m.counts.halted; });
  by_match("referee_faults_total", "counter", "Faults of engines.", [](const MatchSummary& m) { return m.counts.faults; });
  by_match("referee_events_total", "counter", "Events recorded.", [](const MatchSummary& m) { return m.next_event - 1; });
  return out.str();
}

}  // namespace referee::daemon
