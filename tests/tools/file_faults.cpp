// file_faults: a library to be preloaded into `referee` that counts its calls on files beneath one folder and does harm at one of them.
// Built and used by scripts/kill-everywhere.
//
//   FILE_FAULTS_FOLDER=DIR   absolute path: only calls on files beneath it count
//   FILE_FAULTS_TRACE=FILE   a line a call: NUMBER NAME PATH; outside DIR
//   FILE_FAULTS=AT[:ACTION[:SPAN]]   harm from call AT (1, 2, ...) on, for SPAN calls (default 1, 0 = for ever)
//     kill    SIGKILL before the call
//     torn    half of a write is done, then SIGKILL
//     short   half of a write is done and told as such
//     ENOSPC, EIO, EDQUOT, EROFS, EMFILE   what can fail with it fails
//
// What is started from the process is left alone: the constructor removes the library from the environment.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

enum class Action { none, kill, torn, shorten, fail };

char folder[PATH_MAX];
std::size_t folder_size = 0;
int trace = -1;
unsigned long harm_at = 0, harm_span = 1;
Action action = Action::none;
int failure = 0;
std::atomic<unsigned long> calls{0};

int errno_of(const char* name) {
  struct Named {
    const char* name;
    int number;
  };
  for (const Named& known :
       {Named{"ENOSPC", ENOSPC}, Named{"EIO", EIO}, Named{"EDQUOT", EDQUOT}, Named{"EROFS", EROFS}, Named{"EMFILE", EMFILE}}) {
    if (std::strcmp(known.name, name) == 0) return known.number;
  }
  std::fprintf(stderr, "file_faults: unknown action %s\n", name);
  _exit(99);
}

__attribute__((constructor)) void read_environment() {
  const char* where = std::getenv("FILE_FAULTS_FOLDER");
  if (where == nullptr) return;
  std::snprintf(folder, sizeof folder, "%s", where);
  folder_size = std::strlen(folder);
  if (const char* file = std::getenv("FILE_FAULTS_TRACE"); file != nullptr)
    trace = static_cast<int>(syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644));
  if (const char* harm = std::getenv("FILE_FAULTS"); harm != nullptr) {
    char name[16] = "kill";
    std::sscanf(harm, "%lu:%15[^:]:%lu", &harm_at, name, &harm_span);
    action = std::strcmp(name, "kill") == 0    ? Action::kill
             : std::strcmp(name, "torn") == 0  ? Action::torn
             : std::strcmp(name, "short") == 0 ? Action::shorten
                                               : Action::fail;
    if (action == Action::fail) failure = errno_of(name);
  }
  for (const char* variable : {"LD_PRELOAD", "FILE_FAULTS_FOLDER", "FILE_FAULTS_TRACE", "FILE_FAULTS"}) unsetenv(variable);
}

bool beneath(const char* path) {
  if (folder_size == 0) return false;
  char absolute[PATH_MAX];
  if (path[0] != '/') {
    char here[PATH_MAX];
    if (getcwd(here, sizeof here) == nullptr) return false;
    if (std::snprintf(absolute, sizeof absolute, "%s/%s", here, path) >= static_cast<int>(sizeof absolute)) return false;
    path = absolute;
  }
  return std::strncmp(path, folder, folder_size) == 0;
}

const char* path_of(int file, char* buffer, std::size_t size) {
  char link[40];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, buffer, size - 1);
  buffer[length > 0 ? length : 0] = '\0';
  return buffer;
}

[[noreturn]] void die() {
  syscall(SYS_kill, getpid(), SIGKILL);
  for (;;) pause();
}

/// What is to be done at this call of a counted file; kills at once.
Action count(const char* name, const char* path) {
  const unsigned long number = ++calls;
  if (trace >= 0) {
    char line[PATH_MAX + 64];
    const int size = std::snprintf(line, sizeof line, "%lu %s %s\n", number, name, path + (path[0] == '/' ? folder_size : 0));
    if (syscall(SYS_write, trace, line, static_cast<std::size_t>(size)) < 0) _exit(98);
  }
  if (action == Action::none || number < harm_at || (harm_span != 0 && number >= harm_at + harm_span)) return Action::none;
  if (action == Action::kill) die();
  return action;
}

Action count_file(const char* name, int file) {
  if (folder_size == 0) return Action::none;
  char buffer[PATH_MAX];
  const char* path = path_of(file, buffer, sizeof buffer);
  return beneath(path) ? count(name, path) : Action::none;
}
Action count_path(const char* name, const char* path) { return beneath(path) ? count(name, path) : Action::none; }

template <class Function>
Function next(Function /*like*/, const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

int fail() {
  errno = failure;
  return -1;
}

template <class Write>
ssize_t harmed_write(const char* name, int file, std::size_t size, const Write& write) {
  switch (count_file(name, file)) {
    case Action::fail:
      return fail();
    case Action::torn:
      (void)write(size / 2);
      die();
    case Action::shorten:
      return write(size > 1 ? size / 2 : size);
    default:
      return write(size);
  }
}

template <class Call>
int harmed(Action what, const Call& call) {
  if (what == Action::fail) return fail();
  if (what == Action::torn) die();
  return call();
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const auto mode = va_arg(more, mode_t);
  va_end(more);
  const auto call = [&] { return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode)); };
  return (flags & (O_CREAT | O_TRUNC)) != 0 ? harmed(count_path("open", path), call) : call();
}
int open64(const char* path, int flags, ...) __attribute__((alias("open")));

ssize_t write(int file, const void* data, size_t size) {
  return harmed_write("write", file, size, [&](std::size_t part) { return static_cast<ssize_t>(syscall(SYS_write, file, data, part)); });
}
ssize_t pwrite(int file, const void* data, size_t size, off_t at) {
  return harmed_write("pwrite", file, size,
                      [&](std::size_t part) { return static_cast<ssize_t>(syscall(SYS_pwrite64, file, data, part, at)); });
}
ssize_t pwrite64(int file, const void* data, size_t size, off64_t at) __attribute__((alias("pwrite")));
ssize_t writev(int file, const iovec* parts, int many) {
  switch (count_file("writev", file)) {
    case Action::fail:
      return fail();
    case Action::torn:
      (void)!syscall(SYS_write, file, parts[0].iov_base, parts[0].iov_len / 2);
      die();
    default:
      return syscall(SYS_writev, file, parts, many);
  }
}
int fsync(int file) {
  return harmed(count_file("fsync", file), [&] { return static_cast<int>(syscall(SYS_fsync, file)); });
}
int fdatasync(int file) {
  return harmed(count_file("fdatasync", file), [&] { return static_cast<int>(syscall(SYS_fdatasync, file)); });
}
int ftruncate(int file, off_t size) {
  return harmed(count_file("ftruncate", file), [&] { return static_cast<int>(syscall(SYS_ftruncate, file, size)); });
}
int ftruncate64(int file, off64_t size) __attribute__((alias("ftruncate")));
int unlink(const char* path) {
  return harmed(count_path("unlink", path), [&] { return static_cast<int>(syscall(SYS_unlinkat, AT_FDCWD, path, 0)); });
}
int rename(const char* from, const char* to) {
  return harmed(count_path("rename", from), [&] { return next(&rename, "rename")(from, to); });
}
int mkdir(const char* path, mode_t mode) {
  return harmed(count_path("mkdir", path), [&] { return static_cast<int>(syscall(SYS_mkdirat, AT_FDCWD, path, mode)); });
}
int flock(int file, int how) {
  return harmed(count_file("flock", file), [&] { return static_cast<int>(syscall(SYS_flock, file, how)); });
}
}
