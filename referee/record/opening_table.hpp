// Which opening a game is: ECO code, opening and variation by the positions it went through, so that transpositions find their name.
//
//   if (const OpeningName* name = built_in_openings().name_of(start, moves)) write(name->eco, name->opening, name->variation);
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "referee/chess/position.hpp"

namespace referee::record {

struct OpeningName {
  std::string eco;        // "A00" ... "E99"
  std::string opening;    // "Sicilian Defence"
  std::string variation;  // "Najdorf, English Attack", or empty
  friend bool operator==(const OpeningName&, const OpeningName&) = default;
};

class OpeningTableError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

class OpeningTable {
 public:
  /// A line each: code, opening, variation and moves (SAN without numbers) between tabs; # begins a remark. Throws OpeningTableError
  /// with the number of the line for a code that is none, a move that is not legal, a position that another line has already.
  explicit OpeningTable(std::string_view text);

  [[nodiscard]] std::size_t size() const noexcept { return names_.size(); }
  [[nodiscard]] const std::vector<OpeningName>& names() const noexcept { return names_; }
  /// Half-moves of a game that are looked at: the deepest line, and some moves lost on the way to it.
  [[nodiscard]] std::size_t horizon() const noexcept { return deepest_ + 10; }
  /// nullptr if the table does not know the position.
  [[nodiscard]] const OpeningName* find(const chess::Position& position) const noexcept;
  /// Of the last known position of the game; nullptr for a game that never passes one (set-up positions, Chess960). Needs: legal moves.
  [[nodiscard]] const OpeningName* name_of(const chess::Position& start, const std::vector<chess::Move>& moves) const noexcept;

 private:
  std::vector<OpeningName> names_;
  std::unordered_map<std::uint64_t, std::uint32_t> by_position_;  // key of the position -> index
  std::size_t deepest_ = 0;
};

/// The table that ships (config/openings.tsv), read once.
[[nodiscard]] const OpeningTable& built_in_openings();

}  // namespace referee::record
