// The API's description is held against the running daemon: what it describes is there, and answers as described.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "config/yaml.hpp"
#include "referee/daemon/parameters.hpp"
#include "referee/daemon/ratings.hpp"
#include "referee/daemon/registry.hpp"
#include "referee/record/journal.hpp"
#include "tests/daemon/support.hpp"

using namespace referee;
using namespace referee::test;
namespace json = boost::json;
using config::YamlValue;

namespace {

const YamlValue* member(const YamlValue& map, std::string_view key) {
  for (const YamlValue::Entry& entry : map.entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}
const YamlValue& at(const YamlValue& map, std::string_view key) {
  const YamlValue* found = member(map, key);
  INFO(key);
  REQUIRE(found != nullptr);
  return *found;
}

class Schemas {
 public:
  explicit Schemas(const YamlValue& root) : schemas_(at(at(root, "components"), "schemas")) {}

  /// "" if the value is as described, else where it is not.
  [[nodiscard]] std::string difference(const json::value& value, const YamlValue& schema, const std::string& place) const {
    if (const YamlValue* reference = member(schema, "$ref")) {
      const std::string prefix = "#/components/schemas/";
      return difference(value, at(schemas_, reference->text.substr(prefix.size())), place);
    }
    if (value.is_null()) {
      const YamlValue* nullable = member(schema, "nullable");
      return nullable != nullptr && nullable->text == "true" ? "" : place + " is null";
    }
    const std::string type = at(schema, "type").text;
    if (type == "string" && !value.is_string()) return place + " is no string";
    if (type == "boolean" && !value.is_bool()) return place + " is no boolean";
    if (type == "integer" && !value.is_int64() && !value.is_uint64()) return place + " is no integer";
    if (type == "number" && !value.is_number()) return place + " is no number";
    if (const YamlValue* choices = member(schema, "enum"); choices != nullptr && value.is_string()) {
      bool known = false;
      for (const YamlValue& choice : choices->items) known = known || choice.text == value.as_string().c_str();
      if (!known) return place + " is " + value.as_string().c_str();
    }
    if (type == "array") {
      if (!value.is_array()) return place + " is no array";
      for (std::size_t i = 0; i < value.as_array().size(); ++i) {
        const std::string found = difference(value.as_array()[i], at(schema, "items"), place + "[" + std::to_string(i) + "]");
        if (!found.empty()) return found;
      }
    }
    return type == "object" ? object_difference(value, schema, place) : "";
  }

 private:
  [[nodiscard]] std::string object_difference(const json::value& value, const YamlValue& schema, const std::string& place) const {
    if (!value.is_object()) return place + " is no object";
    if (const YamlValue* required = member(schema, "required")) {
      for (const YamlValue& name : required->items) {
        if (!value.as_object().contains(name.text)) return place + " lacks " + name.text;
      }
    }
    const YamlValue* properties = member(schema, "properties");
    const bool closed = member(schema, "additionalProperties") != nullptr;
    for (const auto& [key, inner] : value.as_object()) {
      const std::string name(key.data(), key.size());
      const YamlValue* described = properties == nullptr ? nullptr : member(*properties, name);
      if (described == nullptr) {
        if (closed) return place + " has " + name + ", which is not described";
        continue;
      }
      const std::string found = difference(inner, *described, place + "." + name);
      if (!found.empty()) return found;
    }
    return "";
  }

  const YamlValue& schemas_;
};

std::string filled(std::string path) {
  for (const auto& [name, value] : {std::pair{"{match}", "1"}, {"{game}", "1"}, {"{engine}", "A"}, {"{token}", "olga"}}) {
    const std::size_t place = path.find(name);
    if (place != std::string::npos) path.replace(place, std::string(name).size(), value);
  }
  return "/api/v1" + (path == "/" ? "" : path);
}

/// What an operation answers first, with a body that it takes.
json::value body_for(const std::string& method, const std::string& path) {
  if (method == "post" && path == "/matches") return json::object{{"match", match_file(2, 2, 5)}};
  if (method == "patch") return json::object{{"priority", 1}};
  if (method == "post" && path == "/engines") return json::object{{"name", "A"}, {"command", slow_engine}};
  if (method == "post" && path == "/tokens") return json::object{{"name", "olga"}, {"role", "viewer"}};
  if (method == "post" && path.ends_with("/orders")) return json::object{{"order", "warn"}, {"side", "white"}, {"text", "quiet please"}};
  if (method == "post" && path == "/session") return nullptr;
  return nullptr;
}

}  // namespace

TEST_CASE("the running daemon answers as its description says", "[openapi]") {
  const ScratchFolder folder;
  DaemonProcess daemon(folder, {"--cores", "2"});
  const Answer description = ask(daemon, "GET", "/api/v1/openapi.yaml");
  REQUIRE(description.status == 200);
  const YamlValue root = config::parse_yaml(description.text, "openapi.yaml");
  const Schemas schemas(root);
  // Something of everything: a match that is finished, one that is played, a game on the desk, an engine, a token.
  submit(daemon, match_file(2, 2, 5));
  REQUIRE(eventually([&] { return state(daemon, 1) == "finished"; }));
  submit(daemon, match_file(2, 50, 40));
  REQUIRE(ask(daemon, "POST", "/api/v1/engines", body_for("post", "/engines")).status == 201);
  REQUIRE(ask(daemon, "POST", "/api/v1/tokens", body_for("post", "/tokens")).status == 201);
  REQUIRE(eventually([&] {
    return ask(daemon, "POST", "/api/v1/matches/2/games/1/orders", json::object{{"order", "pause"}}).status == 200;
  }));
  REQUIRE(eventually([&] { return !ask(daemon, "GET", "/api/v1/desk").json.as_array().empty(); }));

  // Destructive ones last; /live is a WebSocket, and the session needs TCP: they have tests of their own.
  const std::set<std::string> elsewhere = {"/live", "/session"};
  int operations = 0;
  for (const bool destructive : {false, true}) {
    for (const YamlValue::Entry& path : at(root, "paths").entries) {
      if (elsewhere.contains(path.key)) continue;
      for (const YamlValue::Entry& operation : path.value.entries) {
        if (operation.key == "parameters" || (operation.key == "delete") != destructive) continue;
        std::string method = operation.key;
        for (char& c : method) c = static_cast<char>(c - 'a' + 'A');
        std::string target = filled(path.key);
        const bool about_a_running_match =
            path.key.ends_with("/orders") || path.key.ends_with("/pause") || path.key.ends_with("/stop") || path.key.ends_with("/resume");
        if (about_a_running_match && target.find("/1/") != std::string::npos) target.replace(target.find("/1/"), 3, "/2/");
        if (path.key.ends_with("/resume")) (void)ask(daemon, "POST", "/api/v1/matches/2/pause");
        const Answer answer = ask(daemon, method, target, body_for(operation.key, path.key));
        INFO(method << " " << target << " " << answer.status << " " << answer.text.substr(0, 2000));
        const YamlValue* described = member(at(operation.value, "responses"), std::to_string(answer.status));
        REQUIRE(described != nullptr);
        CHECK(answer.status < 300);
        ++operations;
        const YamlValue& content = at(*described, "content");
        const YamlValue* as_json = member(content, "application/json");
        if (as_json == nullptr) continue;
        CHECK(schemas.difference(answer.json, at(*as_json, "schema"), "the answer") == "");
      }
    }
  }
  CHECK(operations > 30);
}

TEST_CASE("refusals are as described, whoever asks for what, in whatever way", "[openapi]") {
  const ScratchFolder folder;
  DaemonProcess daemon(folder, {"--cores", "1", "--listen", "127.0.0.1:0"});
  const YamlValue root = config::parse_yaml(ask(daemon, "GET", "/api/v1/openapi.yaml").text, "openapi.yaml");
  const Schemas schemas(root);
  const YamlValue& error = at(at(at(root, "components"), "schemas"), "Error");
  const Answer made = ask(daemon, "POST", "/api/v1/tokens", body_for("post", "/tokens"));
  REQUIRE(made.status == 201);
  const auto by_tcp = [&](const char* token) { return daemon::ClientTarget{.socket = "", .address = daemon.address(), .token = token}; };
  const std::string viewer = made.json.at("token").as_string().c_str();

  // RFC 9110: 405 tells in Allow what may be done there (15.5.6; HEAD wherever GET may, 9.3.2), 401 how to show who one is (15.5.2).
  const auto head_of = [](const RawClient& client, const std::string& request_line, const std::string& more = "") {
    client.send(request_line + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n" + more + "\r\n");
    const std::string all = client.rest();
    return all.substr(0, all.find("\r\n\r\n") + 2);
  };
  const auto allowed_by = [](const YamlValue& path) {
    std::set<std::string> methods;
    for (const YamlValue::Entry& operation : path.entries) {
      if (operation.key == "parameters") continue;
      std::string method = operation.key;
      for (char& c : method) c = static_cast<char>(c - 'a' + 'A');
      if (method == "GET") methods.insert("HEAD");
      methods.insert(method);
    }
    return methods;
  };
  const auto allowed_in = [](const std::string& head) {
    std::set<std::string> methods;
    const std::string key = "\r\nAllow: ";
    const std::size_t place = head.find(key);
    if (place == std::string::npos) return methods;
    std::string text = head.substr(place + key.size(), head.find("\r\n", place + 2) - place - key.size()) + ", ";
    for (std::size_t comma = 0; (comma = text.find(", ")) != std::string::npos; text.erase(0, comma + 2))
      methods.insert(text.substr(0, comma));
    return methods;
  };

  std::map<int, int> seen;
  const auto refused = [&](const YamlValue* operation, const Answer& answer, int status) {
    INFO(answer.status << " " << answer.text);
    CHECK(answer.status == status);
    CHECK(schemas.difference(answer.json, error, "the refusal") == "");
    if (operation != nullptr) {
      const YamlValue* described = member(at(*operation, "responses"), std::to_string(answer.status));
      REQUIRE(described != nullptr);
      const YamlValue* reference = member(*described, "$ref");
      if (reference != nullptr) {
        const std::string prefix = "#/components/responses/";
        CHECK(member(at(at(root, "components"), "responses"), reference->text.substr(prefix.size())) != nullptr);
      }
    }
    ++seen[status];
  };
  for (const YamlValue::Entry& path : at(root, "paths").entries) {
    const std::string target = filled(path.key);
    for (const char* method : {"get", "post", "patch", "put", "delete"}) {
      const YamlValue* operation = member(path.value, method);
      std::string upper = method;
      for (char& c : upper) c = static_cast<char>(c - 'a' + 'A');
      INFO(upper << " " << target);
      const json::value body = body_for(method, path.key);
      if (operation == nullptr) {
        refused(nullptr, ask(daemon, upper, target, body), 405);
        CHECK(allowed_in(head_of(RawClient(daemon.socket()), upper + " " + target)) == allowed_by(path.value));
        continue;
      }
      if (member(*operation, "security") == nullptr) {  // one that needs a token
        refused(operation, ask(by_tcp(""), upper, target, body), 401);
        CHECK(
            head_of(RawClient::by_tcp(daemon.address()), upper + " " + target).find("\r\nWWW-Authenticate: Bearer realm=\"referee\"\r\n") !=
            std::string::npos);
        if (seen[401] < 20) refused(operation, ask(by_tcp("referee_0123"), upper, target, body), 401);  // more would be guessing
        const Answer as_viewer = ask(by_tcp(viewer.c_str()), upper, target, body);
        const bool looks = upper == "GET" && path.key != "/tokens" && path.key != "/audit";
        if (looks)
          CHECK(as_viewer.status != 403);
        else
          refused(operation, as_viewer, 403);
      }
      if (path.key.find('{') != std::string::npos) {  // nothing is there yet
        const std::string other = path.key == "/tokens/{token}" ? "/api/v1/tokens/nobody" : target;
        refused(operation, ask(daemon, upper, other, body), 404);
      }
      if (path.key == "/live") {
        refused(operation, ask(daemon, upper, target), 426);
        refused(operation, ask(daemon, upper, target + "?match=1"), 404);  // nothing is there yet
        for (const char* query : {"?match=x", "?match=1&from=0", "?from=1", "?game=1"}) {
          refused(operation, ask(daemon, upper, target + query), 400);
          const std::string handshake =
              "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n";
          const RawClient asking(daemon.socket());
          asking.send(upper + " " + target + query + " HTTP/1.1\r\nHost: localhost\r\n" + handshake + "\r\n");
          CHECK(asking.status() == 400);
        }
      }
    }
  }
  // RFC 6750, 3.1: a token that is not good is told from none.
  CHECK(head_of(RawClient::by_tcp(daemon.address()), "GET /api/v1/matches", "Authorization: Bearer referee_9\r\n")
            .find("\r\nWWW-Authenticate: Bearer realm=\"referee\", error=\"invalid_token\"\r\n") != std::string::npos);
  CHECK(allowed_in(head_of(RawClient(daemon.socket()), "POST /metrics")) == std::set<std::string>{"GET", "HEAD"});
  CHECK(allowed_in(head_of(RawClient(daemon.socket()), "POST /")) == std::set<std::string>{"GET", "HEAD"});
  // RFC 9112, 3.2.2: the host of a target in absolute form counts, the Host field does not.
  const std::string as_viewer_too = "Authorization: Bearer " + viewer + "\r\n";
  CHECK(head_of(RawClient::by_tcp(daemon.address()), "GET http://localhost/api/v1/matches", as_viewer_too).starts_with("HTTP/1.1 200"));
  CHECK(head_of(RawClient::by_tcp(daemon.address()), "GET http://elsewhere.example/api/v1/matches", as_viewer_too)
            .starts_with("HTTP/1.1 400"));
  CHECK(seen[401] > 40);
  CHECK(seen[403] > 10);
  CHECK(seen[404] > 15);
  CHECK(seen[405] > 80);
  CHECK(ask(daemon, "GET", "/api/v1/nothing").status == 404);
  for (const char* method : {"GET", "POST", "PATCH", "PUT", "DELETE"}) {  // what is not there is not there, whatever is wanted of it
    for (const char* nothing : {"/nothing", "/games/1/nothing", "/pause/x", "/games/1/orders/x", "/games/1/pgn/x"}) {
      INFO(method << " " << nothing);
      CHECK(ask(daemon, method, std::string("/api/v1/matches/1") + nothing).status == 404);
    }
  }

  // What a body, a parameter or the present state is refused for.
  const auto operation = [&](const char* path, const char* method) { return &at(at(at(root, "paths"), path), method); };
  submit(daemon, match_file(2, 2, 5));
  REQUIRE(eventually([&] { return state(daemon, 1) == "finished"; }));
  refused(operation("/matches", "post"), ask(daemon, "POST", "/api/v1/matches", json::object{{"match", ""}}), 400);
  refused(operation("/matches", "post"), ask(daemon, "POST", "/api/v1/matches", json::object{{"match", std::string(2'000'000, '#')}}), 413);
  refused(operation("/matches/{match}", "patch"), ask(daemon, "PATCH", "/api/v1/matches/1", json::object{{"priority", 1000}}), 400);
  refused(operation("/matches/{match}/pause", "post"), ask(daemon, "POST", "/api/v1/matches/1/pause"), 409);
  refused(operation("/matches/{match}/resume", "post"), ask(daemon, "POST", "/api/v1/matches/1/resume"), 409);
  refused(operation("/matches/{match}/stop", "post"), ask(daemon, "POST", "/api/v1/matches/1/stop"), 409);
  refused(operation("/matches/{match}/games", "get"), ask(daemon, "GET", "/api/v1/matches/1/games?limit=0"), 400);
  refused(operation("/matches/{match}/events", "get"), ask(daemon, "GET", "/api/v1/matches/1/events?from=-1"), 400);
  refused(operation("/matches/{match}/games/{game}/scoresheet", "get"),
          ask(daemon, "GET", "/api/v1/matches/1/games/1/scoresheet?language=xx"), 400);
  refused(operation("/matches/{match}/games/{game}/orders", "post"),
          ask(daemon, "POST", "/api/v1/matches/1/games/1/orders", json::object{{"order", "dance"}}), 400);
  refused(operation("/ratings", "get"), ask(daemon, "GET", "/api/v1/ratings?match=7"), 404);
  refused(operation("/ratings", "get"), ask(daemon, "GET", "/api/v1/ratings?min_games=0"), 400);
  refused(operation("/engines", "post"), ask(daemon, "POST", "/api/v1/engines", json::object{{"name", "X"}}), 400);
  refused(operation("/tokens", "post"), ask(daemon, "POST", "/api/v1/tokens", json::object{{"name", "x"}, {"role", "king"}}), 400);
  // An order that the Laws forbid is answered with the ruling.
  const Answer forbidden = ask(daemon, "POST", "/api/v1/matches/1/games/1/orders", json::object{{"order", "resume"}});
  INFO(forbidden.text);
  CHECK(forbidden.status == 409);
  CHECK(schemas.difference(forbidden.json, at(at(at(root, "components"), "schemas"), "OrderAnswer"), "the refusal") == "");
}

TEST_CASE("query parameters are those that are described; any other is refused with the nearest", "[openapi]") {
  const ScratchFolder folder;
  DaemonProcess daemon(folder, {"--cores", "1", "--listen", "127.0.0.1:0"});
  const YamlValue root = config::parse_yaml(ask(daemon, "GET", "/api/v1/openapi.yaml").text, "openapi.yaml");
  int operations = 0;
  for (const YamlValue::Entry& path : at(root, "paths").entries) {
    for (const YamlValue::Entry& operation : path.value.entries) {
      if (operation.key == "parameters") continue;
      std::string method = operation.key;
      for (char& c : method) c = static_cast<char>(c - 'a' + 'A');
      const std::string target = filled(path.key);
      INFO(method << " " << target);
      std::set<std::string> described;
      if (const YamlValue* parameters = member(operation.value, "parameters")) {
        for (const YamlValue& parameter : parameters->items) described.insert(at(parameter, "name").text);
      }
      daemon::Request request;
      request.method = method;
      REQUIRE(daemon::read_target(target, request));
      std::set<std::string> known;
      for (const daemon::KnownParameter& parameter : daemon::known_parameters(request)) known.insert(parameter.name);
      CHECK(known == described);
      const Answer unknown = ask(daemon, method, target + "?nonsense=1", body_for(operation.key, path.key));
      CHECK(unknown.status == 400);
      CHECK(unknown.text.find("unknown parameter 'nonsense'") != std::string::npos);
      ++operations;
      for (const std::string& name : described) {
        const Answer misspelt = ask(daemon, method, target + "?" + name + "x=1");
        CHECK(misspelt.status == 400);
        CHECK(misspelt.text.find("unknown parameter '" + name + "x' (did you mean '" + name + "'?)") != std::string::npos);
      }
    }
  }
  CHECK(operations > 30);
  CHECK(ask(daemon, "GET", "/metrics?x=1").status == 400);
  CHECK(ask(daemon, "GET", "/api/v1/audit?limit=1&limit=2").text.find("'limit' is given twice") != std::string::npos);
  CHECK(ask(daemon, "GET", "/api/v1/nothing?x=1").status == 404);
  CHECK(ask(daemon, "GET", "/?x=1").status == 200);  // the page is no part of the API
  // However it is shown, a list is calculated once.
  for (int i = 0; i < 20; ++i) {
    CHECK(ask(daemon, "GET", "/api/v1/ratings.html?title=List" + std::to_string(i)).status == 200);
    CHECK(ask(daemon, "GET", "/api/v1/ratings?min_games=" + std::to_string(i + 1)).status == 200);
  }
  CHECK(ask(daemon, "GET", "/metrics").text.find("referee_ratings_calculated_total 1\n") != std::string::npos);
}

namespace {

/// A match as an earlier daemon may have left it: its file, its journal, its line in the registry.
int leave_match(const ScratchFolder& folder, daemon::MatchState state, const std::string& file, const std::vector<record::Fact>& facts) {
  const std::string data = folder.file("data");
  std::filesystem::create_directories(data);
  daemon::MatchRecord record;
  record.event = "Left";
  record.state = state;
  record.planned = 1;
  const int id = daemon::Registry(data + "/referee.sqlite").add_match(record);
  const std::string own = data + "/matches/" + std::to_string(id);
  std::filesystem::create_directories(own);
  std::ofstream(own + "/match.yaml") << file;
  record::Journal::open(own + "/match.sqlite", record::Journal::Mode::create_new)->write(facts);
  return id;
}

/// So many players, each of whom has drawn with the next.
std::vector<record::Fact> ring_of(int players) {
  std::vector<record::Fact> facts;
  for (int game = 1; game <= players; ++game) {
    record::GameStarted started;
    started.game = game;
    started.pair = game;
    started.white = "P" + std::to_string(game);
    started.black = "P" + std::to_string(game % players + 1);
    started.edition = "engine-practice";
    facts.emplace_back(started);
    record::GameEnded ended;
    ended.game = game;
    ended.outcome.score = game::draw;
    ended.outcome.reason = game::Reason::agreement;
    facts.emplace_back(ended);
  }
  return facts;
}

}  // namespace

TEST_CASE("every refusal that is described can be had", "[openapi]") {
  const ScratchFolder folder;
  // 1: more players than are rated. 2 to 7: lists that take a while. 8: a game on the board whose engine is long in coming.
  leave_match(folder, daemon::MatchState::finished, match_file(2, 2, 5), ring_of(daemon::Ratings::most_players + 1));
  const auto many = ring_of(800);
  for (int i = 0; i < 6; ++i) leave_match(folder, daemon::MatchState::finished, match_file(2, 2, 5), many);
  record::GameStarted started;
  started.game = 1;
  started.white = "A";
  started.black = "B";
  started.edition = "engine-practice";
  const std::string late = std::string("{name: A, command: ") + program + ", arguments: [stub, " + REFEREE_SOURCE_FOLDER +
                           "/tests/engines/says-uciok-after-a-minute.txt]}";
  leave_match(folder, daemon::MatchState::active,
              "event: Late\ntime_control: 60+1\nschedule: {kind: match, games: 2}\nscale: {reference_nps: 1000000, bench: A}\n"
              "engines:\n  - " +
                  late + "\n" + test::engine("B", 5),
              {started});
  DaemonProcess daemon(folder, {"--cores", "1", "--listen", "127.0.0.1:0"});
  const Answer being_set_up = ask(daemon, "POST", "/api/v1/matches/8/games/1/orders", json::object{{"order", "pause"}});
  INFO(being_set_up.text);
  const YamlValue root = config::parse_yaml(ask(daemon, "GET", "/api/v1/openapi.yaml").text, "openapi.yaml");

  std::set<std::string> missing;  // "POST /matches 415"
  for (const YamlValue::Entry& path : at(root, "paths").entries) {
    for (const YamlValue::Entry& operation : path.value.entries) {
      if (operation.key == "parameters") continue;
      std::string method = operation.key;
      for (char& c : method) c = static_cast<char>(c - 'a' + 'A');
      for (const YamlValue::Entry& response : at(operation.value, "responses").entries) {
        if (std::stoi(response.key) < 400) continue;
        missing.insert(method + " " + path.key + " " + response.key);
      }
    }
  }
  REQUIRE(missing.size() > 200);
  const auto had = [&missing](const std::string& operation, int status) { missing.erase(operation + " " + std::to_string(status)); };
  had("POST /matches/{match}/games/{game}/orders", being_set_up.status);

  // Lists of six matches in all combinations: more than are let wait.
  (void)ask(daemon, "GET", "/api/v1/matches");
  for (const char* path : {"/ratings", "/ratings.html"}) {
    had(std::string("GET ") + path, ask(daemon, "GET", "/api/v1" + std::string(path) + "?match=1").status);
    std::vector<std::thread> askers;
    std::mutex mutex;
    for (int subset = 1; subset <= 40; ++subset) {
      askers.emplace_back([&, subset] {
        std::string target = "/api/v1" + std::string(path) + "?min_games=1";
        for (int match = 0; match < 6; ++match) target += (subset >> match & 1) != 0 ? "&match=" + std::to_string(match + 2) : "";
        const int status = daemon::Client({.socket = daemon.socket(), .address = "", .token = ""}).request("GET", target).status;
        const std::lock_guard lock(mutex);
        had(std::string("GET ") + path, status);
      });
    }
    for (std::thread& asker : askers) asker.join();
  }

  REQUIRE(ask(daemon, "POST", "/api/v1/engines", body_for("post", "/engines")).status == 201);
  CHECK(ask(daemon, "POST", "/api/v1/engines/A/probe").status == 202);
  had("POST /engines/{engine}/probe", ask(daemon, "POST", "/api/v1/engines/A/probe").status);  // it takes some seconds
  const auto by_tcp = [&](const std::string& token) {
    return daemon::ClientTarget{.socket = "", .address = daemon.address(), .token = token};
  };
  for (const YamlValue::Entry& path : at(root, "paths").entries) {
    for (const YamlValue::Entry& operation : path.value.entries) {
      if (operation.key == "parameters") continue;
      std::string method = operation.key;
      for (char& c : method) c = static_cast<char>(c - 'a' + 'A');
      const std::string name = method + " " + path.key;
      const std::string target = filled(path.key);
      had(name, ask(daemon, method, target + "?nonsense=1").status);
      had(name, ask(daemon, method, target).status);  // 409 of what is finished, 426 of a WebSocket that is none
      const json::value body =
          path.key == "/session" ? json::value(json::object{{"token", "referee_0"}}) : body_for(operation.key, path.key);
      had(name, ask(by_tcp(""), method, target, body).status);
      std::string nowhere = target;
      for (const auto& [one, other] :
           {std::pair{"/matches/1", "/matches/99"}, {"/engines/A", "/engines/Z"}, {"/tokens/olga", "/tokens/nobody"}}) {
        if (const std::size_t place = nowhere.find(one); place != std::string::npos) nowhere.replace(place, std::string(one).size(), other);
      }
      if (path.key.starts_with("/ratings") || path.key == "/live") nowhere += "?match=99";
      had(name, ask(daemon, method, nowhere, body_for(operation.key, path.key)).status);
      const auto raw = [&](const RawClient& client, const std::string& more) {
        client.send(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n" + more);
        had(name, client.status());
      };
      raw(RawClient::by_tcp(daemon.address()), "Origin: http://elsewhere.example\r\nContent-Length: 0\r\n\r\n");
      raw(RawClient(daemon.socket()), "Content-Type: application/json\r\nContent-Length: 9000000\r\n\r\n");
      raw(RawClient(daemon.socket()), "Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}");
    }
  }
  had("POST /matches/{match}/games/{game}/orders",
      ask(daemon, "POST", "/api/v1/matches/1/games/1/orders", json::object{{"order", "resume"}}).status);
  // Whoever has guessed at tokens for a while is not listened to at all, whatever he asks for.
  for (int i = 0; i < 20; ++i) (void)ask(by_tcp("referee_" + std::to_string(i)), "GET", "/api/v1/matches");
  for (const YamlValue::Entry& path : at(root, "paths").entries) {
    for (const YamlValue::Entry& operation : path.value.entries) {
      if (operation.key == "parameters") continue;
      std::string method = operation.key;
      for (char& c : method) c = static_cast<char>(c - 'a' + 'A');
      had(method + " " + path.key, ask(by_tcp("referee_x"), method, filled(path.key)).status);
    }
  }
  CHECK(missing == std::set<std::string>{});
}

TEST_CASE("faults are given out by the page, from any number on or the last of them", "[openapi]") {
  const ScratchFolder folder;
  std::vector<record::Fact> facts;
  record::GameStarted started;
  started.game = 1;
  started.white = "A";
  started.black = "B";
  started.edition = "engine-practice";
  facts.emplace_back(started);
  constexpr int faults = 1300;
  constexpr std::size_t long_log = 1'000'000;
  for (int number = 1; number <= faults; ++number) {
    record::EngineFault fault;
    fault.game = 1;
    fault.engine = "A";
    fault.reason = game::Reason::crash;
    fault.detail = std::to_string(number);
    fault.log = number > faults - 10 ? std::string(long_log, 'x') : "last words";
    facts.emplace_back(fault);
  }
  leave_match(folder, daemon::MatchState::finished, match_file(2, 2, 5), facts);
  DaemonProcess daemon(folder, {"--cores", "1"});
  const auto told = [&](const std::string& query) {
    const Answer answer = ask(daemon, "GET", "/api/v1/matches/1/faults" + query);
    REQUIRE(answer.status == 200);
    std::vector<int> numbers;
    for (const json::value& fault : answer.json.as_array()) {
      CHECK(text(fault, "detail") == std::to_string(fault.at("number").as_int64()));
      numbers.push_back(static_cast<int>(fault.at("number").as_int64()));
    }
    return numbers;
  };
  const auto range = [](int first, int last) {
    std::vector<int> numbers;
    for (int i = first; i <= last; ++i) numbers.push_back(i);
    return numbers;
  };
  CHECK(told("") == range(1, 1000));
  CHECK(told("?from=1001&limit=100") == range(1001, 1100));
  CHECK(told("?limit=3") == range(1, 3));
  CHECK(told("?last=2") == range(1299, 1300));
  CHECK(told("?last=10000&limit=2") == range(1, 2));
  CHECK(told("?from=1301") == range(1, 0));
  // Five logs of a megabyte are over four: those behind them come with the next page.
  CHECK(told("?from=1289&limit=10000") == range(1289, 1295));
  CHECK(told("?from=1296") == range(1296, 1300));
}

TEST_CASE("a match whose journal is just being made has nothing to show yet, and that is no error", "[openapi]") {
  const ScratchFolder folder;
  leave_match(folder, daemon::MatchState::stopped, match_file(2, 2, 5), {});
  std::ofstream(folder.file("data/matches/1/match.sqlite"), std::ios::trunc).close();
  DaemonProcess daemon(folder, {"--cores", "1"});
  for (const char* view : {"", "/games", "/faults", "/standings", "/crosstable", "/statistics"}) {
    INFO(view);
    CHECK(ask(daemon, "GET", "/api/v1/matches/1" + std::string(view)).status == 200);
  }
  CHECK(ask(daemon, "GET", "/api/v1/matches/1/games/1").status == 404);
}
