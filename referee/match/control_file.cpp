#include "referee/match/control_file.hpp"

#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "config/used_files.hpp"

namespace referee::match {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t largest_file = 64 * 1024;
constexpr int most_games_at_once = 10'000;

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

void give_order(const config::Output& output, std::string_view line) {
  const std::string path = config::control_path(output);
  const std::string draft = path + "." + std::to_string(::getpid());
  std::string earlier;
  {
    std::ifstream in(path, std::ios::binary);  // an order that has not been read yet stays in front
    std::getline(in, earlier, '\0');
  }
  std::ofstream out(draft, std::ios::binary | std::ios::trunc);
  out << earlier << line << '\n';
  out.close();
  std::error_code error;
  if (out) fs::rename(draft, path, error);
  if (!out || error) {
    std::error_code ignored;
    fs::remove(draft, ignored);
    throw std::runtime_error(path + ": cannot be written" + (error ? ": " + error.message() : std::string()));
  }
}

std::vector<ControlOrder> take_orders(const config::Output& output) {
  const std::string path = config::control_path(output);
  const std::string taken = config::taken_control_path(output);
  if (std::rename(path.c_str(), taken.c_str()) != 0) return {};
  std::vector<ControlOrder> orders;
  std::error_code ignored;
  if (fs::file_size(taken, ignored) <= largest_file) {
    std::ifstream in(taken, std::ios::binary);
    for (std::string line; std::getline(in, line);) {
      if (const auto order = parse_order(line)) orders.push_back(*order);
    }
  }
  fs::remove(taken, ignored);
  return orders;
}

}  // namespace referee::match
