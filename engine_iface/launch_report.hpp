// What the trampoline writes to its report pipe (descriptor 3) before it becomes the engine. Plain: shared with a program without
// exceptions.
//
// notice* then running then end of file   the engine runs
// ... failed                              it could not be started
// end of file without running             the trampoline died
#pragma once

#include <cstdint>

namespace referee::engine {

enum class LaunchEvent : std::uint8_t {
  notice = 1,   // a protection that this host does not give; the launch goes on
  running = 2,  // written just before the engine is executed; a failed record after it says that this did not work
  failed = 3,
};

enum class LaunchStep : std::uint8_t {
  none,
  usage,
  parent_death_signal,
  limits,
  processors,
  folder,
  no_new_privileges,
  user_namespace,
  pid_namespace,
  processes,  // fork
  memory_limit,
  network,
  files,
  process_files,
  execute,
  view,  // of the files: what strict makes of the mount namespace
  network_namespace,
  shared_memory,
  process_limit,
  kernel_settings,
  privileges,
  control_group,
};

struct LaunchRecord {
  LaunchEvent event;
  LaunchStep step;
  std::uint16_t reserved;
  std::int32_t error;  // errno
};
static_assert(sizeof(LaunchRecord) == 8);

}  // namespace referee::engine
