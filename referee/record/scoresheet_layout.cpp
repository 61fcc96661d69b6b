// The two forms of a scoresheet: text for a terminal, and a page for the printer.
#include <algorithm>
#include <utility>

#include "referee/record/pgn_annotate.hpp"
#include "referee/record/scoresheet.hpp"

namespace referee::record {

namespace {

using chess::Color;

constexpr std::size_t page_width = 100;

std::string move_text(const ScoresheetMove& move) { return move.text + (move.offer ? " (=)" : ""); }

std::string clock_text(const ScoresheetMove& move) {
  std::string text;
  if (move.clock) append_clock_time(text, *move.clock);
  return text;
}

/// "17.a5" or "17...Qd6": where a note belongs.
std::string place(const Scoresheet& sheet, std::size_t ply) {
  if (ply == 0) return "start";
  const ScoresheetMove& move = sheet.moves[ply - 1];
  return std::to_string(move.number) + (move.side == Color::white ? "." : "...") + move.text;
}

/// One line of the sheet: a move of each side, where there was one.
struct Row {
  int number = 1;
  const ScoresheetMove* white = nullptr;
  const ScoresheetMove* black = nullptr;
};
std::vector<Row> rows(const Scoresheet& sheet) {
  std::vector<Row> all;
  for (const ScoresheetMove& move : sheet.moves) {
    if (move.side == Color::white || all.empty() || all.back().black != nullptr) all.push_back({move.number, nullptr, nullptr});
    (move.side == Color::white ? all.back().white : all.back().black) = &move;
  }
  return all;
}

/// Columns a terminal needs for it: letters, not bytes.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
}
void append_left(std::string& out, const std::string& text, std::size_t columns) {
  out += text;
  out.append(columns - std::min(columns, width(text)), ' ');
}
void append_right(std::string& out, const std::string& text, std::size_t columns) {
  out.append(columns - std::min(columns, width(text)), ' ');
  out += text;
}
void end_line(std::string& out) {
  while (!out.empty() && out.back() == ' ') out.pop_back();
  out += '\n';
}

void append_wrapped(std::string& out, const std::string& head, const std::string& text) {
  const std::size_t indent = std::min<std::size_t>(width(head), 24);
  std::size_t column = width(head);
  out += head;
  bool first = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    if (!first && column + 1 + width(word) > page_width) {
      out += '\n';
      out.append(indent, ' ');
      column = indent;
    } else if (!first) {
      out += ' ';
      ++column;
    }
    out += word;
    column += width(word);
    first = false;
  }
  out += '\n';
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

constexpr std::string_view style_sheet = R"(
@page { size: A4 portrait; margin: 14mm; }
* { box-sizing: border-box; }
body { font: 10.5pt/1.3 Georgia, "Times New Roman", serif; color: #000; background: #fff; max-width: 182mm; margin: 0 auto; padding: 4mm 0; }
h1 { font-size: 14pt; margin: 0 0 2mm; }
dl { display: grid; grid-template-columns: 1fr 1fr; gap: 1mm 8mm; margin: 0 0 4mm; }
dl div { display: flex; gap: 2mm; border-bottom: 1px solid #888; }
dt { color: #555; min-width: 24mm; }
dd { margin: 0; font-weight: bold; overflow-wrap: anywhere; }
dl .wide { grid-column: 1 / -1; }
.moves { columns: 2; column-gap: 8mm; column-rule: 1px solid #888; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
tr { break-inside: avoid; }
th { text-align: left; font-weight: normal; color: #555; border-bottom: 1px solid #000; }
td { border-bottom: 1px solid #bbb; padding: .4mm 1mm; height: 5.4mm; }
td.number { color: #555; text-align: right; width: 9mm; }
td.clock { text-align: right; font-size: 8.5pt; color: #333; white-space: nowrap; }
sup { font-size: 7pt; }
ol { margin: 4mm 0 0; padding-left: 7mm; }
li { break-inside: avoid; }
.result { margin: 4mm 0 0; font-size: 12pt; break-inside: avoid; }
.signatures { display: flex; gap: 10mm; margin-top: 16mm; break-inside: avoid; }
.signatures div { flex: 1; border-top: 1px solid #000; color: #555; font-size: 9pt; padding-top: 1mm; }
)";

class Page {
 public:
  explicit Page(const Scoresheet& sheet) : sheet_(sheet) {}

  std::string text() {
    const std::string title = escaped(sheet_.white + " - " + sheet_.black);
    out_ += "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" + title + "</title>\n<style>";
    out_ += style_sheet;
    out_ += "</style>\n</head>\n<body>\n<h1>Scoresheet</h1>\n<dl>\n";
    field("White", sheet_.white);
    field("Black", sheet_.black);
    field("Event", sheet_.event);
    field("Round", sheet_.round);
    field("Site", sheet_.site);
    field("Date", sheet_.date);
    field("Time control", sheet_.time_control);
    field("Laws", sheet_.edition);
    field("Start", sheet_.start, " class=\"wide\"");
    out_ += "</dl>\n<div class=\"moves\">\n<table lang=\"" + std::string(chess::code(sheet_.language)) +
            "\">\n<thead><tr><th></th><th>White</th><th></th><th>Black</th><th></th></tr></thead>\n<tbody>\n";
    for (const Row& row : rows(sheet_)) {
      out_ += "<tr><td class=\"number\">" + std::to_string(row.number) + "</td>";
      cell(row.white);
      cell(row.black);
      out_ += "</tr>\n";
    }
    out_ += "</tbody>\n</table>\n</div>\n";
    if (!sheet_.notes.empty()) {
      out_ += "<ol>\n";
      for (const ScoresheetNote& note : sheet_.notes)
        out_ += "<li><b>" + escaped(place(sheet_, note.ply)) + "</b> " + escaped(note.text) + "</li>\n";
      out_ += "</ol>\n";
    }
    out_ += "<p class=\"result\">Result: <b>" + escaped(sheet_.result.empty() ? "*" : sheet_.result) + "</b>" +
            (sheet_.ending.empty() ? "" : " &ndash; " + escaped(sheet_.ending)) + "</p>\n";
    out_ += "<div class=\"signatures\"><div>White</div><div>Black</div><div>Arbiter</div></div>\n</body>\n</html>\n";
    return std::move(out_);
  }

 private:
  void field(const char* name, const std::string& value, const char* attribute = "") {
    if (value.empty()) return;
    out_ += std::string("<div") + attribute + "><dt>" + name + "</dt><dd>" + escaped(value) + "</dd></div>\n";
  }
  void cell(const ScoresheetMove* move) {
    if (move == nullptr) {
      out_ += "<td></td><td class=\"clock\"></td>";
      return;
    }
    out_ += "<td>" + escaped(move_text(*move));
    const auto ply = static_cast<std::size_t>(move - sheet_.moves.data()) + 1;
    for (std::size_t i = 0; i < sheet_.notes.size(); ++i) {
      if (sheet_.notes[i].ply == ply) out_ += "<sup>" + std::to_string(i + 1) + "</sup>";
    }
    out_ += "</td><td class=\"clock\">" + clock_text(*move) + "</td>";
  }

  const Scoresheet& sheet_;
  std::string out_;
};

}  // namespace

std::string to_text(const Scoresheet& sheet) {
  std::string out;
  const auto field = [&out](const char* name, const std::string& value) {
    if (value.empty()) return;
    append_left(out, name, 14);
    out += value;
    out += '\n';
  };
  field("White", sheet.white);
  field("Black", sheet.black);
  field("Event", sheet.event);
  field("Site", sheet.site);
  field("Date", sheet.date);
  field("Round", sheet.round);
  field("Time control", sheet.time_control);
  field("Laws", sheet.edition);
  field("Start", sheet.start);
  out += '\n';
  std::size_t moves = 8;
  std::size_t clocks = 0;
  for (const ScoresheetMove& move : sheet.moves) {
    moves = std::max(moves, width(move_text(move)));
    clocks = std::max(clocks, width(clock_text(move)));
  }
  for (const Row& row : rows(sheet)) {
    append_right(out, std::to_string(row.number) + ".", 5);
    for (const ScoresheetMove* move : {row.white, row.black}) {
      out += "  ";
      append_left(out, move != nullptr ? move_text(*move) : move == row.white ? "..." : "", moves);
      if (clocks == 0) continue;
      out += "  ";
      append_right(out, move == nullptr ? "" : clock_text(*move), clocks);
    }
    end_line(out);
  }
  if (!sheet.notes.empty()) out += '\n';
  for (const ScoresheetNote& note : sheet.notes) append_wrapped(out, place(sheet, note.ply) + "  ", note.text);
  out += '\n';
  append_wrapped(out, "Result        ", (sheet.result.empty() ? "*" : sheet.result) + (sheet.ending.empty() ? "" : "  " + sheet.ending));
  return out;
}

std::string to_html(const Scoresheet& sheet) { return Page(sheet).text(); }

}  // namespace referee::record
