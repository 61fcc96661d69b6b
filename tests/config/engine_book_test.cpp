#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "config/match_file.hpp"

using namespace referee;
using config::MatchFile;

namespace {

namespace fs = std::filesystem;

std::string refusal(const std::string& text, const std::string& path) {
  try {
    (void)config::parse_match_file(text, path);
  } catch (const config::ConfigException& error) { return error.what(); }
  return {};
}

}  // namespace

TEST_CASE("an engine's own book, the openings' policy and formats are read and written") {
  const fs::path folder =
      fs::temp_directory_path() / ("referee-engine-book-" + std::to_string(std::hash<std::string>{}(REFEREE_BINARY_FOLDER)));
  fs::create_directories(folder);
  std::ofstream(folder / "own.bin") << "x";
  std::ofstream(folder / "book.bin") << "x";
  const std::string path = (folder / "m.yaml").string();
  const std::string text =
      "openings: {file: book.bin, policy: round}\noutput: {openings: false}\ndefaults: {book: own.bin}\nengines:\n"
      "  - {name: A, command: /bin/true}\n  - {name: B, command: /bin/true, book: {file: own.bin, plies: 12}}\n"
      "  - {name: C, command: /bin/true, book: null}\n";
  const MatchFile file = config::parse_match_file(text, path);
  const MatchFile again = config::parse_match_file(config::to_yaml(file), path);
  for (const MatchFile& match : {file, again}) {
    REQUIRE(match.engines.size() == 3);
    REQUIRE(match.engines[0].book);
    CHECK(match.engines[0].book->file == (folder / "own.bin").string());
    CHECK(match.engines[0].book->plies == 20);
    REQUIRE(match.engines[1].book);
    CHECK(match.engines[1].book->plies == 12);
    CHECK_FALSE(match.engines[2].book);
    CHECK(match.openings.policy == config::OpeningPolicy::round);
    CHECK_FALSE(match.openings.format);
    CHECK_FALSE(match.output.openings);
  }
  const auto with_book = [](const std::string& book) { return "engines:\n  - {name: A, command: /bin/true, book: " + book + "}\n"; };
  CHECK_THAT(refusal(with_book("none.bin"), path), Catch::Contains("m.yaml:2:41: there is no file"));
  CHECK_THAT(refusal(with_book("{file: own.bin, plies: 0}"), path), Catch::Contains("m.yaml:2:"));
  CHECK_THAT(refusal(with_book("{file: own.bin, depth: 5}"), path), Catch::Contains("'depth'"));
  CHECK_THAT(refusal("openings: {file: book.bin, policy: game}\n" + with_book("own.bin"), path), Catch::Contains("pairing"));
  fs::remove_all(folder);
}
