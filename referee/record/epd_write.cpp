#include "referee/record/epd_write.hpp"

#include "referee/chess/fen.hpp"
#include "referee/game/printable.hpp"

namespace referee::record {

void append_epd(std::string& out, const chess::Position& position, const std::vector<std::pair<std::string_view, std::string>>& texts) {
  const std::string fen = chess::to_fen(position);
  // The counters behind the fourth blank are operations here.
  std::size_t end = 0;
  for (int blanks = 0; blanks < 4; ++blanks) end = fen.find(' ', end + 1);
  out.append(fen, 0, end);
  out += " hmvc " + std::to_string(position.halfmove_clock()) + "; fmvn " + std::to_string(position.fullmove_number()) + ";";
  for (const auto& [opcode, text] : texts) {
    out += ' ';
    out += opcode;
    out += " \"";
    for (const char c : game::printable(text)) out += c == '"' ? '\'' : c;
    out += "\";";
  }
  out += '\n';
}

}  // namespace referee::record
