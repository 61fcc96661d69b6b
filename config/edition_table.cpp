#include "config/edition_table.hpp"

#include <algorithm>

#include "config/edition_parameters.hpp"

namespace referee::config {

namespace {

class LineWriter {
 public:
  template <class Body>
  void group(std::string_view name, const Body& body) {
    const std::size_t length = prefix_.size();
    prefix_ += std::string(name) + ".";
    body();
    prefix_.resize(length);
  }
  template <class T, class Body>
  void group(std::string_view name, const std::optional<T>& field, const Body& body) {
    if (field) {
      group(name, [&] { body(*field); });
    } else {
      lines.emplace_back(prefix_ + std::string(name), "-");
    }
  }
  template <class T>
  void value(std::string_view name, const T& field) {
    lines.emplace_back(prefix_ + std::string(name), text(field));
  }

  std::vector<std::pair<std::string, std::string>> lines;

 private:
  static std::string text(bool field) { return field ? "yes" : "no"; }
  static std::string text(int field) { return std::to_string(field); }
  static std::string text(const std::string& field) { return field; }
  static std::string text(clock::Duration field) { return clock::duration_text(field); }
  template <class Enum>
  requires std::is_enum_v<Enum>
  static std::string text(Enum field) {
    for (const auto& named : EnumNames<Enum>::names) {
      if (named.value == field) return std::string(named.name);
    }
    return "";
  }
  template <class T>
  static std::string text(const std::optional<T>& field) {
    return field ? text(*field) : "-";
  }
  template <class T>
  static std::string text(const std::vector<T>& field) {
    std::string all;
    for (const T& item : field) all += (all.empty() ? "" : ", ") + text(item);
    return all.empty() ? "-" : all;
  }

  std::string prefix_;
};

bool is_inside(const std::string& name, const std::string& group) {
  return name.size() > group.size() && name[group.size()] == '.' && name.compare(0, group.size(), group) == 0;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> edition_lines(const laws::Edition& edition) {
  LineWriter writer;
  visit_parameters(edition, writer);
  return std::move(writer.lines);
}

EditionTable compare_editions(const std::vector<laws::Edition>& editions) {
  EditionTable table;
  std::vector<std::vector<std::pair<std::string, std::string>>> lines;
  lines.reserve(editions.size());
  for (const auto& edition : editions) lines.push_back(edition_lines(edition));
  // The rows of every edition, each where its own file has it.
  for (const auto& own : lines) {
    auto at = table.names.begin();
    for (const auto& [name, value] : own) {
      const auto found = std::find(table.names.begin(), table.names.end(), name);
      at = found != table.names.end() ? found + 1 : table.names.insert(at, name) + 1;
    }
  }
  // A group that one edition has and another has not is shown by its rows alone.
  std::erase_if(table.names, [&](const std::string& name) {
    return std::any_of(table.names.begin(), table.names.end(), [&](const std::string& other) { return is_inside(other, name); });
  });
  for (const std::string& name : table.names) {
    auto& row = table.values.emplace_back();
    for (const auto& own : lines) {
      const auto found = std::find_if(own.begin(), own.end(), [&](const auto& line) { return line.first == name; });
      row.push_back(found != own.end() ? found->second : "-");
    }
  }
  return table;
}

}  // namespace referee::config
