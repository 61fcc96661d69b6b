// What engines and referee said to each other, as text for people: the last lines of both sides of a faulty game, and the full protocol
// log of a match where it is switched on.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "engine_iface/engine.hpp"
#include "referee/match/worker.hpp"

namespace referee::match {

/// "12.345678 Name > go wtime ...": > to the engine, < from it, ! its stderr, - a note. Seconds on the monotonic clock.
void append_line(std::string& out, std::string_view name, const engine::LoggedLine& line);

/// The recent lines of both engines in order of time.
[[nodiscard]] std::string merged_lines(std::array<const engine::Engine*, 2> engines);

/// One file an engine process, `folder/NAME-SERIAL.log`, written on the worker's thread. If the disk does not follow, lines are left out
/// and counted: a log never holds a game up.
class ProtocolLog {
 public:
  using Tell = std::function<void(const std::string&)>;
  /// Makes the folder. Throws std::runtime_error naming it. `tell`, on the worker's thread: hears once of each file that what was said
  /// could not be written, and once that it can again.
  ProtocolLog(std::string folder, Worker& worker, Tell tell);
  ~ProtocolLog();
  ProtocolLog(const ProtocolLog&) = delete;
  ProtocolLog& operator=(const ProtocolLog&) = delete;

  /// Call before the engine starts.
  void attach(engine::Engine& engine, int serial);

 private:
  class File;
  std::string folder_;
  Worker& worker_;
  Tell tell_;
};

}  // namespace referee::match
