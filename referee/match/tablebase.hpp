// Syzygy tables through Fathom: who wins a position of few men. Games are ended by them (adjudication.syzygy).
//
// A win or loss counts when the fifty-move count stands at zero, that is right after a capture or pawn move: only then the tables know
// that it comes about within fifty moves. What the fifty-move rule spoils is a draw, unless `ignore_50`. Nothing is said while anybody
// may castle.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "config/match_file.hpp"
#include "referee/chess/position.hpp"
#include "referee/game/outcome.hpp"

namespace referee::match {

class Tablebase {
 public:
  /// Fathom has one set of tables a process: opened a second time, the folders must be the same. Throws std::runtime_error: no table is
  /// there, or other folders are open.
  [[nodiscard]] static std::shared_ptr<const Tablebase> open(const config::Syzygy& settings);
  virtual ~Tablebase() = default;
  Tablebase(const Tablebase&) = delete;
  Tablebase& operator=(const Tablebase&) = delete;

  /// The score with best play; nullopt where the tables do not tell. Reads memory-mapped files; bounded work.
  [[nodiscard]] std::optional<game::Score> probe(const chess::Position& position, const config::Syzygy& settings) const;
  /// Men of the largest table.
  [[nodiscard]] virtual int most_pieces() const noexcept = 0;

 protected:
  Tablebase() = default;
};

}  // namespace referee::match
