// What `isolation: strict` adds inside the child: no network (seccomp) and no writing outside the working folder (Landlock). Both need no
// privilege but no_new_privs, hold for all descendants and cannot be undone. Part of the trampoline; each function returns 0 or an errno.
#pragma once

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace referee::engine::sandbox {

inline constexpr std::uint32_t allow = SECCOMP_RET_ALLOW;
inline constexpr std::uint32_t deny = SECCOMP_RET_ERRNO | EACCES;

inline sock_filter load(std::size_t offset) { return sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<std::uint32_t>(offset)}; }
inline sock_filter give(std::uint32_t verdict) { return sock_filter{BPF_RET | BPF_K, 0, 0, verdict}; }
/// Goes on after `skip` further instructions if the loaded word is not `value`.
inline sock_filter unless(std::uint32_t value, std::uint8_t skip) { return sock_filter{BPF_JMP | BPF_JEQ | BPF_K, 0, skip, value}; }

/// Sockets of every family but AF_UNIX are refused with EACCES, and with them what could reach the network or other processes without
/// socket(): io_uring, ptrace, process_vm_*.
inline int forbid_network() {
#if defined(__x86_64__)
  constexpr std::uint32_t native = AUDIT_ARCH_X86_64, narrow = AUDIT_ARCH_I386;
  constexpr std::uint32_t narrow_socket = 359, narrow_socketcall = 102, narrow_ptrace = 26;
#elif defined(__aarch64__)
  constexpr std::uint32_t native = AUDIT_ARCH_AARCH64, narrow = AUDIT_ARCH_ARM;
  constexpr std::uint32_t narrow_socket = 281, narrow_socketcall = 102, narrow_ptrace = 26;
#else
#error "the numbers of the system calls are known for x86-64 and arm64"
#endif
  const sock_filter filter[] = {
    load(offsetof(seccomp_data, arch)),
    unless(native, 16),
    load(offsetof(seccomp_data, nr)),
#if defined(__x86_64__)
    sock_filter{BPF_JMP | BPF_JSET | BPF_K, 0, 1, 0x40000000U},  // the x32 numbers
#else
    sock_filter{BPF_JMP | BPF_JA, 0, 0, 1},
#endif
    give(deny),
    unless(__NR_io_uring_setup, 1),
    give(deny),
    unless(__NR_ptrace, 1),
    give(deny),
    unless(__NR_process_vm_readv, 1),
    give(deny),
    unless(__NR_process_vm_writev, 1),
    give(deny),
    unless(__NR_socket, 3),
    load(offsetof(seccomp_data, args)),
    unless(AF_UNIX, 11),  // to the last line
    give(allow),
    give(allow),
    // 32-bit engines run on 64-bit kernels; there sockets are refused whole.
    unless(narrow, 8),
    load(offsetof(seccomp_data, nr)),
    unless(narrow_socketcall, 1),
    give(deny),
    unless(narrow_socket, 1),
    give(deny),
    unless(narrow_ptrace, 1),
    give(deny),
    give(allow),
    give(deny),
  };
  const sock_fprog program{static_cast<unsigned short>(sizeof(filter) / sizeof(filter[0])), const_cast<sock_filter*>(filter)};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? 0 : errno;
}

/// Everything stays readable; writing, creating and removing is possible beneath these folders only.
inline int forbid_writing_outside(std::initializer_list<const char*> folders) {
  struct Ruleset {
    std::uint64_t handled_files;
  };
  struct [[gnu::packed]] PathRule {
    std::uint64_t allowed;
    std::int32_t parent;
  };
  // LANDLOCK_ACCESS_FS_*: write_file 1<<1, remove_dir 1<<4, remove_file 1<<5, make_* 1<<6 .. 1<<12, refer 1<<13 (ABI 2), truncate 1<<14
  // (ABI 3)
  const long version = syscall(__NR_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 0) return errno;
  std::uint64_t writing = 1U << 1;
  for (unsigned bit = 4; bit <= 12; ++bit) writing |= 1U << bit;
  if (version >= 2) writing |= 1U << 13;
  if (version >= 3) writing |= 1U << 14;
  const Ruleset ruleset{writing};
  const int descriptor = static_cast<int>(syscall(__NR_landlock_create_ruleset, &ruleset, sizeof ruleset, 0));
  if (descriptor < 0) return errno;
  for (const char* path : folders) {
    const int parent = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (parent < 0) return errno;
    const PathRule rule{writing, parent};
    if (syscall(__NR_landlock_add_rule, descriptor, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0) return errno;
    close(parent);
  }
  const long restricted = syscall(__NR_landlock_restrict_self, descriptor, 0);
  const int error = errno;
  close(descriptor);
  return restricted == 0 ? 0 : error;
}

}  // namespace referee::engine::sandbox
