// An edition as YAML that stands alone.
#include <sstream>
#include <type_traits>

#include "config/edition_parameters.hpp"
#include "config/editions.hpp"
#include "referee/clock/time_text.hpp"

namespace referee::config {

namespace {

std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    out += c;
    if (c == '\'') out += '\'';
  }
  return out + "'";
}

/// The counterpart of the reader in editions.cpp: every key, null where nothing is set.
class ParameterWriter {
 public:
  template <class Body>
  void group(std::string_view name, const Body& body) {
    key(name) << '\n';
    ++depth_;
    body();
    --depth_;
  }
  template <class T, class Body>
  void group(std::string_view name, std::optional<T>& field, const Body& body) {
    if (!field) {
      key(name) << " null\n";
      return;
    }
    group(name, [&] { body(*field); });
  }
  template <class T>
  void value(std::string_view name, const T& field) {
    key(name) << ' ' << text(field) << '\n';
  }
  [[nodiscard]] std::string written() const { return out_.str(); }

 private:
  std::ostream& key(std::string_view name) { return out_ << std::string(2 * depth_, ' ') << name << ':'; }

  template <class T>
  static std::string text(const std::optional<T>& field) {
    return field ? text(*field) : "null";
  }
  template <class T>
  static std::string text(const std::vector<T>& items) {
    std::string list;
    for (const T& item : items) list += (list.empty() ? "" : ", ") + text(item);
    return "[" + list + "]";
  }
  static std::string text(bool field) { return field ? "true" : "false"; }
  static std::string text(int field) { return std::to_string(field); }
  static std::string text(const std::string& field) { return quoted(field); }
  static std::string text(clock::Duration field) { return clock::duration_text(field); }
  template <class Enum>
  requires std::is_enum_v<Enum>
  static std::string text(Enum field) {
    for (const auto& named : EnumNames<Enum>::names) {
      if (named.value == field) return std::string(named.name);
    }
    return "null";  // every value has its name
  }

  std::ostringstream out_;
  std::size_t depth_ = 0;
};

}  // namespace

std::string to_yaml(const laws::Edition& edition) {
  std::string out = "id: " + quoted(edition.id) + "\ntitle: " + quoted(edition.title) + "\n";
  laws::Edition copy = edition;  // the visitor is made for readers
  ParameterWriter writer;
  visit_parameters(copy, writer);
  out += writer.written();
  out += "articles:\n";
  for (const std::string& subject : article_subjects()) {
    const auto found = edition.articles.find(subject);
    out += "  " + subject + ": " + (found == edition.articles.end() ? "null" : quoted(found->second)) + "\n";
  }
  return out;
}

}  // namespace referee::config
