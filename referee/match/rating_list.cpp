#include "referee/match/rating_list.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace referee::match {

namespace {

namespace json = boost::json;

/// The fields of one CSV line; in quotes a comma is text and a doubled quote one quote.
std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  return fields;
}

std::optional<double> number(std::string_view text) {
  const auto first = text.find_first_not_of(" +");
  if (first == std::string_view::npos) return std::nullopt;
  text.remove_prefix(first);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// A bound, as of who has won or lost everything, or no rating at all.
bool is_untold(std::string_view text) {
  const bool bounded = text.starts_with('>') || text.starts_with('<');
  return text.empty() || text == "?" || text == "-" || (bounded && number(text.substr(1)));
}

std::map<std::string, double, std::less<>> parse_csv(std::string_view text) {
  std::map<std::string, double, std::less<>> ratings;
  std::optional<std::size_t> player, rating;
  std::size_t number_of_line = 0;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    const std::vector<std::string> fields = fields_of(text.substr(from, end - from));
    from = end + 1;
    ++number_of_line;
    if (fields.size() == 1 && fields[0].empty()) continue;
    const auto column = [&fields](std::string_view name) -> std::optional<std::size_t> {
      const auto found = std::ranges::find(fields, name);
      if (found == fields.end()) return std::nullopt;
      return static_cast<std::size_t>(found - fields.begin());
    };
    if (!player) {
      player = column("player");
      rating = column("rating");
      if (!player || !rating) throw std::runtime_error("line 1 names no columns 'player' and 'rating'");
      continue;
    }
    const std::string place = "line " + std::to_string(number_of_line);
    if (fields.size() <= std::max(*player, *rating)) throw std::runtime_error(place + " has too few fields");
    if (is_untold(fields[*rating])) continue;
    const auto value = number(fields[*rating]);
    if (!value) throw std::runtime_error(place + ": '" + fields[*rating] + "' is no rating");
    ratings.emplace(fields[*player], *value);
  }
  if (!player) throw std::runtime_error("it is empty");
  return ratings;
}

std::map<std::string, double, std::less<>> parse_json(std::string_view text) {
  json::error_code error;
  const json::value value = json::parse(json::string_view(text.data(), text.size()), error);
  if (error) throw std::runtime_error("it is no JSON: " + error.message());
  if (!value.is_array()) throw std::runtime_error("its JSON is no array");
  std::map<std::string, double, std::less<>> ratings;
  for (const json::value& row : value.get_array()) {
    const json::object* object = row.if_object();
    const json::value* player = object == nullptr ? nullptr : object->if_contains("player");
    const json::value* rating = object == nullptr ? nullptr : object->if_contains("rating");
    if (player == nullptr || !player->is_string() || rating == nullptr)
      throw std::runtime_error("entry " + std::to_string(ratings.size() + 1) + " has no 'player' and 'rating'");
    if (!rating->is_number()) continue;  // null: the list could not tell it
    ratings.emplace(std::string(player->get_string().c_str()), rating->to_number<double>());
  }
  return ratings;
}

}  // namespace

std::map<std::string, double, std::less<>> parse_rating_list(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '[' ? parse_json(text) : parse_csv(text);
}

std::vector<std::optional<double>> ratings_of(const config::MatchFile& file) {
  std::vector<std::optional<double>> ratings(file.engines.size());
  if (file.schedule.ratings.empty()) return ratings;
  const auto refuse = [&file](const std::string& why) {
    throw config::ConfigException(config::ConfigError{.file = file.path,
                                                      .line = file.schedule.place.line,
                                                      .column = file.schedule.place.column,
                                                      .message = "the rating list " + file.schedule.ratings + " cannot be used: " + why,
                                                      .expected = "CSV or JSON with player and rating"});
  };
  std::ifstream in(file.schedule.ratings, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) refuse("it cannot be read");
  try {
    const auto list = parse_rating_list(text.str());
    for (std::size_t i = 0; i < ratings.size(); ++i) {
      if (const auto found = list.find(file.engines[i].name); found != list.end()) ratings[i] = found->second;
    }
  } catch (const std::runtime_error& error) { refuse(error.what()); }
  return ratings;
}

}  // namespace referee::match
