// Which thinking lines are read in full: none before it is needed. A line is kept as text; it is parsed when the search has moved on to
// another depth or when the answer comes, and at most a thousand times a search, so a flood costs a copy of the line and no more.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine_iface/protocol.hpp"

namespace referee::engine {

class InfoKeeper {
 public:
  using Parser = SearchInfo (*)(std::string_view line);
  explicit InfoKeeper(Parser parser) noexcept : parser_(parser) {}

  void begin_search() noexcept;
  /// A line with a score or a line of play; longer than longest_line it is cut between words.
  void take(std::string_view line, std::optional<int> depth, InfoInterest interest, Effects& out);
  /// The line goes on (XBoard).
  void extend(std::string_view more);
  /// The answer has come: what is kept is told before it.
  void tell(Effects& out);

  static constexpr std::size_t longest_line = 16 * 1024;

 private:
  static constexpr int most_told = 1000;

  Parser parser_;
  std::string kept_;
  std::optional<int> depth_;
  int told_ = 0;
};

}  // namespace referee::engine
