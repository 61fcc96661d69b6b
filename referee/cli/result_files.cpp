#include "referee/cli/result_files.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <system_error>
#include <thread>

#include "referee/cli/plain_output.hpp"
#include "referee/record/append_file.hpp"
#include "referee/record/journal.hpp"

namespace referee::cli {

namespace {

[[nodiscard]] std::string counted(std::int64_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

}  // namespace

std::vector<OptionDefinition> result_file_options() {
  return {{"aliases", "FILE", "names that are one player: a line NAME,ALIAS,ALIAS... each (CSV)", false, {}},
          {"duplicates",
           "WHAT",
           "a game that is there more than once: drop it when an earlier file has it too (across, default), always (all), never (keep)",
           false,
           {"across", "all", "keep"}},
          {"threads", "N", "threads that read and compute, default one a core", false, {}}};
}

int thread_count(const Arguments& arguments) {
  const auto cores = static_cast<long long>(std::max(1U, std::thread::hardware_concurrency()));
  return static_cast<int>(arguments.integer("threads", 1, 1024).value_or(std::min(cores, 64LL)));
}

match::ResultsSummary read_result_files(const Arguments& arguments, match::NameTable& names, match::ResultsOptions options,
                                        const std::function<void(match::ListedGame&)>& see) {
  const std::string duplicates = arguments.value("duplicates").value_or("across");
  options.duplicates = duplicates == "keep"  ? match::Duplicates::keep
                       : duplicates == "all" ? match::Duplicates::all
                                             : match::Duplicates::across;
  options.threads = thread_count(arguments);
  try {
    if (const auto aliases = arguments.value("aliases")) match::read_aliases(*aliases, names);
    match::ResultsSummary summary = match::read_results(arguments.operands(), names, options, see);
    for (std::size_t i = 0; i < summary.files.size(); ++i) {
      const match::FileSummary& file = summary.files[i];
      const std::string& name = arguments.operands()[i];
      if (file.duplicates > 0) std::cerr << name << ": " << counted(file.duplicates, "duplicate game", "duplicate games") << " dropped\n";
      if (file.contradictory.count > 0)
        std::cerr << name << ": " << counted(file.contradictory.count, "game", "games")
                  << " left out: the Result tag and the end of the moves differ (the first is game " << file.contradictory.first << ")\n";
      if (file.cut_off.count > 0)
        std::cerr << name << ": " << counted(file.cut_off.count, "game", "games")
                  << " left out: cut off, the moves stop without a result (the first is game " << file.cut_off.first << ")\n";
    }
    if (summary.nameless > 0)
      std::cerr << counted(summary.nameless, "game", "games") << " left out: White or Black is missing, or both are the same\n";
    return summary;
  } catch (const match::ResultsError& error) { throw UsageError(error.what()); }
}

void write_output(const std::string& path, const std::string& text) {
  if (path == "-") {
    print_data(std::cout, text);
    std::cout << std::flush;
    return;
  }
  std::error_code error;
  const auto there = std::filesystem::status(path, error).type();
  // What a shell gave for a name, and devices, are written where they are.
  const bool is_given = path.starts_with("/dev/") || path.starts_with("/proc/");
  if (!is_given && (there == std::filesystem::file_type::regular || there == std::filesystem::file_type::not_found)) {
    try {
      return record::replace_file(path, text);
    } catch (const record::JournalError& failure) { throw UsageError(failure.what()); }
  }
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << text << std::flush;
  if (!out) throw UsageError(path + ": cannot be written: " + std::generic_category().message(errno));
}

}  // namespace referee::cli
