// Views of the journal in files: the PGN of finished games, the PGN of games being played, the stream of events.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "referee/record/fact.hpp"
#include "referee/record/journal.hpp"
#include "referee/record/pgn.hpp"

namespace referee::record {

/// Appends each finished, counted game in one write. Throws JournalError when the file cannot be opened or written.
class PgnView : public View {
 public:
  /// What to do with a file that is there. `extend`: a record of the journal's cut off by a crash is cut away, games that are void are
  /// taken out, finished games of the journal that the file lacks are added, each game stands there once. `replace`: games of the journal
  /// are written anew. Others' games stay.
  enum class Existing { extend, replace };
  /// `journal`: what has been played before; read during construction only.
  PgnView(std::string path, PgnStyle style, const Journal& journal, Existing existing = Existing::extend);
  ~PgnView() override;
  void see(const Fact& fact) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Writes the journal's games in a PGN file anew; what others wrote there stays. The file is replaced whole, and a link stays one: whoever
/// reads it meanwhile has the old text. Throws JournalError, and leaves the file as it was.
void rewrite_pgn(const std::string& path, const PgnStyle& style, const Journal& journal);

/// One PGN of the games being played, replaced atomically (rename), at most once in `interval`; a game that has ended stays until the
/// next one starts in its place, so that a tool that polls sees its last move and result.
class LivePgnView : public View {
 public:
  LivePgnView(std::string path, PgnStyle style, std::chrono::milliseconds interval = std::chrono::milliseconds{200});
  ~LivePgnView() override;  // writes the last state
  void see(const Fact& fact) override;
  void batch_done() override;
  void tick() override;
  [[nodiscard]] std::chrono::milliseconds patience() const noexcept override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// One JSON object a line for each fact (append_json), appended, a line at a time. A kill may keep the last facts before it out of the
/// stream: of these, the ends of games that stand in `journal` are added when the stream is opened again.
class EventStreamView : public View {
 public:
  explicit EventStreamView(const std::string& path, const Journal* journal = nullptr);
  ~EventStreamView() override;
  void see(const Fact& fact) override;
  void batch_done() override;
  [[nodiscard]] std::chrono::milliseconds patience() const noexcept override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace referee::record
