#include "referee/daemon/api_forms.hpp"

#include <filesystem>
#include <stdexcept>
#include <utility>

#include "config/error.hpp"
#include "referee/daemon/access.hpp"
#include "referee/daemon/json_views.hpp"
#include "referee/daemon/orders.hpp"
#include "referee/game/printable.hpp"
#include "referee/match/openings.hpp"
#include "referee/record/json.hpp"

namespace referee::daemon {

namespace json = boost::json;

namespace {

/// Its answer is more than a status and words.
class WrongMethod : public std::runtime_error {
 public:
  explicit WrongMethod(Response answer) : std::runtime_error("method not allowed"), answer_(std::move(answer)) {}
  [[nodiscard]] const Response& answer() const noexcept { return answer_; }

 private:
  Response answer_;
};

}  // namespace

Response json_response(const json::value& value, int status) {
  Response response;
  response.status = status;
  response.body = json::serialize(value);
  return response;
}

Response text_response(std::string text, std::string_view type) {
  Response response;
  response.content_type = type;
  response.body = std::move(text);
  return response;
}

Response file_response(const std::string& path, std::string_view type, std::string_view name) {
  Response response;
  response.content_type = type;
  response.file = path;
  response.headers.emplace_back("Content-Disposition", "inline; filename=\"" + std::string(name) + "\"");
  return response;
}

int number_in_path(const std::string& text, const char* what) {
  const auto number = whole_number<int>(text);
  if (!number || *number < 1) throw Refusal(404, "there is no " + std::string(what) + " " + text);
  return *number;
}

json::object body_of(const Request& request) {
  if (!request.content_type.starts_with("application/json"))
    throw Refusal(415, "the body is no JSON (expected Content-Type: application/json)");
  json::error_code error;
  json::parse_options options;
  options.max_depth = 16;
  json::value value = json::parse(request.body, error, {}, options);
  if (error) throw Refusal(400, "the body does not read as JSON: " + error.message());
  if (!value.is_object()) throw Refusal(400, "the body is no JSON object");
  return std::move(value.as_object());
}
json::object optional_body_of(const Request& request) { return request.body.empty() ? json::object{} : body_of(request); }

std::string text_member(const json::object& object, const char* name, std::string otherwise) {
  const json::value* value = object.if_contains(name);
  if (value == nullptr || value->is_null()) return otherwise;
  if (!value->is_string()) throw Refusal(400, "'" + std::string(name) + "' is no text");
  return {value->as_string().data(), value->as_string().size()};
}
std::optional<int> integer_member(const json::object& object, const char* name) {
  const json::value* value = object.if_contains(name);
  if (value == nullptr || value->is_null()) return std::nullopt;
  if (!value->is_int64() || value->as_int64() > 1'000'000 || value->as_int64() < -1'000'000)
    throw Refusal(400, "'" + std::string(name) + "' is no whole number");
  return static_cast<int>(value->as_int64());
}
bool flag_member(const json::object& object, const char* name) {
  const json::value* value = object.if_contains(name);
  if (value == nullptr || value->is_null()) return false;
  if (!value->is_bool()) throw Refusal(400, "'" + std::string(name) + "' is not true or false");
  return value->as_bool();
}

void only_members(const json::object& object, std::initializer_list<std::string_view> known) {
  for (const auto& member : object) {
    const std::string_view key(member.key().data(), member.key().size());
    if (std::ranges::find(known, key) != known.end()) continue;
    std::string list;
    for (const std::string_view one : known) list.append(list.empty() ? "" : ", ").append(one);
    throw Refusal(400, "'" + game::printable(key) + "' says nothing here (expected " + (list.empty() ? "no members" : list) + ")");
  }
}

void only(const Request& request, std::initializer_list<std::string_view> methods) {
  if (std::ranges::find(methods, request.method) == methods.end()) throw WrongMethod(wrong_method(request, methods));
}

Response answer_to(const std::exception& error) {
  if (const auto* wrong = dynamic_cast<const WrongMethod*>(&error)) return wrong->answer();
  if (const auto* refusal = dynamic_cast<const Refusal*>(&error)) return error_response(refusal->status(), refusal->what());
  if (const auto* config = dynamic_cast<const config::ConfigException*>(&error)) {
    config::ConfigError shown = config->error();
    shown.file = std::filesystem::path(shown.file).filename().string();
    Response response;
    response.status = 400;
    response.body =
        json::serialize(json::object{{"error", record::valid_utf8(shown.text())}, {"line", shown.line}, {"column", shown.column}});
    return response;
  }
  if (dynamic_cast<const OrderError*>(&error) != nullptr || dynamic_cast<const match::BookException*>(&error) != nullptr)
    return error_response(400, error.what());
  return error_response(500, error.what());
}

}  // namespace referee::daemon
