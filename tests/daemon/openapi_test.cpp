// The API's description is held against the running daemon: what it describes is there, and answers as described.
#include <catch2/catch.hpp>
#include <set>

#include "config/yaml.hpp"
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
  // And refusals.
  const Answer refused = ask(daemon, "GET", "/api/v1/matches/99");
  CHECK(refused.status == 404);
  CHECK(schemas.difference(refused.json, at(at(at(root, "components"), "schemas"), "Error"), "the refusal") == "");
}
