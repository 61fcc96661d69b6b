// What requests to the API bring and what it answers with, in the forms that all its parts share. Bad requests are thrown as Refusal.
#pragma once

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <exception>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "referee/daemon/http.hpp"
#include "referee/daemon/parameters.hpp"
#include "referee/daemon/submission.hpp"

namespace referee::daemon {

[[nodiscard]] Response json_response(const boost::json::value& value, int status = 200);
[[nodiscard]] Response text_response(std::string text, std::string_view type);
[[nodiscard]] Response file_response(const std::string& path, std::string_view type, std::string_view name);
/// What a thrown thing means to the caller.
[[nodiscard]] Response answer_to(const std::exception& error);

/// From 1; else there is nothing (404) of that kind ("match").
[[nodiscard]] int number_in_path(const std::string& text, const char* what);

template <class Integer>
[[nodiscard]] Integer parameter(const Request& request, std::string_view name, Integer otherwise, Integer least, Integer most) {
  const auto text = request.parameter(name);
  return text ? whole_number_from(name, *text, least, most) : otherwise;
}

/// The body of a request that changes something. A form of a foreign page cannot send its type.
[[nodiscard]] boost::json::object body_of(const Request& request);
[[nodiscard]] boost::json::object optional_body_of(const Request& request);  // empty where there is none

// Members of a body; null is as good as none.
[[nodiscard]] std::string text_member(const boost::json::object& object, const char* name, std::string otherwise = "");
[[nodiscard]] std::optional<int> integer_member(const boost::json::object& object, const char* name);
[[nodiscard]] bool flag_member(const boost::json::object& object, const char* name);

/// Throws Refusal (400) that names a member which is none of these: a slip would change nothing, and nobody would be told.
void only_members(const boost::json::object& object, std::initializer_list<std::string_view> known);

/// Throws Refusal (404) if the last word of the path is none of these.
template <std::size_t size>
void one_of(const Request& request, const std::array<std::string_view, size>& known) {
  if (std::ranges::find(known, request.segments.back()) == known.end()) throw Refusal(404, "there is nothing at " + request.path);
}

/// Throws what answer_to() answers with 405 and the methods that are allowed.
void only(const Request& request, std::initializer_list<std::string_view> methods);

}  // namespace referee::daemon
