#include <algorithm>

#include "referee/chess/fen.hpp"
#include "referee/chess/fen_reader.hpp"

namespace referee::chess {

namespace {

[[nodiscard]] bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
[[nodiscard]] bool is_digit(char c) { return c >= '0' && c <= '9'; }

[[nodiscard]] std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Up to the next semicolon outside quotes, which is taken too.
[[nodiscard]] std::string_view take_operation(std::string_view& rest, bool& closed) {
  bool quoted = false;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == '"') quoted = !quoted;
    if (rest[i] != ';' || quoted) continue;
    const std::string_view taken = rest.substr(0, i);
    rest.remove_prefix(i + 1);
    closed = true;
    return taken;
  }
  const std::string_view taken = rest;
  rest = {};
  closed = false;
  return taken;
}

[[nodiscard]] std::pair<std::string, std::string> split_operation(std::string_view operation) {
  const auto end_of_opcode = std::find_if(operation.begin(), operation.end(), is_blank);
  const auto length = static_cast<std::size_t>(end_of_opcode - operation.begin());
  std::string operand(trimmed(operation.substr(length)));
  operand.erase(std::remove(operand.begin(), operand.end(), '"'), operand.end());
  return {std::string(operation.substr(0, length)), std::move(operand)};
}

[[nodiscard]] bool read_operations(FenReader& reader, std::string_view line, std::string_view rest,
                                   std::vector<std::pair<std::string, std::string>>& operations) {
  while (!(rest = trimmed(rest)).empty()) {
    const auto at = static_cast<std::size_t>(rest.data() - line.data());
    bool closed = false;
    const std::string_view operation = trimmed(take_operation(rest, closed));
    if (!closed) {
      if (!reader.lenient()) return reader.fail(FenField::position, at, "operation " + shown(operation) + " does not end with ;");
      reader.assume("operation " + shown(operation) + " ended by the line");
    }
    if (operation.empty()) continue;
    auto entry = split_operation(operation);
    const bool halfmove = entry.first == "hmvc";
    if (halfmove || entry.first == "fmvn") {
      const FenReader::Word number{entry.second, at};
      if (halfmove ? !reader.read_halfmove(number) : !reader.read_fullmove(number)) return false;
    }
    operations.push_back(std::move(entry));
  }
  return true;
}

/// A counter of a FEN whose line goes on as EPD does: "0 1; id ...". The semicolon is no part of the number.
FenReader::Word without_semicolon(const FenReader& reader, std::size_t i) {
  FenReader::Word word = reader.word(i);
  if (reader.lenient()) word.text = word.text.substr(0, word.text.find(';'));
  return word;
}
std::string_view behind(const FenReader& reader, std::string_view line, std::size_t i) {
  const std::size_t digits = without_semicolon(reader, i).text.size();
  return digits == reader.word(i).text.size() ? reader.after(i) : line.substr(reader.word(i).at + digits + 1);
}

}  // namespace

std::variant<EpdLine, FenError> parse_epd(std::string_view line, FenReading reading) {
  FenReader reader(line, reading, 4);
  std::vector<std::pair<std::string, std::string>> operations;
  if (!reader.read_board()) return reader.error();
  std::string_view rest = reader.after(3);
  // A FEN in an EPD list: counters, perhaps with operations behind them.
  const auto halfmove = without_semicolon(reader, 4);
  const auto fullmove = halfmove.text.size() < reader.word(4).text.size() ? FenReader::Word{} : without_semicolon(reader, 5);
  if (!halfmove.text.empty() && is_digit(halfmove.text[0])) {
    if (!reader.read_halfmove(halfmove)) return reader.error();
    rest = behind(reader, line, 4);
    if (!fullmove.text.empty() && is_digit(fullmove.text[0])) {
      if (!reader.read_fullmove(fullmove)) return reader.error();
      rest = behind(reader, line, 5);
    } else if (reader.lenient()) {
      reader.assume("fullmove number missing: 1 assumed");
    } else {
      reader.fail(FenField::fullmove, fullmove.at, "fullmove number missing after the halfmove number");
      return reader.error();
    }
  }
  if (!read_operations(reader, line, rest, operations)) return reader.error();
  return EpdLine{reader.build(), std::move(operations), reader.assumptions()};
}

}  // namespace referee::chess
