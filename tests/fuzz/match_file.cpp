// Any text is a match file, an edition or a file of rule cases, or a ConfigException with a place in it; what is read as a match file is
// written back to the same text.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "config/editions.hpp"
#include "config/match_file.hpp"
#include "config/rule_cases.hpp"

using namespace referee::config;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const ConfigException& problem, const std::string& text) {
  const ConfigError& error = problem.error();
  require(!error.message.empty());
  if (error.file != "/fuzz/input.yaml") return;
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) +
                     static_cast<std::size_t>(std::count(text.begin(), text.end(), '\r'));
  require(error.line <= lines + 2);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::string path = "/fuzz/input.yaml";
  try {
    const std::string written = to_yaml(parse_match_file(text, path));
    require(to_yaml(parse_match_file(written, path)) == written);
  } catch (const ConfigException& problem) { check(problem, text); }
  try {
    require(!parse_edition(text, path)->id.empty());
  } catch (const ConfigException& problem) { check(problem, text); }
  try {
    static_cast<void>(parse_rule_cases(text, path));
  } catch (const ConfigException& problem) { check(problem, text); }
  return 0;
}
