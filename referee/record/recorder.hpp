// Facts from the referee thread, made durable on a thread of its own: journal first, then the views.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "referee/record/fact.hpp"
#include "referee/record/journal.hpp"

namespace referee::record {

class Recorder {
 public:
  /// `on_error` is called once, on the recorder's thread, when the journal can not be written (the match must stop or pause).
  Recorder(std::unique_ptr<Journal> journal, std::vector<std::unique_ptr<View>> views, std::function<void(const std::string&)> on_error);
  ~Recorder();  // writes what is queued

  /// Any thread; never blocks on the disk. Events of running games are made durable within a second, an ended game at once.
  void post(Fact fact);
  /// Blocks until everything posted before is durable and seen by the views.
  void flush();
  [[nodiscard]] std::size_t backlog() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace referee::record
