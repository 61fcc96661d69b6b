// Matches, games and standings as the API's JSON. Names as in DESIGN section 6: moves in UCI form, times in ms, scores 0..1.
#pragma once

#include <boost/json.hpp>

#include "referee/daemon/match_board.hpp"
#include "referee/daemon/office.hpp"
#include "referee/daemon/registry.hpp"
#include "referee/game/ruling.hpp"
#include "referee/record/journal.hpp"

namespace referee::daemon {

[[nodiscard]] boost::json::value json_ms(game::Duration time);  // null for "no clock"
[[nodiscard]] std::string time_text(record::WallTime time);

[[nodiscard]] boost::json::object to_json(const MatchSummary& match);
[[nodiscard]] boost::json::object to_json(const BoardGame& game);
[[nodiscard]] boost::json::object to_json(const EngineRecord& engine);
[[nodiscard]] boost::json::object to_json(const TokenRecord& token);
[[nodiscard]] boost::json::object to_json(const AuditRecord& record);
/// The rulings as in the event stream, each with its words for people.
[[nodiscard]] boost::json::array to_json(const game::Rulings& rulings);
[[nodiscard]] std::string_view name(game::Phase phase) noexcept;

/// Who met whom, with what points; and for two engines the Elo difference and the SPRT, if the match has one.
[[nodiscard]] boost::json::array crosstable(const EndedGames& games);
[[nodiscard]] boost::json::object statistics(const EndedGames& games, const config::MatchFile& file);

}  // namespace referee::daemon
