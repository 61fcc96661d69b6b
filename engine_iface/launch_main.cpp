// referee-launch: runs inside each child before the engine, prepares it and becomes it. What cannot be done from outside is done here.
//
//   referee-launch [--parent PID] [--folder DIR] [--namespace pid|user] [--cpus 0,2] [--memory BYTES] [--files N] [--processes N]
//                  [--group DIR] [--strict] [--see PATH]... [--hide PATH]... -- ENGINE ARGUMENTS...
//   referee-launch --probe pid|user        exits with 0, or with the errno that says why not
//
// Descriptor 3 is the report pipe (launch_report.hpp). With --namespace there are three processes: the keeper (the referee's child,
// outside), the init of the namespace (which reaps, and whose end ends everything in it) and the engine; the keeper ends the way the engine
// ended.
#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>

#include "engine_iface/launch_cage.hpp"
#include "engine_iface/launch_report.hpp"
#include "engine_iface/launch_rights.hpp"
#include "engine_iface/launch_sandbox.hpp"

namespace {

using referee::engine::LaunchEvent;
using referee::engine::LaunchRecord;
using referee::engine::LaunchStep;
namespace cage = referee::engine::cage;
namespace rights = referee::engine::rights;

constexpr int report_descriptor = 3;

void report(LaunchEvent event, LaunchStep step, int error) {
  const LaunchRecord record{event, step, 0, error};
  // A record is far smaller than PIPE_BUF: it is written whole or, when the referee is gone, not at all.
  if (write(report_descriptor, &record, sizeof record) < 0) return;
}

[[noreturn]] void fail(LaunchStep step, int error) {
  report(LaunchEvent::failed, step, error);
  _exit(error);
}

struct Order {
  pid_t parent = 0;
  const char* folder = nullptr;
  enum class Namespace { none, pid, user } isolation = Namespace::none;
  const char* cpus = nullptr;
  rlim_t memory = RLIM_INFINITY;
  rlim_t files = 0;
  unsigned long long processes = 0;  // 0 = no limit
  const char* group = nullptr;       // folder of a control group that holds the limit on processes
  bool strict = false;
  cage::Paths readable, hidden;
  char** command = nullptr;
};

Order::Namespace read_namespace(const char* text) {
  if (std::strcmp(text, "pid") == 0) return Order::Namespace::pid;
  if (std::strcmp(text, "user") == 0) return Order::Namespace::user;
  fail(LaunchStep::usage, EINVAL);
}

unsigned long long read_number(const char* text) {
  char* end = nullptr;
  errno = 0;
  const unsigned long long value = std::strtoull(text, &end, 10);
  if (errno != 0 || end == text || *end != '\0') fail(LaunchStep::usage, EINVAL);
  return value;
}

Order read_order(int count, char** words) {
  Order order;
  int i = 1;
  for (; i < count && std::strcmp(words[i], "--") != 0; ++i) {
    const char* option = words[i];
    if (std::strcmp(option, "--strict") == 0) {
      order.strict = true;
      continue;
    }
    if (i + 1 >= count) fail(LaunchStep::usage, EINVAL);
    const char* value = words[++i];
    if (std::strcmp(option, "--parent") == 0) {
      order.parent = static_cast<pid_t>(read_number(value));
    } else if (std::strcmp(option, "--folder") == 0) {
      order.folder = value;
    } else if (std::strcmp(option, "--namespace") == 0) {
      order.isolation = read_namespace(value);
    } else if (std::strcmp(option, "--cpus") == 0) {
      order.cpus = value;
    } else if (std::strcmp(option, "--memory") == 0) {
      order.memory = read_number(value);
    } else if (std::strcmp(option, "--files") == 0) {
      order.files = read_number(value);
    } else if (std::strcmp(option, "--processes") == 0) {
      order.processes = read_number(value);
    } else if (std::strcmp(option, "--group") == 0) {
      order.group = value;
    } else if (std::strcmp(option, "--see") == 0) {
      order.readable.emplace_back(value);
    } else if (std::strcmp(option, "--hide") == 0) {
      order.hidden.emplace_back(value);
    } else {
      fail(LaunchStep::usage, EINVAL);
    }
  }
  if (i + 1 >= count) fail(LaunchStep::usage, EINVAL);
  order.command = words + i + 1;
  return order;
}

void set_limits(const Order& order) {
  const rlimit no_core{0, 0};
  if (setrlimit(RLIMIT_CORE, &no_core) != 0) fail(LaunchStep::limits, errno);
  if (order.files == 0) return;
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) fail(LaunchStep::limits, errno);
  files.rlim_cur = order.files < files.rlim_max ? order.files : files.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &files) != 0) fail(LaunchStep::limits, errno);
}

void pin(const char* list) {
  constexpr int most = 4096;
  cpu_set_t* set = CPU_ALLOC(most);
  if (set == nullptr) fail(LaunchStep::processors, ENOMEM);
  const std::size_t size = CPU_ALLOC_SIZE(most);
  CPU_ZERO_S(size, set);
  for (const char* at = list; *at != '\0';) {
    char* end = nullptr;
    const unsigned long cpu = std::strtoul(at, &end, 10);
    if (end == at || cpu >= most) fail(LaunchStep::processors, EINVAL);
    CPU_SET_S(cpu, size, set);
    at = *end == ',' ? end + 1 : end;
    if (*end != ',' && *end != '\0') fail(LaunchStep::processors, EINVAL);
  }
  if (sched_setaffinity(0, size, set) != 0) fail(LaunchStep::processors, errno);
  CPU_FREE(set);
}

/// 0, or the errno that says why this host gives no pid namespace; nothing has changed then. An unprivileged user gets the right to make
/// one from a user namespace in which he is himself and nobody else is known.
int make_namespace(Order::Namespace kind) {
  if (kind == Order::Namespace::pid) return unshare(CLONE_NEWPID) == 0 ? 0 : errno;
  const unsigned user = geteuid(), group = getegid();
  if (unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0) return errno;
  const auto only = [](unsigned id) { return std::to_string(id) + " " + std::to_string(id) + " 1"; };
  if (!rights::write_file("/proc/self/uid_map", only(user).c_str())) fail(LaunchStep::user_namespace, errno);
  if (!rights::write_file("/proc/self/setgroups", "deny")) fail(LaunchStep::user_namespace, errno);
  if (!rights::write_file("/proc/self/gid_map", only(group).c_str())) fail(LaunchStep::user_namespace, errno);
  return 0;
}

/// A /proc that shows this namespace only: through the host's an engine reaches the referee's memory and descriptors, as far as their users
/// are the same. 0, or the errno that says why not; the host's is seen then.
int hide_other_processes() {
  if (unshare(CLONE_NEWNS) != 0) return errno;
  if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return errno;
  return mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) == 0 ? 0 : errno;
}

/// A child that gets the number `wanted` in this namespace if that can be had (it needs a capability there), else any.
/// So the engine's own getpid() is the number the referee knows it by, and unique among the engines of a host.
pid_t fork_as(pid_t wanted) {
  clone_args arguments{};
  pid_t numbers[1] = {wanted};
  arguments.exit_signal = SIGCHLD;
  arguments.set_tid = reinterpret_cast<std::uintptr_t>(numbers);
  arguments.set_tid_size = 1;
  const long child = syscall(__NR_clone3, &arguments, sizeof arguments);
  return child >= 0 ? static_cast<pid_t>(child) : fork();
}

/// Network, message queues and shared memory of its own, a host name of its own, and a view of the files of its own; true if that came
/// about.
bool enter_cage(const Order& order) {
  if (unshare(CLONE_NEWNET) != 0) report(LaunchEvent::notice, LaunchStep::network_namespace, errno);
  if (unshare(CLONE_NEWIPC | CLONE_NEWUTS) != 0) report(LaunchEvent::notice, LaunchStep::shared_memory, errno);
  const cage::Entry entry = cage::enter(order.command[0], order.readable, order.hidden);
  if (entry.error == 0) {
    (void)setenv("TMPDIR", "/tmp", 1);
  } else if (entry.half_way) {
    fail(LaunchStep::view, entry.error);
  } else {
    report(LaunchEvent::notice, LaunchStep::view, entry.error);
  }
  return entry.error == 0;
}

/// What was made for the engine before it is executed.
struct Surroundings {
  bool own_processes = false;     // a pid namespace
  bool own_mounts = false;        // a mount namespace with a /proc of that pid namespace
  bool own_files = false;         // and in it the view that strict promises
  bool counted_by_group = false;  // in a control group that limits its processes
};

/// True if it limits the number of processes.
bool join_group(const std::string& folder) {
  if (!rights::write_file((folder + "/cgroup.procs").c_str(), "0")) {
    report(LaunchEvent::notice, LaunchStep::control_group, errno);
    return false;
  }
  return access((folder + "/pids.max").c_str(), F_OK) == 0;
}

/// By whatever this host has for it. Outside a namespace nothing counts the engine's processes apart from the user's others.
void limit_processes(const Order& order, const Surroundings& surroundings) {
  if (surroundings.counted_by_group) return;
  int error = EOPNOTSUPP;
  if (surroundings.own_processes && order.isolation == Order::Namespace::user && geteuid() != 0)
    error = rights::limit_in_user_namespace(order.processes);
  if (error != 0 && surroundings.own_mounts) error = rights::limit_in_pid_namespace(order.processes);
  if (error != 0) report(LaunchEvent::notice, LaunchStep::process_limit, error);
}

void give_up_privileges(const Order& order) {
  const int error = rights::keep_privileges(order.strict ? 0 : rights::of_an_ordinary_program);
  if (error != 0) report(LaunchEvent::notice, LaunchStep::privileges, error);
}

[[noreturn]] void become_engine(const Order& order, const Surroundings& surroundings) {
  if (order.processes != 0) limit_processes(order, surroundings);
  if (surroundings.own_mounts) {
    if (const int error = rights::seal(order.strict ? "/proc" : "/proc/sys"); error != 0)
      report(LaunchEvent::notice, LaunchStep::kernel_settings, error);
  }
  if (surroundings.own_processes || order.strict) give_up_privileges(order);
  if (order.strict) {
    // /dev holds null and shm; /tmp is the engine's own in its own view only.
    const int error = surroundings.own_files ? referee::engine::sandbox::forbid_writing_outside({".", "/dev", "/tmp"})
                                             : referee::engine::sandbox::forbid_writing_outside({".", "/dev"});
    if (error != 0) report(LaunchEvent::notice, LaunchStep::files, error);
    if (const int refused = referee::engine::sandbox::forbid_network(); refused != 0)
      report(LaunchEvent::notice, LaunchStep::network, refused);
  }
  if (order.memory != RLIM_INFINITY) {
    const rlimit memory{order.memory, order.memory};
    if (setrlimit(RLIMIT_AS, &memory) != 0) fail(LaunchStep::memory_limit, errno);
  }
  report(LaunchEvent::running, LaunchStep::none, 0);
  execv(order.command[0], order.command);
  fail(LaunchStep::execute, errno);
}

/// The engine's name is not to be found under a keeper's or an init's number.
void hide_arguments(int count, char** words) {
  for (int i = 1; i < count; ++i) std::memset(words[i], 0, std::strlen(words[i]));
}

[[noreturn]] void die_like(int status) {
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    (void)std::signal(number, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    sigprocmask(SIG_UNBLOCK, &set, nullptr);
    kill(getpid(), number);
  }
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

/// Process 1 of the namespace: starts the engine, reaps, and leaves the engine's status where the keeper finds it.
[[noreturn]] void be_init(const Order& order, pid_t number, int keeper_alive, volatile int* status, int count, char** words) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) fail(LaunchStep::parent_death_signal, errno);
  pollfd keeper{keeper_alive, 0, 0};
  if (poll(&keeper, 1, 0) != 0) _exit(127);  // it died before the signal was asked for
  close(keeper_alive);
  Surroundings surroundings{true, false, false, order.group != nullptr && join_group(order.group)};
  if (const int error = hide_other_processes(); error != 0) {
    report(LaunchEvent::notice, LaunchStep::process_files, error);
    if (order.strict) report(LaunchEvent::notice, LaunchStep::view, error);
  } else {
    surroundings.own_mounts = true;
    surroundings.own_files = order.strict && enter_cage(order);
  }
  const pid_t engine = fork_as(number);
  if (engine < 0) fail(LaunchStep::processes, errno);
  if (engine == 0) become_engine(order, surroundings);
  hide_arguments(count, words);
  close_range(0, ~0U, 0);  // the engine alone holds its pipes: their end of file is its own
  for (;;) {
    int how = 0;
    const pid_t ended = waitpid(-1, &how, 0);
    if (ended == engine) {
      *status = how;
      _exit(0);
    }
    if (ended < 0 && errno != EINTR) _exit(127);
  }
}

[[noreturn]] void be_keeper(pid_t init, const volatile int* status) {
  close_range(0, 2, 0);
  close(report_descriptor);
  int how = 0;
  while (waitpid(init, &how, 0) < 0) {
    if (errno != EINTR) _exit(127);
  }
  die_like(WIFEXITED(how) && WEXITSTATUS(how) == 0 ? *status : how);
}

void enter_namespace(const Order& order, int count, char** words) {
  const pid_t number = getpid();
  if (const int error = make_namespace(order.isolation); error != 0) {
    report(LaunchEvent::notice, order.isolation == Order::Namespace::user ? LaunchStep::user_namespace : LaunchStep::pid_namespace, error);
    return;
  }
  void* shared = mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int alive[2];
  if (shared == MAP_FAILED || pipe2(alive, O_CLOEXEC) != 0) fail(LaunchStep::processes, errno);
  const pid_t init = fork();
  if (init < 0) fail(LaunchStep::processes, errno);
  if (init == 0) {
    close(alive[1]);
    be_init(order, number, alive[0], static_cast<volatile int*>(shared), count, words);
  }
  // Signals for the engine go to the process group, which the keeper leads.
  for (const int ignored : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2}) (void)std::signal(ignored, SIG_IGN);
  hide_arguments(count, words);
  be_keeper(init, static_cast<volatile int*>(shared));
}

int probe(const char* kind) {
  if (const int error = make_namespace(std::strcmp(kind, "user") == 0 ? Order::Namespace::user : Order::Namespace::pid); error != 0)
    return error;
  const pid_t child = fork();
  if (child < 0) return errno;
  if (child == 0) _exit(getpid() == 1 ? 0 : ENOSYS);
  int how = 0;
  if (waitpid(child, &how, 0) != child) return errno;
  return WIFEXITED(how) ? WEXITSTATUS(how) : EPERM;
}

}  // namespace

int main(int count, char** words) {
  if (count == 3 && std::strcmp(words[1], "--probe") == 0) return probe(words[2]);
  if (fcntl(report_descriptor, F_SETFD, FD_CLOEXEC) != 0) {
    (void)std::fputs("referee-launch is started by referee\n", stderr);
    return 2;
  }
  const Order order = read_order(count, words);
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) fail(LaunchStep::parent_death_signal, errno);
  if (order.parent != 0 && getppid() != order.parent) return 127;  // it died before the signal was asked for
  set_limits(order);
  if (order.cpus != nullptr) pin(order.cpus);
  if (order.folder != nullptr && chdir(order.folder) != 0) fail(LaunchStep::folder, errno);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail(LaunchStep::no_new_privileges, errno);
  if (order.isolation != Order::Namespace::none) enter_namespace(order, count, words);
  if (order.strict) report(LaunchEvent::notice, LaunchStep::view, EOPNOTSUPP);
  become_engine(order, Surroundings{false, false, false, order.group != nullptr && join_group(order.group)});
}
