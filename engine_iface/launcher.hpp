// Starts engines: each through the trampoline program `referee-launch`, which prepares the child from inside (parent-death signal, limits,
// CPU set, no new privileges, pid namespace) and then becomes the engine. One Launcher serves all engines of a run.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace boost::asio {
class io_context;
}

namespace referee::engine {

struct EngineCommand;
struct Child;  // child.hpp

/// The engine could not be started; what() says why, with the system's words.
class LaunchError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct LauncherSettings {
  /// Letters, digits, '-' and '_'; every engine of the run carries it in its environment as REFEREE_RUN.
  std::string run_id;
  /// Path of referee-launch; empty = REFEREE_LAUNCH, else beside the running binary, else in ../libexec/referee.
  std::string trampoline;
  /// Told once of each protection that was asked for and that this host does not give, in one line.
  std::function<void(const std::string&)> on_notice;
};

/// What a host allows, found out once by trying.
enum class NamespaceSupport { none, direct, through_user_namespace };

class Launcher {
 public:
  /// Ignores SIGPIPE if it still has its default effect (an engine that died must give an error, not end the referee), and stops ignoring
  /// SIGCHLD if that was inherited (the kernel would forget how engines ended).
  /// Throws LaunchError if there is no trampoline or the run id is malformed.
  explicit Launcher(LauncherSettings settings);
  ~Launcher();  // removes what is left of the private folders
  Launcher(const Launcher&) = delete;
  Launcher& operator=(const Launcher&) = delete;

  /// The parent-death signal is bound to the calling thread: call it on a thread that lives as long as the engines may.
  /// Throws LaunchError. That the engine itself could not be executed is reported later, through Child::report.
  [[nodiscard]] Child spawn(boost::asio::io_context& io, const EngineCommand& command) const;

  [[nodiscard]] const std::string& run_id() const noexcept;
  [[nodiscard]] NamespaceSupport namespaces() const noexcept;

  /// For EngineProcess: a notice of the trampoline, told once per run; the private folder and the control group of an engine that has
  /// ended.
  void tell_once(const std::string& notice) const;
  void remove_private_folder(const std::string& folder) const;
  void end_control_group(const std::string& group) const;

 private:
  struct Impl;
  /// Empty, and said once, where the host gives none.
  [[nodiscard]] std::string make_control_group(const EngineCommand& command) const;
  std::unique_ptr<Impl> impl_;
};

/// Ends every process of this user whose environment holds REFEREE_RUN=<run_id> (engines and descendants that outlived a killed referee),
/// and removes the private folders and control groups of that run. Waits at most a second for them to be gone. Returns how many were ended.
std::size_t end_leftovers(const std::string& run_id);

/// Raises the soft limit on open files to the hard one; the new soft limit. An engine needs `descriptors_per_engine`.
std::size_t raise_open_files_limit();
/// Processes and threads an engine may have when nothing else is said: 512, or four a processor where that is more.
[[nodiscard]] std::uint64_t default_process_limit();
inline constexpr std::size_t descriptors_per_engine = 5;  // and a sixth for a moment, while it starts

/// Absolute path of what a bare command means: PATH, then /usr/games; a command with a slash is only made absolute (from `folder`).
/// Empty if there is no such executable file.
[[nodiscard]] std::string find_executable(const std::string& command, const std::string& folder);

}  // namespace referee::engine
