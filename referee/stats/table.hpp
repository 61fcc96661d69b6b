// A table of text in the forms it is published in: columns of text, CSV (RFC 4180), a page of HTML.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace referee::stats {

struct Column {
  enum class Align { left, right };
  std::string header;
  Align align = Align::right;
};

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;  // as many cells as columns
};

/// Lines of equal width by characters (UTF-8), without blanks at their ends.
[[nodiscard]] std::string to_text(const Table& table);
/// Header line first; cells with commas, quotes or line ends are quoted.
[[nodiscard]] std::string to_csv(const Table& table);
/// One <table> element.
[[nodiscard]] std::string to_html(const Table& table);
/// A whole page in UTF-8; `notes` are paragraphs below the tables; `inside` is put before them as it stands (tables, charts).
[[nodiscard]] std::string html_page(std::string_view title, std::string_view inside, const std::vector<std::string>& notes);
/// `& < > " '` as entities, bytes that are no UTF-8 and control characters as U+FFFD.
[[nodiscard]] std::string html_escaped(std::string_view text);
/// Number with a fixed count of decimals, independent of the locale.
[[nodiscard]] std::string fixed(double value, int decimals);

}  // namespace referee::stats
