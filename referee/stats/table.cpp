#include "referee/stats/table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace referee::stats {

namespace {

/// Characters: bytes that do not continue one.
[[nodiscard]] std::size_t width(std::string_view text) noexcept {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

void append_cell(std::string& out, std::string_view cell, std::size_t wide, Column::Align align) {
  const std::string blanks(wide - std::min(wide, width(cell)), ' ');
  if (align == Column::Align::right) out += blanks;
  for (const char c : cell) out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
  if (align == Column::Align::left) out += blanks;
}

void end_line(std::string& out) {
  out.erase(out.find_last_not_of(' ') + 1);
  out += '\n';
}

/// Length of the valid UTF-8 character at the start of `text`, 0 for none.
[[nodiscard]] std::size_t character(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(text[i])); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xC2 && first < 0xE0 ? 2 : first >= 0xE0 && first < 0xF0 ? 3 : first >= 0xF0 && first < 0xF5 ? 4 : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  const unsigned second = byte(1);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool surrogate = first == 0xED && second > 0x9F;
  const bool beyond = first == 0xF4 && second > 0x8F;
  return overlong || surrogate || beyond ? 0 : length;
}

void append_csv(std::string& out, const std::string& cell) {
  if (cell.find_first_of(",\"\r\n") == std::string::npos) {
    out += cell;
    return;
  }
  out += '"';
  for (const char c : cell) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

}  // namespace

std::string to_text(const Table& table) {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    std::size_t widest = width(table.columns[i].header);
    for (const auto& row : table.rows) widest = std::max(widest, width(row[i]));
    widths.push_back(widest);
  }
  std::string out;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (i > 0) out += "  ";
    append_cell(out, table.columns[i].header, widths[i], table.columns[i].align);
  }
  end_line(out);
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (i > 0) out += "  ";
      append_cell(out, row[i], widths[i], table.columns[i].align);
    }
    end_line(out);
  }
  return out;
}

std::string to_csv(const Table& table) {
  std::string out;
  const auto line = [&](std::size_t count, const auto& cell) {
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) out += ',';
      append_csv(out, cell(i));
    }
    out += '\n';
  };
  line(table.columns.size(), [&](std::size_t i) { return table.columns[i].header; });
  for (const auto& row : table.rows) line(row.size(), [&](std::size_t i) { return row[i]; });
  return out;
}

std::string to_html(const Table& table) {
  std::string out = "<table>\n<thead><tr>";
  const auto open = [](const char* element, Column::Align align) {
    return std::string("<") + element + (align == Column::Align::left ? " class=\"l\">" : ">");
  };
  for (const Column& column : table.columns) out += open("th", column.align) + html_escaped(column.header) + "</th>";
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) out += open("td", table.columns[i].align) + html_escaped(row[i]) + "</td>";
    out += "</tr>\n";
  }
  return out + "</tbody>\n</table>\n";
}

std::string html_page(std::string_view title, std::string_view inside, const std::vector<std::string>& notes) {
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>" +
      html_escaped(title) +
      "</title>\n<style>\nbody { font: 15px/1.4 system-ui, sans-serif; margin: 2em; }\ntable { border-collapse: collapse; }\n"
      "th, td { padding: 0.15em 0.7em; text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }\n"
      "th { border-bottom: 2px solid #888; }\ntd { border-bottom: 1px solid #8886; }\n.l { text-align: left; }\n"
      "p { opacity: 0.75; max-width: 60em; }\n</style>\n</head>\n<body>\n<h1>" +
      html_escaped(title) + "</h1>\n";
  out += inside;
  for (const std::string& note : notes) out += "<p>" + html_escaped(note) + "</p>\n";
  return out + "</body>\n</html>\n";
}

std::string html_escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = character(text);
    const char c = text.front();
    if (length == 0 || static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      out += c == '\t' || c == '\n' ? " " : "\xEF\xBF\xBD";
    else if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else
      out += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string fixed(double value, int decimals) {
  if (!std::isfinite(value)) return "?";
  std::array<char, 400> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals);
  std::string out(text.data(), error == std::errc{} ? end : text.data());
  // No negative zero in a table.
  if (out.starts_with('-') && out.find_first_of("123456789") == std::string::npos) out.erase(0, 1);
  return out;
}

}  // namespace referee::stats
