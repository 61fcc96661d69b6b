// Suites of openings as things to look at: what each line is called, whether it is over, which ones end in the same position; and the
// forms a suite can be written in.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "referee/game/outcome.hpp"
#include "referee/laws/edition.hpp"
#include "referee/match/openings.hpp"
#include "referee/record/opening_table.hpp"

namespace referee::match {

struct SuiteOpening {
  std::string file;
  Opening opening;
  std::vector<chess::Move> moves;
  chess::Position end = chess::Position::initial();
  std::optional<record::OpeningName> name;  // by the table of openings
  std::optional<game::Reason> over;         // the Laws end the game before a move is asked for
  std::optional<std::size_t> same_as;       // index of the first opening with the same end position
};

struct SuiteRequest {
  std::vector<std::string> files;
  std::optional<config::OpeningFormat> format;  // of all files; default from the names
  std::optional<int> plies;                     // cut to so many half-moves
  bool chess960 = false;
};
/// In the order of files and lines. `edition` rules on what is over; notes of the readers are appended to `notes`. Throws BookException
/// with the bad lines of all files.
[[nodiscard]] std::vector<SuiteOpening> read_suite(const SuiteRequest& request, const std::shared_ptr<const laws::Edition>& edition,
                                                   std::vector<std::string>& notes);

/// `count` of them (all if there are no more), drawn with the seed, in the order of the suite.
[[nodiscard]] std::vector<SuiteOpening> sample(std::vector<SuiteOpening> suite, std::size_t count, std::uint64_t seed);

enum class SuiteForm { pgn, epd, fen };
/// One opening: PGN with ECO, Opening and Variation tags and moves from where it starts; EPD of its end with `id`; or FEN of its end.
void append_opening(std::string& out, const SuiteOpening& opening, SuiteForm form);

}  // namespace referee::match
