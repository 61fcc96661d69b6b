#include "referee/match/side_files.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>
#include <system_error>

#include "config/used_files.hpp"
#include "referee/match/fault_log_view.hpp"
#include "referee/match/match_run.hpp"
#include "referee/record/event_stock.hpp"
#include "referee/record/file_guard.hpp"
#include "referee/record/pgn.hpp"
#include "referee/record/pgn_stock.hpp"

namespace referee::match {

namespace {

std::string in_folder(const config::Output& output, const std::string& name) {
  return (std::filesystem::path(output.folder) / name).string();
}

void remove_fault_logs(const std::string& folder, const record::Journal& journal) {
  std::error_code ignored;
  for (const record::EngineFault& fault : journal.faults())
    std::filesystem::remove(std::filesystem::path(folder) / fault_log_name(fault), ignored);
  ::rmdir(folder.c_str());  // unless something else is in it
}

}  // namespace

void check_output_files(const config::Output& output) {
  if (!output.pgn.empty()) record::check_writable(in_folder(output, output.pgn), record::Writing::append);
  if (!output.events.empty()) record::check_writable(in_folder(output, output.events), record::Writing::append);
  if (!output.live.empty()) record::check_writable(in_folder(output, output.live), record::Writing::replace);
}

bool take_out_old_match(const config::Output& output, const record::Journal& old) {
  if (!output.pgn.empty()) record::take_out_of_pgn(in_folder(output, output.pgn), old, pgn_style(output));
  remove_fault_logs(config::fault_folder(output), old);
  return output.events.empty() || record::take_out_of_events(in_folder(output, output.events), old);
}

std::string games_in_pgn(const config::MatchFile& file) {
  const std::string path = in_folder(file.output, file.output.pgn);
  std::error_code ignored;
  if (file.output.pgn.empty() || !std::filesystem::is_regular_file(path, ignored)) return {};
  std::set<std::string_view> names;
  for (const config::EngineEntry& engine : file.engines) names.insert(engine.name);
  std::ifstream in(path, std::ios::binary);
  record::PgnReader reader(in);
  record::PgnGame game;
  int found = 0;
  while (reader.next(game)) {
    const auto tag = [&game](std::string_view name) { return game.tag(name).value_or(std::string_view()); };
    if (tag("Event") == (file.event.empty() ? "?" : std::string_view(file.event)) && names.contains(tag("White")) &&
        names.contains(tag("Black")))
      ++found;
  }
  if (found == 0) return {};
  return std::to_string(found) +
         (found == 1 ? " game of this event between these engines stands in " : " games of this event between these engines stand in ") +
         path;
}

}  // namespace referee::match
