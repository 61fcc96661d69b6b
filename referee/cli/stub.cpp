// referee stub SCRIPT: a scripted engine as a process. The logic is engine_iface/stub; here are only the descriptors.
#include <fcntl.h>
#include <unistd.h>
#include <csignal>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "engine_iface/stub.hpp"
#include "referee/cli/registry.hpp"

namespace referee::cli {

namespace {

/// No stub outlives its referee for ever, whatever its script says.
constexpr unsigned longest_sulk_s = 3600;

class ProcessWorld final : public engine::StubWorld {
 public:
  void write_output(std::string_view bytes) override { write_all(STDOUT_FILENO, bytes); }
  void write_errors(std::string_view bytes) override { write_all(STDERR_FILENO, bytes); }
  void sleep(long long milliseconds) override {
    timespec left{static_cast<std::time_t>(milliseconds / 1000), static_cast<long>(milliseconds % 1000 * 1'000'000)};
    while (nanosleep(&left, &left) != 0 && errno == EINTR) {}
  }
  void exit(int status) override { std::_Exit(status); }
  void raise_signal(int number) override {
    (void)std::signal(number, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    sigprocmask(SIG_UNBLOCK, &set, nullptr);
    ::kill(::getpid(), number);
    // A signal whose default is to do nothing leaves the engine alive and silent.
    ignore_everything();
  }
  void ignore_everything() override {
    for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGPIPE}) (void)std::signal(number, SIG_IGN);
    for (unsigned left = longest_sulk_s; left > 0;) left = ::sleep(left);
    std::_Exit(0);
  }
  void close_input() override { put_null_in_place_of(STDIN_FILENO, O_RDONLY); }
  void close_output() override { put_null_in_place_of(STDOUT_FILENO, O_WRONLY); }

 private:
  static void write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
      const auto written = ::write(descriptor, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return;  // nobody reads any more; the end of input will say so
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  /// The number stays taken, so that nothing opened later gets it.
  static void put_null_in_place_of(int descriptor, int mode) {
    const int null = ::open("/dev/null", mode | O_CLOEXEC);
    if (null >= 0) {
      ::dup2(null, descriptor);
      ::close(null);
    }
  }
};

engine::StubScript read_script(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw UsageError(path + ": cannot be read");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  auto script = engine::parse_stub_script(text);
  if (const auto* error = std::get_if<engine::StubScriptError>(&script)) {
    throw UsageError(path + ":" + std::to_string(error->line) + ":" + std::to_string(error->column) + ": " + error->message);
  }
  return std::move(std::get<engine::StubScript>(script));
}

int run_stub(const Arguments& arguments) {
  if (arguments.operands().size() != 1) throw UsageError("stub: one SCRIPT is expected");
  ProcessWorld world;
  engine::Stub stub(read_script(arguments.operands().front()), world);
  stub.start();

  std::string pending;
  std::array<char, 64 * 1024> buffer;
  while (!stub.ended()) {
    const auto count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    pending.append(buffer.data(), static_cast<std::size_t>(count));
    std::size_t begin = 0;
    for (auto end = pending.find('\n'); end != std::string::npos && !stub.ended(); end = pending.find('\n', begin)) {
      std::string_view line(pending.data() + begin, end - begin);
      if (line.ends_with('\r')) line.remove_suffix(1);
      begin = end + 1;
      stub.line(line);
    }
    pending.erase(0, begin);
  }
  stub.end_of_file();
  return exit_done;
}

}  // namespace

CommandDefinition stub_command() {
  CommandDefinition command;
  command.name = "stub";
  command.summary = "a scripted UCI or XBoard engine, for reproducing protocol faults";
  command.positional = "SCRIPT";
  command.description =
      "Plays an engine on standard input and output. The first line of SCRIPT is \"# protocol uci\" or \"# protocol xboard\"; then one "
      "step a "
      "line:\n\n"
      "  > TEXT    wait for a line that begins with TEXT\n"
      "  < TEXT    print TEXT\n"
      "  <| TEXT   print TEXT with C escapes (\\n, \\t, \\x07 ...) and without a line end\n"
      "  ! ACTION  exit N | signal N | sleep MS | stderr N (bytes) | flood N (search reports) | close stdin | close stdout | ignore\n\n"
      "What a game needs and the next step does not wait for (uci, isready, protover, ping, quit ...) is answered by the stub itself; "
      "other lines "
      "are skipped. Asked for a move when the script has none, and after the last step, it plays the legal move whose UCI text comes first "
      "in the "
      "alphabet. A step that waits for the command that asks for a move (go ...) is met whatever its arguments; a note on stderr says so "
      "when "
      "they differ.";
  command.examples = {"referee stub tests/engines/crash-while-thinking.txt"};
  command.run = run_stub;
  return command;
}

}  // namespace referee::cli
