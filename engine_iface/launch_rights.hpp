// What an engine may do in its namespace: how many processes it may have, and which of root's privileges it keeps. Part of the trampoline.
#pragma once

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

namespace referee::engine::rights {

inline bool write_file(const char* path, const char* text) {
  const int descriptor = open(path, O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool written = write(descriptor, text, std::strlen(text)) == static_cast<ssize_t>(std::strlen(text));
  const int error = errno;
  close(descriptor);
  errno = error;
  return written;
}

inline bool kernel_is_at_least(int major, int minor) {
  utsname name{};
  if (uname(&name) != 0) return false;
  char* end = nullptr;
  const long had_major = std::strtol(name.release, &end, 10);
  if (end == name.release || *end != '.') return false;
  const long had_minor = std::strtol(end + 1, nullptr, 10);
  return had_major > major || (had_major == major && had_minor >= minor);
}

/// At most `most` processes and threads in this user namespace, its keeper and init not counted: since Linux 5.14 RLIMIT_NPROC counts by
/// user namespace. 0, or an errno. Root of the host is exempt from it (kernel/fork.c).
inline int limit_in_user_namespace(std::uint64_t most) {
  if (!kernel_is_at_least(5, 14)) return ENOSYS;
  constexpr rlim_t keeper_and_init = 2;
  const rlimit limit{most + keeper_and_init, most + keeper_and_init};
  return setrlimit(RLIMIT_NPROC, &limit) == 0 ? 0 : errno;
}

/// The same in this pid namespace, by leaving it no more numbers: since Linux 6.14 pid_max belongs to the namespace. Before that it was the
/// host's, which is not ours to change.
inline int limit_in_pid_namespace(std::uint64_t most) {
  if (!kernel_is_at_least(6, 14)) return ENOSYS;
  // Numbers below 300 are not given a second time (RESERVED_PIDS); the engine itself has one from outside the range.
  constexpr std::uint64_t reserved = 300;
  const std::uint64_t last = reserved + (most > 1 ? most - 1 : 1);
  if (!write_file("/proc/sys/kernel/pid_max", std::to_string(last).c_str())) return errno;
  // Where this is refused the first 300 are given out as well, once.
  (void)write_file("/proc/sys/kernel/ns_last_pid", std::to_string(reserved).c_str());
  return 0;
}

/// Settings of the kernel are files that belong to root, whatever its privileges: from here on they can only be read.
inline int seal(const char* folder) {
  if (mount(folder, folder, nullptr, MS_BIND | MS_REC, nullptr) != 0) return errno;
  constexpr unsigned long sealed = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC;
  return mount(nullptr, folder, nullptr, sealed, nullptr) == 0 ? 0 : errno;
}

/// Privileges that let root work on its own files and schedule its own threads, and no more.
inline constexpr std::uint64_t of_an_ordinary_program = 1ULL << CAP_CHOWN | 1ULL << CAP_DAC_OVERRIDE | 1ULL << CAP_FOWNER |
                                                        1ULL << CAP_FSETID | 1ULL << CAP_KILL | 1ULL << CAP_SETGID | 1ULL << CAP_SETUID |
                                                        1ULL << CAP_NET_BIND_SERVICE | 1ULL << CAP_IPC_LOCK | 1ULL << CAP_SYS_NICE;

/// Gives up all other privileges, for good: no_new_privs is to be set.
inline int keep_privileges(std::uint64_t kept) {
  for (unsigned long number = 0; number < 64; ++number) {
    // EINVAL: there are no more; EPERM: an unprivileged user, who has none to lose.
    if ((kept >> number & 1) == 0 && prctl(PR_CAPBSET_DROP, number, 0, 0, 0) != 0) break;
  }
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2]{};
  if (syscall(SYS_capget, &header, data) != 0) return errno;
  for (unsigned half = 0; half < 2; ++half) {
    const auto mask = static_cast<std::uint32_t>(kept >> (32 * half));
    data[half].permitted &= mask;
    data[half].effective = data[half].permitted;
    data[half].inheritable = 0;
  }
  return syscall(SYS_capset, &header, data) == 0 ? 0 : errno;
}

}  // namespace referee::engine::rights
