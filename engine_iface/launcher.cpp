#include "engine_iface/launcher.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <thread>

#include "engine_iface/child.hpp"
#include "engine_iface/control_groups.hpp"
#include "engine_iface/engine.hpp"
#include "engine_iface/janitor.hpp"
#include "engine_iface/mounts.hpp"

namespace referee::engine {

namespace {

namespace fs = std::filesystem;

constexpr int lowest_child_descriptor = 4;
constexpr unsigned engine_open_files = 4096;
constexpr int probe_limit_ms = 5000;

std::string system_text(int error) { return std::generic_category().message(error); }

[[noreturn]] void throw_launch_error(const std::string& what, int error) { throw LaunchError(what + ": " + system_text(error)); }

bool is_executable_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

std::string find_trampoline(const std::string& asked) {
  constexpr const char* name = "referee-launch";
  std::vector<fs::path> places;
  if (!asked.empty()) {
    places.emplace_back(asked);
  } else if (const char* variable = std::getenv("REFEREE_LAUNCH"); variable != nullptr && *variable != '\0') {
    places.emplace_back(variable);
  } else {
    std::error_code error;
    const fs::path binary = fs::read_symlink("/proc/self/exe", error);
    if (!error) places = {binary.parent_path() / name, binary.parent_path().parent_path() / "libexec/referee" / name};
  }
  std::string tried;
  for (const fs::path& place : places) {
    if (is_executable_file(place)) return fs::absolute(place).string();
    tried += (tried.empty() ? "" : ", ") + place.string();
  }
  throw LaunchError("the program referee-launch is missing (looked for: " + tried + "; REFEREE_LAUNCH may name it)");
}

/// A descriptor of `from`'s file that does not collide with the numbers 0..3 it may be moved to in the child.
Descriptor above_three(Descriptor from) {
  if (from.get() >= lowest_child_descriptor) return from;
  Descriptor moved(fcntl(from.get(), F_DUPFD_CLOEXEC, lowest_child_descriptor));
  if (!moved.is_open()) throw_launch_error("cannot make a pipe to an engine", errno);
  return moved;
}

struct PipeEnds {
  Descriptor read, write;
};

PipeEnds make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw_launch_error("cannot make a pipe to an engine", errno);
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

void make_non_blocking(const Descriptor& descriptor) {
  const int flags = fcntl(descriptor.get(), F_GETFL);
  if (flags < 0 || fcntl(descriptor.get(), F_SETFL, flags | O_NONBLOCK) != 0)
    throw_launch_error("cannot prepare a pipe to an engine", errno);
}

/// A SEQPACKET pair whose receiving end carries the kernel's time of each packet; closed ends if this host has none.
PipeEnds make_stamped_pair() {
  constexpr int wanted_packet = 1 << 20;  // one write() of an engine is one packet; a longer one would fail in the engine
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) return {};
  PipeEnds pair{Descriptor(ends[0]), Descriptor(ends[1])};
  const int on = 1;
  if (setsockopt(pair.read.get(), SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) != 0) return {};
  if (setsockopt(pair.write.get(), SOL_SOCKET, SO_SNDBUFFORCE, &wanted_packet, sizeof wanted_packet) != 0 &&
      setsockopt(pair.write.get(), SOL_SOCKET, SO_SNDBUF, &wanted_packet, sizeof wanted_packet) != 0) {
    return {};
  }
  return pair;
}

class SpawnActions {
 public:
  SpawnActions() {
    check(posix_spawn_file_actions_init(&actions_));
    check(posix_spawnattr_init(&attributes_));
  }
  ~SpawnActions() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;

  void move(int from, int to) { check(posix_spawn_file_actions_adddup2(&actions_, from, to)); }
  void close_from(int first) { check(posix_spawn_file_actions_addclosefrom_np(&actions_, first)); }
  /// A session of its own (which implies a process group) and nothing of our signal handling.
  void detach() {
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    check(posix_spawnattr_setsigdefault(&attributes_, &all));
    check(posix_spawnattr_setsigmask(&attributes_, &none));
    check(posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK));
  }
  /// The errno of what failed, or 0.
  int spawn(pid_t& pid, const std::string& executable, const std::vector<std::string>& arguments, char* const* environment) const {
    if (error_ != 0) return error_;
    std::vector<char*> words;
    words.reserve(arguments.size() + 2);
    words.push_back(const_cast<char*>(executable.c_str()));
    for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    return posix_spawn(&pid, executable.c_str(), &actions_, &attributes_, words.data(), environment);
  }

 private:
  void check(int error) {
    if (error_ == 0) error_ = error;
  }
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
  int error_ = 0;
};

int open_pidfd(pid_t pid) { return static_cast<int>(syscall(SYS_pidfd_open, pid, 0)); }

/// 0 if the trampoline could make the namespace, else the errno.
int probe_namespace(const std::string& trampoline, const char* kind) {
  SpawnActions actions;
  actions.detach();
  actions.close_from(3);
  pid_t pid = -1;
  if (const int error = actions.spawn(pid, trampoline, {"--probe", kind}, environ); error != 0) return error;
  const Descriptor pidfd(open_pidfd(pid));
  pollfd ended{pidfd.get(), POLLIN, 0};
  const bool in_time = poll(&ended, 1, probe_limit_ms) == 1;
  if (!in_time) kill(pid, SIGKILL);  // still ours: not waited for yet
  int status = 0;
  if (waitpid(pid, &status, 0) != pid) return ECHILD;
  if (!in_time) return ETIMEDOUT;
  return WIFEXITED(status) ? WEXITSTATUS(status) : EPERM;
}

/// Files that arguments name: `net.bin`, `--book=net.bin`.
std::vector<std::string> files_in_arguments(const EngineCommand& command, const std::string& folder) {
  std::vector<std::string> files;
  const auto add = [&](const std::string& text) {
    std::error_code error;
    const fs::path path = (fs::weakly_canonical(folder, error) / text).lexically_normal();
    if (!text.empty() && fs::is_regular_file(path, error)) files.push_back(path.string());
  };
  for (const std::string& argument : command.arguments) {
    add(argument);
    if (const std::size_t equals = argument.find('='); equals != std::string::npos) add(argument.substr(equals + 1));
  }
  return files;
}

/// What in /etc is not for every user to read. An engine of root's could read it, as the files are its own. A bound on their number keeps
/// the order for the trampoline within what a command line holds; `more` tells whether there are others.
struct Secrets {
  std::vector<std::string> paths;
  bool more = false;
};
Secrets secrets_of_the_system() {
  constexpr std::size_t most = 4096;
  Secrets found;
  if (geteuid() != 0) return found;
  std::error_code error;
  auto entry = fs::recursive_directory_iterator("/etc", fs::directory_options::skip_permission_denied, error);
  for (const auto end = fs::recursive_directory_iterator(); !error && entry != end; entry.increment(error)) {
    const fs::file_status status = entry->symlink_status(error);
    if (error || fs::is_symlink(status)) continue;
    if ((status.permissions() & fs::perms::others_read) != fs::perms::none) continue;
    entry.disable_recursion_pending();
    found.more = found.paths.size() == most;
    if (found.more) break;
    found.paths.push_back(entry->path().string());
  }
  return found;
}

std::vector<std::string> with_other_names(const std::vector<Mount>& mounts, const std::vector<std::string>& paths) {
  std::vector<std::string> all = paths;
  for (const std::string& path : paths) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    if (error) continue;
    for (std::string& name : other_names(mounts, real.string())) all.push_back(std::move(name));
  }
  return all;
}

bool good_run_id(const std::string& text) {
  return !text.empty() && text.size() <= 100 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; });
}

}  // namespace

void Descriptor::close() noexcept {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

Process SpawnLauncher::operator()(const boost::asio::io_context::executor_type& executor, const std::string& executable,
                                  const std::vector<std::string>& arguments, boost::system::error_code& failure) const {
  SpawnActions actions;
  actions.detach();
  actions.move(input, 0);
  actions.move(output, 1);
  actions.move(error, 2);
  actions.move(report, 3);
  actions.close_from(lowest_child_descriptor);
  std::vector<char*> variables;
  variables.reserve(environment->size() + 1);
  for (const std::string& variable : *environment) variables.push_back(const_cast<char*>(variable.c_str()));
  variables.push_back(nullptr);
  pid_t pid = -1;
  if (const int spawn_error = actions.spawn(pid, executable, arguments, variables.data()); spawn_error != 0) {
    failure.assign(spawn_error, boost::system::system_category());
    return Process(executor);
  }
  const int pidfd = open_pidfd(pid);
  if (pidfd < 0) {
    failure.assign(errno, boost::system::system_category());
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
    return Process(executor);
  }
  failure.clear();
  return Process(executor, pid, pidfd);
}

struct Launcher::Impl {
  LauncherSettings settings;
  std::string trampoline;
  NamespaceSupport namespaces = NamespaceSupport::none;
  int namespace_error = 0;
  std::set<std::string> told;
  std::string private_base;  // made when first needed
  std::size_t next_private = 1;
  mutable std::optional<Secrets> secrets;  // of the system, found when first needed
  std::unique_ptr<ControlGroups> groups;   // likewise
  Janitor janitor;

  void probe() {
    namespace_error = probe_namespace(trampoline, "pid");
    if (namespace_error == 0) {
      namespaces = NamespaceSupport::direct;
    } else if (namespace_error = probe_namespace(trampoline, "user"); namespace_error == 0) {
      namespaces = NamespaceSupport::through_user_namespace;
    }
  }

  std::string make_private_folder() {
    if (private_base.empty()) {
      std::error_code error;
      fs::path temporary = fs::temp_directory_path(error);
      if (error) temporary = "/tmp";
      std::string name = (temporary / ("referee-" + settings.run_id + "-XXXXXX")).string();
      if (mkdtemp(name.data()) == nullptr) throw_launch_error("cannot make the private folder " + name, errno);
      private_base = name;
    }
    std::string folder = private_base + "/" + std::to_string(next_private++);
    if (mkdir(folder.c_str(), 0700) != 0) throw_launch_error("cannot make the private folder " + folder, errno);
    return folder;
  }

  [[nodiscard]] std::vector<std::string> environment_for(const EngineCommand& command) const {
    std::vector<std::string> result;
    const auto is_set = [&](const std::string& name) {
      return name == "REFEREE_RUN" || std::any_of(command.environment.begin(), command.environment.end(),
                                                  [&](const auto& variable) { return variable.first == name; });
    };
    for (char** variable = environ; *variable != nullptr; ++variable) {
      const std::string text = *variable;
      if (!is_set(text.substr(0, text.find('=')))) result.push_back(text);
    }
    for (const auto& [name, value] : command.environment) {
      if (name != "REFEREE_RUN") result.emplace_back(name).append("=").append(value);
    }
    result.push_back("REFEREE_RUN=" + settings.run_id);
    return result;
  }

  void add_view(std::vector<std::string>& words, const EngineCommand& command, const std::string& folder) const {
    words.emplace_back("--strict");
    for (const std::string& path : command.readable) words.insert(words.end(), {"--see", path});
    for (const std::string& path : files_in_arguments(command, folder)) words.insert(words.end(), {"--see", path});
    const std::vector<Mount> mounts = mounts_of_this_process();
    if (!secrets) {
      secrets = secrets_of_the_system();
      secrets->paths = with_other_names(mounts, secrets->paths);
    }
    for (const std::string& path : with_other_names(mounts, command.hidden)) words.insert(words.end(), {"--hide", path});
    for (const std::string& path : secrets->paths) words.insert(words.end(), {"--hide", path});
  }

  [[nodiscard]] std::vector<std::string> trampoline_arguments(const EngineCommand& command, const Child& child) const {
    const std::string& folder = command.folder.empty() ? child.private_folder : command.folder;
    std::vector<std::string> words = {"--parent", std::to_string(getpid()),         "--folder", folder,
                                      "--files",  std::to_string(engine_open_files)};
    if (command.isolation != Isolation::none && namespaces != NamespaceSupport::none) {
      words.insert(words.end(), {"--namespace", namespaces == NamespaceSupport::direct ? "pid" : "user"});
    }
    if (command.isolation != Isolation::none)
      words.insert(words.end(), {"--processes", std::to_string(command.process_limit.value_or(default_process_limit()))});
    if (command.isolation == Isolation::strict) add_view(words, command, folder);
    if (!child.control_group.empty()) words.insert(words.end(), {"--group", child.control_group});
    if (command.memory_limit_bytes) words.insert(words.end(), {"--memory", std::to_string(*command.memory_limit_bytes)});
    if (!command.cpus.empty()) {
      std::string list;
      for (const int cpu : command.cpus) list += (list.empty() ? "" : ",") + std::to_string(cpu);
      words.insert(words.end(), {"--cpus", list});
    }
    words.emplace_back("--");
    words.push_back(command.command);
    words.insert(words.end(), command.arguments.begin(), command.arguments.end());
    return words;
  }
};

Launcher::Launcher(LauncherSettings settings) : impl_(std::make_unique<Impl>()) {
  if (!good_run_id(settings.run_id))
    throw LaunchError("malformed run id '" + settings.run_id + "' (expected 1 to 100 letters, digits, - or _)");
  impl_->trampoline = find_trampoline(settings.trampoline);
  impl_->settings = std::move(settings);
  struct sigaction now {};
  if (sigaction(SIGPIPE, nullptr, &now) == 0 && now.sa_handler == SIG_DFL) (void)std::signal(SIGPIPE, SIG_IGN);
  if (sigaction(SIGCHLD, nullptr, &now) == 0 && now.sa_handler == SIG_IGN) (void)std::signal(SIGCHLD, SIG_DFL);
  impl_->probe();
}

Launcher::~Launcher() {
  if (!impl_->private_base.empty()) impl_->janitor.remove(impl_->private_base);
}

Child Launcher::spawn(boost::asio::io_context& io, const EngineCommand& command) const {
  if (command.isolation != Isolation::none && impl_->namespaces == NamespaceSupport::none) {
    tell_once("engines run without a pid namespace (" + system_text(impl_->namespace_error) +
              "): what an engine leaves running in sessions of its own is only ended at the next start");
  }
  Child child;
  PipeEnds input = make_pipe(), error = make_pipe(), report = make_pipe();
  PipeEnds output;
  if (command.clock_stamp == ClockStamp::kernel) {
    output = make_stamped_pair();
    child.output_has_stamps = output.read.is_open();
    if (!child.output_has_stamps) tell_once("this host gives no kernel time stamps: moves are timed by their arrival");
  }
  if (!output.read.is_open()) output = make_pipe();
  if (command.folder.empty()) child.private_folder = impl_->make_private_folder();
  if (command.isolation == Isolation::strict) child.control_group = make_control_group(command);

  const Descriptor child_input = above_three(std::move(input.read)), child_output = above_three(std::move(output.write)),
                   child_error = above_three(std::move(error.write)), child_report = above_three(std::move(report.write));
  const std::vector<std::string> environment = impl_->environment_for(command);
  const SpawnLauncher launch{child_input.get(), child_output.get(), child_error.get(), child_report.get(), &environment};
  boost::system::error_code failure;
  child.process =
      std::make_unique<Process>(launch(io.get_executor(), impl_->trampoline, impl_->trampoline_arguments(command, child), failure));
  if (failure) {
    if (!child.private_folder.empty()) remove_private_folder(child.private_folder);
    if (!child.control_group.empty()) end_control_group(child.control_group);
    throw_launch_error("cannot start " + command.command, failure.value());
  }
  if (impl_->secrets && impl_->secrets->more)
    tell_once("engines run without a cover over all of /etc: " + std::to_string(impl_->secrets->paths.size()) +
              " of the files that are not for everybody are kept from them, there are more");
  child.pidfd = Descriptor(open_pidfd(child.process->id()));  // not waited for yet: the number is still this process's
  child.input = std::move(input.write);
  child.output = std::move(output.read);
  child.error = std::move(error.read);
  child.report = std::move(report.read);
  for (const Descriptor* ours : {&child.input, &child.output, &child.error, &child.report}) make_non_blocking(*ours);
  return child;
}

std::string Launcher::make_control_group(const EngineCommand& command) const {
  if (!impl_->groups)
    impl_->groups = std::make_unique<ControlGroups>(control_group_folder_of_this_process(), "referee-" + impl_->settings.run_id);
  std::string group =
      impl_->groups->make({command.memory_limit_bytes, command.process_limit.value_or(default_process_limit()), command.processor_limit});
  if (group.empty()) {
    const std::string& why = impl_->groups->why_not();
    tell_once("engines run without control groups (" + (why.empty() ? "none could be made" : why) +
              "): `memory` bounds the address space of each of their processes, not what they use together, and nothing bounds the "
              "processors they use");
  } else if (command.processor_limit && !impl_->groups->limits_processors()) {
    tell_once("engines run without a limit on the processors they use: this host gives their control groups no controller for it");
  }
  return group;
}

void Launcher::end_control_group(const std::string& group) const { impl_->groups->end(group); }

const std::string& Launcher::run_id() const noexcept { return impl_->settings.run_id; }

NamespaceSupport Launcher::namespaces() const noexcept { return impl_->namespaces; }

void Launcher::tell_once(const std::string& notice) const {
  if (impl_->told.insert(notice).second && impl_->settings.on_notice) impl_->settings.on_notice(notice);
}

void Launcher::remove_private_folder(const std::string& folder) const { impl_->janitor.remove(folder); }

std::uint64_t default_process_limit() {
  constexpr std::uint64_t least = 512, a_processor = 4;
  return std::max(least, a_processor * std::thread::hardware_concurrency());
}

std::size_t raise_open_files_limit() {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return 0;
  if (files.rlim_cur < files.rlim_max) {
    const rlimit raised{files.rlim_max, files.rlim_max};
    if (setrlimit(RLIMIT_NOFILE, &raised) == 0) files = raised;
  }
  return files.rlim_cur;
}

std::string find_executable(const std::string& command, const std::string& folder) {
  if (command.empty()) return {};
  if (command.find('/') != std::string::npos) {
    const fs::path path = fs::path(folder.empty() ? "." : folder) / command;  // an absolute command stays as it is
    return is_executable_file(path) ? fs::absolute(path).lexically_normal().string() : std::string();
  }
  const char* variable = std::getenv("PATH");
  std::string places = variable == nullptr ? "/usr/bin:/bin" : variable;
  places += ":/usr/games";
  for (std::size_t start = 0; start <= places.size();) {
    const std::size_t end = std::min(places.find(':', start), places.size());
    const fs::path path = fs::path(end == start ? "." : places.substr(start, end - start)) / command;
    if (is_executable_file(path)) return fs::absolute(path).lexically_normal().string();
    start = end + 1;
  }
  return {};
}

}  // namespace referee::engine
