// Another program's output: started, read to its end, and ended with us.
#pragma once

#include <atomic>
#include <string>
#include <vector>

namespace referee::daemon {

struct ChildOutput {
  int status = -1;     // exit status; -1: it could not be started, or a signal ended it
  std::string output;  // of its stdout, at most 4 MiB
};

/// Blocks until the program has ended. `cancel`: it is killed soon after this becomes true.
[[nodiscard]] ChildOutput run_and_read(const std::vector<std::string>& command, const std::atomic<bool>& cancel);

}  // namespace referee::daemon
