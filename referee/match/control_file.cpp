#include "referee/match/control_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "config/command_path.hpp"
#include "config/used_files.hpp"
#include "referee/record/journal.hpp"
#include "referee/record/owner_lock.hpp"

namespace referee::match {

namespace fs = std::filesystem;

namespace {

using record::AppendFile;

constexpr std::uint64_t largest_box = std::uint64_t{64} * 1024;
constexpr std::size_t most_answers = 64;  // of whoever has not come for them
constexpr int most_games_at_once = 10'000;
constexpr std::string_view obeyed = "obeyed";
constexpr std::string_view refused = "refused ";

/// A line of the file: "#SIGN order", "#SIGN: answer" or "order".
struct Slip {
  std::string sign;  // with '#'; empty: nobody waits for the answer
  std::string text;
  bool answered = false;

  [[nodiscard]] std::string line() const { return sign + (answered ? ": " : sign.empty() ? "" : " ") + text + "\n"; }
};

Slip read_slip(std::string_view line) {
  Slip slip;
  if (line.starts_with('#')) {
    const std::size_t end = std::min(line.find(' '), line.size());
    slip.sign = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    slip.answered = slip.sign.ends_with(':');
    if (slip.answered) slip.sign.pop_back();
  }
  slip.text = line;
  return slip;
}

/// Needs: held. What is too long for orders is nobody's.
std::vector<Slip> slips_of(const AppendFile& file) {
  std::vector<Slip> slips;
  if (file.size() > largest_box) return slips;
  const std::string all = file.tail(static_cast<std::size_t>(file.size()));
  for (std::string_view rest = all; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (end > 0) slips.push_back(read_slip(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return slips;
}

std::string text_of(const std::vector<Slip>& slips) {
  std::string text;
  for (const Slip& slip : slips) text += slip.line();
  return text;
}

std::string journal_of(const config::Output& output) { return config::absolute_path(output.journal, output.folder); }

/// Whoever may write into the folder may give orders.
void open_to_others(const std::string& path) {
  constexpr mode_t reading_and_writing = 0666;
  struct stat folder {};
  if (::stat(fs::path(path).parent_path().c_str(), &folder) == 0) (void)::chmod(path.c_str(), folder.st_mode & reading_and_writing);
}

void remove(const std::string& path) {
  std::error_code ignored;
  fs::remove(path, ignored);
}

}  // namespace

std::optional<ControlOrder> parse_order(std::string_view line) {
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
  if (line == "pause") return PauseOrder{};
  if (line == "resume") return ResumeOrder{};
  if (line == "stop") return StopOrder{};
  if (line == "stop now") return StopOrder{.now = true};
  constexpr std::string_view concurrency = "concurrency ";
  if (!line.starts_with(concurrency)) return std::nullopt;
  line.remove_prefix(concurrency.size());
  int games = 0;
  const auto read = std::from_chars(line.data(), line.data() + line.size(), games);
  if (read.ec != std::errc{} || read.ptr != line.data() + line.size() || games < 1 || games > most_games_at_once) return std::nullopt;
  return ConcurrencyOrder{games};
}

OrderBox::OrderBox(const config::Output& output) : file_(config::control_path(output)) { open_to_others(file_.path()); }

OrderBox::~OrderBox() {
  try {
    const AppendFile::Hold held(file_);
    take([](const ControlOrder&) { return "the match is over"; });
    if (file_.size() == 0) remove(file_.path());
  } catch (const record::JournalError&) {
    // Whoever waits for an answer sees that the match is not played any more.
  }
}

void OrderBox::take(const Obey& obey) {
  const AppendFile::Hold held(file_);
  if (file_.size() == 0) return;
  std::vector<Slip> kept;
  std::vector<Slip> given;
  for (Slip& slip : slips_of(file_)) (slip.answered ? kept : given).push_back(std::move(slip));
  if (given.empty() && file_.size() <= largest_box) return;
  file_.cut(0);  // first, so that none is taken twice
  for (Slip& slip : given) {
    const auto order = parse_order(slip.text);
    const auto why = order ? obey(*order) : std::optional<std::string>("it is no order");
    if (slip.sign.empty()) continue;
    slip.text = why ? std::string(refused) + *why : std::string(obeyed);
    slip.answered = true;
    kept.push_back(std::move(slip));
  }
  if (kept.size() > most_answers) kept.erase(kept.begin(), kept.end() - static_cast<std::ptrdiff_t>(most_answers));
  file_.append(text_of(kept));
}

void drop_orders(const config::Output& output) { remove(config::control_path(output)); }

void take_away_empty_box(const config::Output& output) {
  const std::string path = config::control_path(output);
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return;
  AppendFile file(path);
  const AppendFile::Hold held(file);
  if (file.size() == 0 && !record::OwnerLock::is_held(journal_of(output))) remove(path);
}

std::optional<std::string> give_order(const config::Output& output, std::string_view line) {
  const std::string path = config::control_path(output);
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return std::nullopt;
  std::string sign = "#" + std::to_string(::getpid()) + "-" + std::to_string(::gettid()) + "-" +
                     std::to_string(std::chrono::steady_clock::now().time_since_epoch().count());
  AppendFile(path).append(sign + " " + std::string(line) + "\n");
  return sign;
}

ControlAnswer answer_to(const config::Output& output, const std::string& sign, Patience patience) {
  using State = ControlAnswer::State;
  const std::string path = config::control_path(output);
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return {};
  AppendFile file(path);
  const AppendFile::Hold held(file);
  std::vector<Slip> slips = slips_of(file);
  const auto ours = std::ranges::find(slips, sign, &Slip::sign);
  if (ours == slips.end()) return {};
  if (!ours->answered && patience == Patience::wait) return {.state = State::waiting, .why = {}};
  ControlAnswer answer{.state = State::waiting, .why = {}};
  if (ours->answered) {
    answer.state = ours->text == obeyed ? State::obeyed : State::refused;
    if (answer.state == State::refused) answer.why = ours->text.substr(std::min(refused.size(), ours->text.size()));
  }
  slips.erase(ours);
  file.cut(0);
  file.append(text_of(slips));
  if (slips.empty() && !record::OwnerLock::is_held(journal_of(output))) remove(path);
  return answer;
}

}  // namespace referee::match
