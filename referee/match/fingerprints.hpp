// What decides the games of a match besides chance, item by item under names that people understand: SHA-256 of binaries, books, nets and
// other files an engine is given, and the text of every option. A match that goes on compares them with what the journal recorded.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "referee/match/plan.hpp"
#include "referee/record/journal.hpp"

namespace referee::match {

/// 64 hexadecimal digits. Throws std::runtime_error naming the file when it cannot be read.
[[nodiscard]] std::string sha256_of_file(const std::string& path);
[[nodiscard]] std::string sha256(std::string_view bytes);

/// Hashes every file the plan names (each once). Throws std::runtime_error naming the file.
[[nodiscard]] record::PlanRecord fingerprint(const MatchPlan& plan, std::string match_file_text);

/// One line for each item that differs: "engine Stockfish: binary changed (sha256 1f..., now 8c...)". Engines and cycles that were added
/// are no change.
[[nodiscard]] std::vector<std::string> changes(const record::PlanRecord& recorded, const record::PlanRecord& now);

/// The stages an interrupted match had reached; empty when the record does not tell.
[[nodiscard]] std::vector<Stage> recorded_stages(const record::PlanRecord& recorded);

}  // namespace referee::match
