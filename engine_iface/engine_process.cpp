#include "engine_iface/engine_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "engine_iface/child.hpp"
#include "engine_iface/deadline_queue.hpp"
#include "engine_iface/launch_report.hpp"
#include "engine_iface/launcher.hpp"
#include "engine_iface/output_stream.hpp"

namespace referee::engine {

namespace {

constexpr std::size_t output_batch = 16U << 10;
constexpr std::size_t error_batch = 4U << 10;
constexpr std::size_t packet_batch = 2U << 20;   // the longest packet (launcher.cpp)
constexpr std::size_t drain_at_most = 1U << 20;  // a pipe holds 64 KiB unless the engine enlarged it to this
constexpr int reap_limit_ms = 1000;

Instant now() { return std::chrono::steady_clock::now(); }

std::string system_text(int error) { return std::generic_category().message(error); }

std::string step_text(LaunchStep step) {
  switch (step) {
    case LaunchStep::none:
      break;
    case LaunchStep::usage:
      return "referee-launch and referee do not fit together";
    case LaunchStep::parent_death_signal:
      return "the parent-death signal";
    case LaunchStep::limits:
      return "the limits on open files and core dumps";
    case LaunchStep::processors:
      return "the CPU set";
    case LaunchStep::folder:
      return "its working folder";
    case LaunchStep::no_new_privileges:
      return "the bar on new privileges";
    case LaunchStep::user_namespace:
      return "a user namespace";
    case LaunchStep::pid_namespace:
      return "a pid namespace";
    case LaunchStep::processes:
      return "a process";
    case LaunchStep::memory_limit:
      return "the memory limit";
    case LaunchStep::network:
      return "the bar on network access";
    case LaunchStep::files:
      return "the bar on writing outside the working folder";
    case LaunchStep::process_files:
      return "a /proc of their own";
    case LaunchStep::execute:
      return "execution";
    case LaunchStep::view:
      return "a view of the files of their own";
    case LaunchStep::network_namespace:
      return "a network of their own";
    case LaunchStep::shared_memory:
      return "shared memory and a host name of their own";
    case LaunchStep::process_limit:
      return "a limit on processes and threads";
    case LaunchStep::kernel_settings:
      return "the bar on changing the kernel's settings";
    case LaunchStep::privileges:
      return "the loss of root's privileges";
    case LaunchStep::control_group:
      return "the control group made for them";
  }
  return "the launch";
}

std::string failure_text(const EngineCommand& command, const LaunchRecord& record) {
  const std::string start = "cannot start " + command.command + ": ";
  if (record.step != LaunchStep::execute) return start + step_text(record.step) + ": " + system_text(record.error);
  std::string text = start + system_text(record.error);
  std::error_code ignored;
  if (record.error == ENOENT && std::filesystem::exists(command.command, ignored)) {
    text += " (the file is there: its interpreter or dynamic loader is not)";
  }
  return text;
}

}  // namespace

struct EngineProcess::Impl final : OutputStream::Sink, DescriptorWatch::Observer {
  Impl(boost::asio::io_context& context, DeadlineQueue& deadline_queue, const Launcher& owner, const EngineCommand& what,
       EngineProcess::Observer& receiver)
      : io(context), launcher(owner), command(what), observer(&receiver), child(owner.spawn(context, what)), pid(child.process->id()) {
    const OutputStream::Settings output_settings{child.output_has_stamps ? packet_batch : output_batch, longest_line, output_rate,
                                                 child.output_has_stamps};
    output.emplace(io, deadline_queue, std::move(child.output), output_settings, *this);
    error.emplace(io, deadline_queue, std::move(child.error), OutputStream::Settings{error_batch, longest_error_line, error_rate}, *this);
    report.emplace(io, child.report.release(), *this);
    ending.emplace(io, child.pidfd.release(), *this);
  }

  ~Impl() {
    if (reaped) return;
    // Only when the io_context itself ends before the engine did.
    kill_all();
    pollfd ended{ending->descriptor(), POLLIN, 0};
    siginfo_t information{};
    if (poll(&ended, 1, reap_limit_ms) == 1) waitid(P_PIDFD, static_cast<id_t>(ending->descriptor()), &information, WEXITED | WNOHANG);
    child.process->detach();
  }

  // ---- input -------------------------------------------------------------------------------------------------------------------------

  [[nodiscard]] int input_descriptor() { return writer ? writer->native_handle() : child.input.get(); }
  [[nodiscard]] bool input_open() const { return writer ? writer->is_open() : child.input.is_open(); }

  /// How much of it left. An engine that closed its stdin, or is gone, swallows everything: its end is told by other means.
  std::size_t write_some(std::string_view text) {
    while (true) {
      const ssize_t count = ::write(input_descriptor(), text.data(), text.size());
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno == EINTR) continue;
      if (errno == EAGAIN) return 0;
      if (observer != nullptr) observer->note("stdin of the engine: " + system_text(errno), now());
      shut_input();
      return text.size();
    }
  }

  void shut_input() {
    if (writer) {
      boost::system::error_code ignored;
      writer->close(ignored);
    } else {
      child.input.close();
    }
    unsent.clear();
  }

  std::optional<Instant> send(std::string_view text, const std::shared_ptr<EngineProcess>& self) {
    if (!input_open()) return now();
    std::size_t done = 0;
    if (unsent.empty()) {
      done = write_some(text);
      if (done == text.size()) {
        const Instant left = now();
        output->set_earliest(left);
        return left;
      }
    }
    if (unsent.size() + text.size() - done > longest_unsent) {
      if (observer != nullptr)
        observer->note("the engine does not read: " + std::to_string(text.size() - done) + " bytes for it were dropped", now());
      return std::nullopt;
    }
    const bool waiting = !unsent.empty();
    unsent.append(text.substr(done));
    if (!waiting) wait_until_writable(self);
    return std::nullopt;
  }

  void wait_until_writable(const std::shared_ptr<EngineProcess>& self) {
    if (!writer) writer.emplace(io.get_executor(), child.input.release());
    writer->async_wait(Writer::wait_write, [weak = std::weak_ptr(self)](const boost::system::error_code& failure) {
      const auto process = weak.lock();
      if (process && !failure) process->impl_->write_more(process);
    });
  }

  void write_more(const std::shared_ptr<EngineProcess>& self) {
    if (!input_open() || unsent.empty()) return;
    const std::size_t done = write_some(unsent);
    unsent.erase(0, done);
    if (!unsent.empty()) return wait_until_writable(self);
    const Instant left = now();
    if (output) output->set_earliest(left);
    if (input_ends) shut_input();
    if (observer != nullptr) observer->written(left);
  }

  // ---- output ------------------------------------------------------------------------------------------------------------------------

  void stream_line(OutputStream& stream, const LineBuffer::Line& line, Instant at) override {
    if (observer == nullptr) return;
    const bool is_output = &stream == &*output;
    if (is_output) {
      observer->line(line.text, at);
    } else {
      observer->error_line(line.text, at);
    }
    if (line.cut && observer != nullptr) {
      observer->note("that line was cut after " + std::to_string(is_output ? longest_line : longest_error_line) + " bytes", at);
    }
  }

  void stream_ended(OutputStream& stream, Instant at) override {
    if (observer != nullptr && &stream == &*output) observer->end_of_file(at);
  }

  void stream_slowed(OutputStream& stream, Instant at) override {
    if (observer == nullptr) return;
    const bool is_output = &stream == &*output;
    observer->note("the engine writes more than " + std::to_string((is_output ? output_rate : error_rate) >> 20) + " MiB a second to " +
                       (is_output ? "stdout" : "stderr") + ": it is read no faster than that",
                   at);
  }

  // ---- the launch and the end --------------------------------------------------------------------------------------------------------

  void readable(DescriptorWatch& watch) override {
    const auto self = keeper.lock();
    if (report && &watch == &*report) {
      read_report();
    } else {
      check_ended();
    }
  }

  void read_report() {
    for (;;) {
      std::array<LaunchRecord, 8> records{};
      const ssize_t count = read(report->descriptor(), records.data(), sizeof records);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && errno == EAGAIN) return report->arm();
      if (count <= 0) break;
      for (std::size_t i = 0; i < static_cast<std::size_t>(count) / sizeof(LaunchRecord); ++i) take_record(records.at(i));
    }
    report.reset();
    if (observer == nullptr) return;
    if (launch_failure.empty() && !running) launch_failure = "cannot start " + command.command + ": the launch program ended early";
    if (launch_failure.empty()) {
      observer->started();
    } else {
      observer->start_failed(launch_failure);
    }
  }

  void take_record(const LaunchRecord& record) {
    switch (record.event) {
      case LaunchEvent::notice:
        launcher.tell_once("engines run without " + step_text(record.step) +
                           (record.step == LaunchStep::view ? " (they can read what this user can)" : "") + ": " +
                           system_text(record.error));
        break;
      case LaunchEvent::running:
        running = true;
        break;
      case LaunchEvent::failed:
        launch_failure = failure_text(command, record);
        break;
    }
  }

  void check_ended() {
    siginfo_t information{};
    const bool is_ours = waitid(P_PIDFD, static_cast<id_t>(ending->descriptor()), &information, WEXITED | WNOHANG | WNOWAIT) == 0;
    if (is_ours && information.si_pid == 0) return ending->arm(keeper.lock());
    // While it is not yet waited for, its number and its group's are still its own: what is left of the group ends here.
    if (is_ours) ::kill(-pid, SIGKILL);
    if (report) read_report();
    if (output) output->drain(drain_at_most);
    if (error) error->drain(drain_at_most);
    child.process->async_wait([self = keeper.lock()](const boost::system::error_code& failure, int) { self->impl_->reap(!failure); });
  }

  /// status_known: false only if somebody else has waited for it.
  void reap(bool status_known) {
    const int status = child.process->native_exit_code();
    child.process->detach();
    reaped = true;
    ending.reset();
    if (!child.private_folder.empty()) launcher.remove_private_folder(child.private_folder);
    if (!child.control_group.empty()) launcher.end_control_group(child.control_group);
    shut_input();
    ExitStatus how;
    if (status_known && WIFSIGNALED(status)) how.signal = WTERMSIG(status);
    if (status_known && WIFEXITED(status)) how.code = WEXITSTATUS(status);
    if (observer != nullptr) observer->exited(how, now());
  }

  void signal_group(int number) const {
    if (!reaped) ::kill(-pid, number);
  }

  void kill_all() const {
    if (reaped) return;
    ::kill(-pid, SIGKILL);
    syscall(SYS_pidfd_send_signal, ending->descriptor(), SIGKILL, nullptr, 0);
  }

  using Writer = boost::asio::posix::basic_stream_descriptor<boost::asio::io_context::executor_type>;

  boost::asio::io_context& io;
  const Launcher& launcher;
  EngineCommand command;
  EngineProcess::Observer* observer;
  Child child;
  pid_t pid;
  std::weak_ptr<EngineProcess> keeper;
  std::optional<OutputStream> output, error;
  std::optional<DescriptorWatch> report, ending;
  std::optional<Writer> writer;  // takes the input when the pipe was full for the first time
  std::string unsent;
  std::string launch_failure;
  bool running = false;
  bool input_ends = false;
  bool reaped = false;
};

EngineProcess::EngineProcess(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
EngineProcess::~EngineProcess() = default;

std::shared_ptr<EngineProcess> EngineProcess::start(boost::asio::io_context& io, DeadlineQueue& deadlines, const Launcher& launcher,
                                                    const EngineCommand& command, Observer& observer) {
  std::shared_ptr<EngineProcess> self(new EngineProcess(std::make_unique<Impl>(io, deadlines, launcher, command, observer)));
  Impl& impl = *self->impl_;
  impl.keeper = self;
  impl.output->start(self);
  impl.error->start(self);
  impl.report->arm();
  impl.ending->arm(self);
  return self;
}

std::optional<Instant> EngineProcess::send(std::string_view text) { return impl_->send(text, shared_from_this()); }

void EngineProcess::close_input() {
  if (impl_->unsent.empty()) {
    impl_->shut_input();
  } else {
    impl_->input_ends = true;
  }
}

void EngineProcess::interrupt() { impl_->signal_group(SIGINT); }
void EngineProcess::terminate() { impl_->signal_group(SIGTERM); }
void EngineProcess::kill() { impl_->kill_all(); }

void EngineProcess::drain() {
  const auto self = shared_from_this();
  impl_->output->drain(drain_at_most);
}

void EngineProcess::abandon() {
  impl_->observer = nullptr;
  impl_->kill_all();
  impl_->output->close();
  impl_->error->close();
  impl_->report.reset();
  impl_->shut_input();
}

bool EngineProcess::alive() const noexcept { return !impl_->reaped; }
bool EngineProcess::unsent() const noexcept { return !impl_->unsent.empty(); }
bool EngineProcess::stamped_by_kernel() const noexcept { return impl_->child.output_has_stamps; }
long EngineProcess::id() const noexcept { return impl_->reaped ? 0 : impl_->pid; }

}  // namespace referee::engine
