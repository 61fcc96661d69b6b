// Facts from the referee thread, made durable on a thread of its own: journal first, then the views.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "referee/record/fact.hpp"
#include "referee/record/journal.hpp"

namespace referee::record {

class Recorder {
 public:
  using Tell = std::function<void(const std::string&)>;
  /// `on_error` is called at most once, on the recorder's thread, when the journal can not be written (the match must stop). A full disk
  /// is no such error: the recorder waits for room, tries again several times a second, and tells of both ends of the wait by `on_wait`.
  Recorder(std::unique_ptr<Journal> journal, std::vector<std::unique_ptr<View>> views, Tell on_error, Tell on_wait = {});
  ~Recorder();  // writes what is queued
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Any thread; never blocks on the disk. Events of running games are written within a second (sooner if a view asks), an ended game
  /// and facts outside games within 20 ms.
  void post(Fact fact);
  /// The same for consecutive facts of one game, handed over as a whole: what a fast game posts, at a fraction of the cost.
  void post(std::vector<Fact> facts);
  /// An empty vector to collect the next facts in: with the room of one that was posted before, as long as there are any.
  [[nodiscard]] std::vector<Fact> spare();
  /// Blocks until everything posted before is durable and seen by the views (or the journal has failed).
  void flush();
  /// The same for who cannot wait: false if it has not come to that by then, or if the journal has failed.
  [[nodiscard]] bool flush_within(std::chrono::milliseconds limit);
  /// Facts posted and not yet written.
  [[nodiscard]] std::size_t backlog() const noexcept;
  /// Back-pressure: the disk does not follow, or is full; start nothing new until it is false again. (Never so in health: the limit is
  /// far above.)
  [[nodiscard]] bool congested() const noexcept;
  /// False once the journal could not be written: nothing posted later is kept.
  [[nodiscard]] bool healthy() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace referee::record
