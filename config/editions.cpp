#include "config/editions.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "config/built_in_editions.hpp"
#include "config/edition_parameters.hpp"

namespace referee::config {

namespace {

constexpr YamlLimits edition_limits{256U << 10U, 5'000, 16};
constexpr int deepest_extension = 8;
constexpr int most_count = 100'000;

/// Reads the parameters into an Edition. In a file that extends another, an absent key keeps the value that is there.
class ParameterReader {
 public:
  enum class Absent { refused, kept };

  ParameterReader(YamlMap& root, Absent absent) : absent_(absent) { open_.push_back(&root); }

  template <class Body>
  void group(std::string_view name, const Body& body) {
    const YamlValue* value = look_up(name);
    if (value == nullptr) return;
    inside(name, *value, absent_, body);
  }

  template <class T, class Body>
  void group(std::string_view name, std::optional<T>& field, const Body& body) {
    const YamlValue* value = look_up(name);
    if (value == nullptr) return;
    if (value->is_null()) {
      field.reset();
      return;
    }
    // A group that was not there before has nothing to keep.
    const Absent absent = field ? absent_ : Absent::refused;
    if (!field) field = T{};  // not emplace(): clang 14 does not see that a nested struct with defaults can be made
    inside(name, *value, absent, [&] { body(*field); });
  }

  template <class T>
  void value(std::string_view name, T& field) {
    if (const YamlValue* value = look_up(name)) read(*value, field);
  }

 private:
  template <class Body>
  void inside(std::string_view name, const YamlValue& value, Absent absent, const Body& body) {
    YamlMap map(value, file(), "'" + std::string(name) + "'");
    const Absent before = std::exchange(absent_, absent);
    open_.push_back(&map);
    body();
    open_.pop_back();
    absent_ = before;
    map.refuse_unknown();
  }

  const YamlValue* look_up(std::string_view name) {
    return absent_ == Absent::refused ? &open_.back()->need(name) : open_.back()->find(name);
  }
  [[nodiscard]] const std::string& file() const { return open_.front()->file(); }

  template <class T>
  void read(const YamlValue& value, std::optional<T>& field) {
    if (value.is_null()) {
      field.reset();
      return;
    }
    T present{};
    read(value, present);
    field = present;
  }
  void read(const YamlValue& value, bool& field) { field = as_bool(value, file()); }
  void read(const YamlValue& value, int& field) { field = static_cast<int>(as_integer(value, file(), 0, most_count)); }
  void read(const YamlValue& value, std::string& field) { field = as_text(value, file()); }
  void read(const YamlValue& value, clock::Duration& field) { field = as_duration(value, file()); }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void read(const YamlValue& value, Enum& field) { field = as_choice<Enum>(value, file(), EnumNames<Enum>::names); }
  template <class T>
  void read(const YamlValue& value, std::vector<T>& field) {
    if (!value.is_sequence()) fail(file(), value.place, shown(value), "a list");
    field.clear();
    for (const YamlValue& item : value.items) read(item, field.emplace_back());
  }

  std::vector<YamlMap*> open_;
  Absent absent_;
};

/// Subjects that editions written before did not tell apart from another one, under which they stood.
std::string_view elder_subject(std::string_view subject) {
  if (subject == "both_flags_rapid") return "both_flags";
  return subject == "resumption" ? "sealed_move" : std::string_view();
}

void read_articles(YamlMap& root, ParameterReader::Absent absent, laws::Articles& articles) {
  const YamlValue* value = absent == ParameterReader::Absent::refused ? &root.need("articles") : root.find("articles");
  if (value == nullptr) return;
  YamlMap map(*value, root.file(), "'articles'");
  for (const std::string& subject : article_subjects()) {
    const std::string_view elder = elder_subject(subject);
    const YamlValue* article = map.find(subject);
    if (absent == ParameterReader::Absent::refused && article == nullptr) article = &map.need(elder.empty() ? subject : elder);
    if (article == nullptr) continue;
    articles.erase(subject);
    if (!article->is_null()) articles[subject] = as_text(*article, root.file(), "an article's number, or null");
  }
  map.refuse_unknown();
}

/// What cannot hold together, whatever the single values say.
void check(const laws::Edition& edition, const YamlMap& root) {
  const auto refuse = [&](std::string message, std::string expected) {
    fail(root.file(), root.value().place, std::move(message), std::move(expected));
  };
  if (edition.rapid.has_value() != edition.blitz.has_value()) refuse("'categories' names one of rapid and blitz", "both or neither (null)");
  if (edition.rapid && edition.blitz && edition.rapid->increment_moves != edition.blitz->increment_moves) {
    refuse("rapid and blitz count different numbers of increments", "the same increment_moves");
  }
  const auto twice = [](std::optional<int> count) { return count && *count < 2; };
  if (twice(edition.repetition_claim) || twice(edition.repetition_automatic)) refuse("a repetition of less than two", "2 or more, or null");
  const auto none = [](std::optional<int> count) { return count && *count < 1; };
  if (none(edition.no_progress_claim_moves) || none(edition.no_progress_automatic_moves))
    refuse("'no_progress' of no moves", "1 or more, or null");
  for (const auto& rule : edition.illegal_move) {
    if (none(rule.forfeit_at)) refuse("an illegal move that forfeits before it was made", "forfeit_at of 1 or more, or null");
  }
  for (const auto& rule : edition.wrong_claim) {
    if (rule.claimant == laws::ClaimantPenalty::half_capped && rule.cap == clock::Duration::zero()) {
      refuse("a wrong claim costs half the time, but its cap is zero", "cap, halve_above, leave and leave_above");
    }
  }
  if (edition.colours_reversed == laws::ColoursReversed::replay_if_early && !edition.colours_replay_below_moves_each) {
    refuse("'colours_reversed' replays early games but does not say how early", "replay_below_moves_each");
  }
}

const BuiltInEdition* find_built_in(std::string_view id) {
  const auto& all = built_in_editions();
  const auto found = std::find_if(all.begin(), all.end(), [&](const BuiltInEdition& edition) { return edition.id == id; });
  return found == all.end() ? nullptr : &*found;
}

bool is_path(std::string_view text) {
  const auto ends = [&](std::string_view end) { return text.size() >= end.size() && text.substr(text.size() - end.size()) == end; };
  return text.find('/') != std::string_view::npos || ends(".yaml") || ends(".yml");
}

laws::Edition read_edition(const std::string& yaml, const std::string& file, const std::string& base_folder, int depth);

laws::Edition read_named(const std::string& id_or_path, const std::string& base_folder, const std::string& asking_file, Place place,
                         int depth) {
  if (is_path(id_or_path)) {
    const std::filesystem::path path = std::filesystem::path(base_folder) / id_or_path;
    const std::string name = path.lexically_normal().string();
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) fail(asking_file, place, "there is no file " + name, "an edition's .yaml file");
    return read_edition(read_text_file(name, edition_limits), name, path.parent_path().string(), depth);
  }
  if (const BuiltInEdition* found = find_built_in(id_or_path)) {
    return read_edition(std::string(found->yaml), "edition " + std::string(found->id), base_folder, depth);
  }
  std::string expected;
  if (const auto guess = nearest_name(id_or_path, edition_ids())) expected = "'" + *guess + "', ";
  expected += "one of";
  for (const auto& id : edition_ids()) expected += " " + id;
  fail(asking_file, place, "there is no edition '" + id_or_path + "'", expected + ", or a .yaml file");
}

laws::Edition read_edition(const std::string& yaml, const std::string& file, const std::string& base_folder, int depth) {
  const YamlValue value = parse_yaml(yaml, file, edition_limits);
  YamlMap root(value, file, "the edition");
  laws::Edition edition;
  auto absent = ParameterReader::Absent::refused;
  if (const YamlValue* extends = root.find("extends")) {
    if (depth >= deepest_extension) fail(file, extends->place, "editions extend each other without end", "at most 8 levels");
    edition = read_named(as_text(*extends, file, "the id of an edition, or a .yaml file"), base_folder, file, extends->place, depth + 1);
    absent = ParameterReader::Absent::kept;
  }
  edition.id = as_text(root.need("id"), file, "the edition's id");
  edition.title = as_text(root.need("title"), file, "a title");
  if (edition.id.empty() || edition.id.size() > 64) fail(file, root.need("id").place, "the id is empty or too long", "1 to 64 characters");
  ParameterReader reader(root, absent);
  visit_parameters(edition, reader);
  read_articles(root, absent, edition.articles);
  root.refuse_unknown();
  check(edition, root);
  return edition;
}

}  // namespace

const std::vector<std::string>& article_subjects() {
  static const std::vector<std::string> subjects = {"checkmate",
                                                    "stalemate",
                                                    "dead_position",
                                                    "agreement",
                                                    "resignation",
                                                    "flag",
                                                    "both_flags",
                                                    "both_flags_rapid",
                                                    "illegal_move",
                                                    "illegal_move_rapid",
                                                    "illegal_move_blitz",
                                                    "promotion",
                                                    "press",
                                                    "threefold",
                                                    "fifty",
                                                    "automatic_repetition",
                                                    "automatic_moves",
                                                    "claim",
                                                    "wrong_claim",
                                                    "claim_offer",
                                                    "offer",
                                                    "default_time",
                                                    "quickplay",
                                                    "increment_request",
                                                    "adjournment",
                                                    "sealed_move",
                                                    "resumption",
                                                    "late_at_resumption",
                                                    "penalty",
                                                    "both_lost",
                                                    "one_sided_score",
                                                    "clock_setting",
                                                    "pause",
                                                    "colours_reversed",
                                                    "wrong_start",
                                                    "touch_move",
                                                    "completed",
                                                    "category_rapid",
                                                    "category_blitz",
                                                    "result_recorded"};
  return subjects;
}

const std::vector<std::string>& edition_ids() {
  static const std::vector<std::string> ids = [] {
    // Age is in the name of the Laws' editions; engine practice and the presets that extend it follow.
    std::vector<std::string> laws, practice, presets;
    for (const BuiltInEdition& edition : built_in_editions()) {
      auto& list = edition.id.substr(0, 5) == "fide-" ? laws : edition.id == "engine-practice" ? practice : presets;
      list.emplace_back(edition.id);
    }
    std::sort(laws.begin(), laws.end());
    std::sort(presets.begin(), presets.end());
    laws.insert(laws.end(), practice.begin(), practice.end());
    laws.insert(laws.end(), presets.begin(), presets.end());
    return laws;
  }();
  return ids;
}

std::shared_ptr<const laws::Edition> load_edition(const std::string& id_or_path, const std::string& base_folder) {
  return std::make_shared<const laws::Edition>(read_named(id_or_path, base_folder, "edition", {}, 0));
}

std::shared_ptr<const laws::Edition> parse_edition(const std::string& yaml, const std::string& file_name) {
  const std::string folder = std::filesystem::path(file_name).parent_path().string();
  return std::make_shared<const laws::Edition>(read_edition(yaml, file_name, folder, 0));
}

}  // namespace referee::config
