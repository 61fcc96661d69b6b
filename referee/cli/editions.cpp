// `editions`: the parameters of the editions of the Laws, side by side.
#include <algorithm>
#include <boost/json.hpp>
#include <iostream>

#include "config/edition_parameters.hpp"
#include "config/edition_table.hpp"
#include "config/editions.hpp"
#include "referee/cli/json_text.hpp"
#include "referee/cli/registry.hpp"

namespace referee::cli {

namespace {

namespace json = boost::json;

/// The parameters as nested objects; lengths of time in milliseconds, with `_ms` in their names.
class JsonWriter {
 public:
  explicit JsonWriter(json::object& out) : out_(&out) {}

  template <class Body>
  void group(std::string_view name, const Body& body) {
    json::object inner;
    json::object* const outer = std::exchange(out_, &inner);
    body();
    out_ = outer;
    (*out_)[json::string_view(name.data(), name.size())] = std::move(inner);
  }
  template <class T, class Body>
  void group(std::string_view name, const std::optional<T>& field, const Body& body) {
    if (field) {
      group(name, [&] { body(*field); });
    } else {
      (*out_)[json::string_view(name.data(), name.size())] = nullptr;
    }
  }
  template <class T>
  void value(std::string_view name, const T& field) {
    (*out_)[std::string(name) + (is_time(&field) ? "_ms" : "")] = written(field);
  }

 private:
  static bool is_time(const clock::Duration*) { return true; }
  static bool is_time(const std::optional<clock::Duration>*) { return true; }
  static bool is_time(const void*) { return false; }

  static json::value written(bool field) { return field; }
  static json::value written(int field) { return field; }
  static json::value written(const std::string& field) { return json::string(field); }
  static json::value written(clock::Duration field) {
    constexpr clock::Duration millisecond = std::chrono::milliseconds(1);
    if (field % millisecond == clock::Duration::zero()) return static_cast<std::int64_t>(field / millisecond);
    return std::chrono::duration<double, std::milli>(field).count();
  }
  template <class Enum>
  requires std::is_enum_v<Enum>
  static json::value written(Enum field) {
    for (const auto& named : config::EnumNames<Enum>::names) {
      if (named.value == field) return json::string(named.name.data(), named.name.size());
    }
    return nullptr;
  }
  template <class T>
  static json::value written(const std::optional<T>& field) {
    return field ? written(*field) : json::value(nullptr);
  }
  template <class T>
  static json::value written(const std::vector<T>& field) {
    json::array all;
    for (const T& item : field) all.push_back(written(item));
    return all;
  }

  json::object* out_;
};

void print_json(const std::vector<laws::Edition>& editions) {
  json::array all;
  for (const auto& edition : editions) {
    json::object out;
    out["id"] = edition.id;
    out["title"] = edition.title;
    JsonWriter writer(out);
    config::visit_parameters(edition, writer);
    json::object articles;
    for (const auto& subject : config::article_subjects()) {
      const std::string_view article = laws::article(edition, subject);
      articles[subject] = article.empty() ? json::value(nullptr) : json::value(json::string(article.data(), article.size()));
    }
    out["articles"] = std::move(articles);
    all.push_back(std::move(out));
  }
  std::cout << json_text(json::object{{"editions", std::move(all)}}) << '\n';
}

/// Rows in columns; a cell that repeats the one on its left is a ditto mark.
void print_table(const std::vector<std::string>& head, std::vector<std::vector<std::string>> rows) {
  for (auto& row : rows) {
    for (std::size_t column = row.size() - 1; column > 1; --column) {
      if (row[column] == row[column - 1]) row[column] = "\"";
    }
  }
  rows.insert(rows.begin(), head);
  std::vector<std::size_t> widths(head.size());
  for (const auto& row : rows) {
    for (std::size_t column = 0; column < row.size(); ++column) widths[column] = std::max(widths[column], row[column].size());
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      line += row[column];
      if (column + 1 < row.size()) line.append(widths[column] - row[column].size() + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    std::cout << line << '\n';
  }
}

void print_text(const std::vector<laws::Edition>& editions) {
  for (const auto& edition : editions) std::cout << edition.id << ": " << edition.title << '\n';
  std::cout << '\n';
  const config::EditionTable table = config::compare_editions(editions);
  std::vector<std::string> head{"parameter"};
  for (const auto& edition : editions) head.push_back(edition.id);
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    auto& row = rows.emplace_back(table.values[i]);
    row.insert(row.begin(), table.names[i]);
  }
  print_table(head, rows);
  head.front() = "article for";
  rows.clear();
  for (const auto& subject : config::article_subjects()) {
    auto& row = rows.emplace_back();
    row.push_back(subject);
    for (const auto& edition : editions) {
      const std::string_view article = laws::article(edition, subject);
      row.emplace_back(article.empty() ? "-" : article);
    }
  }
  std::cout << '\n';
  print_table(head, rows);
}

int run_editions(const Arguments& arguments) {
  std::vector<std::string> wanted = arguments.operands();
  if (wanted.empty()) {
    wanted = config::edition_ids();
    // The presets differ from what they extend in a few lines: side by side on demand.
    if (!arguments.has("all") && !arguments.has("json")) {
      std::erase_if(wanted, [](const std::string& id) { return id.substr(0, 5) != "fide-" && id != "engine-practice"; });
    }
  }
  std::vector<laws::Edition> editions;
  editions.reserve(wanted.size());
  for (const auto& id : wanted) editions.push_back(*config::load_edition(id));
  arguments.has("json") ? print_json(editions) : print_text(editions);
  return exit_done;
}

}  // namespace

CommandDefinition editions_command() {
  CommandDefinition command;
  command.name = "editions";
  command.summary = "compare the editions of the Laws that the judge knows";
  command.positional = "[ID | FILE.yaml]...";
  command.description =
      "Prints every parameter and the number of every article, one column an edition; a ditto mark repeats the column on its left. "
      "Without operands: FIDE's editions and engine practice. An edition of your own is a YAML file that extends one of them; naming it "
      "here checks it.";
  command.options = {{"all", "", "the practice presets, too", false, {}}, {"json", "", "print JSON", false, {}}};
  command.examples = {"referee editions", "referee editions fide-2018 fide-2023", "referee editions --json lichess",
                      "referee editions ./club.yaml"};
  command.run = run_editions;
  return command;
}

}  // namespace referee::cli
