// Views of a finished journal, many games at a time: PGN, the final positions, the moves as a table. Rendered on several threads, each
// with a connection of its own, and handed over in the order asked for.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "referee/record/journal.hpp"
#include "referee/record/pgn.hpp"

namespace referee::record {

enum class ExportForm {
  pgn,
  epd,  // the final position, with `id` (players and result) and `c0` (how it ended)
  csv,  // one row a move; csv_head() names the columns
};
[[nodiscard]] std::string_view csv_head() noexcept;

/// One game in one of the forms; `style` is of PGN.
void append_game(std::string& out, const RecordedGame& game, ExportForm form, const PgnStyle& style);

/// Which games; what is empty lets everything pass.
struct ExportFilter {
  std::vector<std::string> engines;  // one of them has White or Black
  std::vector<std::string> results;  // "1-0" "0-1" "1/2-1/2" "*"
  std::vector<std::string> reasons;  // codes
  std::vector<int> rounds, games;
  bool unfinished = false;  // games being played too
  bool uncounted = false;   // attempts that do not count, voided games
  [[nodiscard]] bool passes(const GameRow& row) const;
};

enum class ExportOrder { ended, number, round };
void sort_rows(std::vector<GameRow>& rows, ExportOrder order);

struct ExportTask {
  std::string journal;  // path
  std::vector<ExportForm> forms;
  PgnStyle style;
  unsigned threads = 1;
};
/// `write(form index, text)` is called on the caller's thread, games in the order of `rows`. Throws JournalError.
void export_games(const ExportTask& task, const std::vector<GameRow>& rows,
                  const std::function<void(std::size_t, std::string_view)>& write);

}  // namespace referee::record
