// floor: the least that a referee can do, to know what the machine itself costs. One thread, one epoll, no rules, no clock, no record: read
// one side's answer, write the other side's request.
//
//   floor --mode uci --engine PATH --book EPD [--plies N]   real engines get `position fen F moves ...` and `go`
//   floor --mode dumb [--sleep-us N]                        children of its own that echo a line: no chess at all
//         --pairs N --moves M                               games at once, moves in all
//         --charged FILE                                    what a clock would charge for each move (request written to answer read), in
//                                                           nanoseconds, 8 bytes each, in the order of the answers
//
// The children log as the instant engine does ($INSTANT_LOG). Prints moves, games, seconds and its own processor time as JSON.
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

std::uint64_t now_ns() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1000000000ULL + static_cast<std::uint64_t>(time.tv_nsec);
}

[[noreturn]] void die(const char* what) {
  std::perror(what);
  std::exit(1);
}

void put(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(descriptor, text.data(), text.size());
    if (count < 0 && errno != EINTR) die("write");
    if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
  }
}

struct Record {
  std::uint64_t time, key;
  std::uint32_t kind, log;
  std::uint64_t extra;
};
constexpr std::size_t log_capacity = 1U << 20;

Record* open_log() {
  const char* base = std::getenv("INSTANT_LOG");
  if (base == nullptr || *base == '\0') return nullptr;
  const std::string name = std::string(base) + "." + std::to_string(getpid());
  const int file = open(name.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0644);
  if (file < 0 || ftruncate(file, log_capacity * sizeof(Record)) != 0) return nullptr;
  void* mapped = mmap(nullptr, log_capacity * sizeof(Record), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return mapped == MAP_FAILED ? nullptr : static_cast<Record*>(mapped);
}

constexpr std::size_t request_bytes = 600, reply_bytes = 60;  // a position command and an info line with a move

/// Reads a number, answers with the next one.
[[noreturn]] void be_dumb_child(long sleep_us) {
  Record* log = open_log();
  std::size_t used = 0;
  std::array<char, 65536> request{}, reply{};
  reply.fill('x');
  std::size_t have = 0;
  const auto id = static_cast<std::uint32_t>(getpid());
  const auto record = [&](std::uint32_t kind, std::uint64_t time, std::uint64_t key, std::uint64_t extra) {
    if (log != nullptr && used < log_capacity) log[used++] = {time, key, kind, id, extra};
  };
  for (;;) {
    const ssize_t count = read(STDIN_FILENO, request.data() + have, request.size() - 1 - have);
    if (count <= 0) _exit(0);
    const std::uint64_t go_read = now_ns();
    have += static_cast<std::size_t>(count);
    if (request.at(have - 1) != '\n') continue;
    request.at(have) = '\0';
    have = 0;
    const std::uint64_t key = std::strtoull(request.data(), nullptr, 10);
    record(1, go_read, key, 0);
    if (sleep_us > 0) {
      const timespec length{sleep_us / 1000000, (sleep_us % 1000000) * 1000};
      nanosleep(&length, nullptr);
    }
    const int digits = std::snprintf(reply.data(), 32, "%llu ", static_cast<unsigned long long>(key + 1));
    reply.at(static_cast<std::size_t>(digits)) = 'x';
    reply.at(reply_bytes - 1) = '\n';
    record(2, now_ns(), key + 1, go_read);
    if (write(STDOUT_FILENO, reply.data(), reply_bytes) != static_cast<ssize_t>(reply_bytes)) _exit(0);
  }
}

struct Child {
  int input = -1, output = -1;  // the child's
  pid_t pid = -1;
  std::array<char, 4096> buffer{};
  std::size_t have = 0;
};

struct Pair {
  std::array<Child, 2> children;
  std::size_t turn = 0;
  int waiting = 0;  // for readyok
  long plies = 0;
  std::uint64_t key = 0;
  std::string position;
  std::uint64_t asked = 0;
};

struct Settings {
  bool uci = false;
  std::string engine, charged;
  std::vector<std::string> book;
  long plies = 120, moves = 100000, sleep_us = 0;
  std::size_t pairs = 1;
};

class Floor {
 public:
  explicit Floor(Settings settings) : settings_(std::move(settings)), pairs_(settings_.pairs) {
    epoll_ = epoll_create1(EPOLL_CLOEXEC);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      for (std::size_t side = 0; side < 2; ++side) {
        spawn(pairs_[i].children.at(side), static_cast<int>(side) + 1);
        epoll_event event{};
        event.events = EPOLLIN;
        event.data.u64 = i * 2 + side;
        if (epoll_ctl(epoll_, EPOLL_CTL_ADD, pairs_[i].children.at(side).output, &event) != 0) die("epoll_ctl");
      }
    }
  }

  void play() {
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (settings_.uci) {
        new_game(pairs_[i]);
      } else {
        pairs_[i].key = (static_cast<std::uint64_t>(i) + 1) << 40;
        request(pairs_[i]);
      }
    }
    std::array<epoll_event, 1024> events{};
    while (moves_ < settings_.moves) {
      const int count = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), -1);
      for (int i = 0; i < count; ++i) {
        const std::uint64_t who = events.at(static_cast<std::size_t>(i)).data.u64;
        hear(pairs_[who / 2], pairs_[who / 2].children.at(who % 2));
      }
    }
  }

  void close_all() {
    for (Pair& pair : pairs_) {
      for (Child& child : pair.children) {
        close(child.input);
        close(child.output);
      }
    }
    for (Pair& pair : pairs_) {
      for (Child& child : pair.children) waitpid(child.pid, nullptr, 0);
    }
  }

  void write_charged(const std::string& path) const {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) die(path.c_str());
    if (std::fwrite(charged_.data(), sizeof charged_[0], charged_.size(), file) != charged_.size() || std::fclose(file) != 0)
      die(path.c_str());
  }
  [[nodiscard]] long moves() const { return moves_; }
  [[nodiscard]] long games() const { return games_; }

 private:
  void spawn(Child& child, int seed) const {
    std::array<int, 2> in{}, out{};
    if (pipe2(in.data(), O_CLOEXEC) != 0 || pipe2(out.data(), O_CLOEXEC) != 0) die("pipe");
    child.pid = fork();
    if (child.pid < 0) die("fork");
    if (child.pid == 0) {
      dup2(in[0], STDIN_FILENO);
      dup2(out[1], STDOUT_FILENO);
      if (!settings_.uci) {
        close_range(3, ~0U, 0);
        be_dumb_child(settings_.sleep_us);
      }
      execl(settings_.engine.c_str(), settings_.engine.c_str(), "--seed", std::to_string(seed).c_str(), static_cast<char*>(nullptr));
      _exit(127);
    }
    close(in[0]);
    close(out[1]);
    child.input = in[1];
    child.output = out[0];
  }

  void new_game(Pair& pair) {
    const long number = next_game_++;
    pair.turn = static_cast<std::size_t>(number % 2);
    pair.plies = 0;
    pair.waiting = 2;
    pair.position = "position fen " + settings_.book[static_cast<std::size_t>(number / 2) % settings_.book.size()] + " 0 1 moves";
    for (const Child& child : pair.children) put(child.input, "ucinewgame\nisready\n");
  }

  void send_position(Pair& pair) {
    static constexpr std::string_view go = "\ngo wtime 60000 btime 60000 winc 600 binc 600\n";
    const std::size_t length = pair.position.size();
    pair.position += go;
    put(pair.children.at(pair.turn).input, pair.position);
    pair.asked = now_ns();
    pair.position.resize(length);
  }

  void request(Pair& pair) {
    std::array<char, request_bytes> text{};
    text.fill('y');
    const int digits = std::snprintf(text.data(), 32, "%llu ", static_cast<unsigned long long>(pair.key));
    text.at(static_cast<std::size_t>(digits)) = 'y';
    text.back() = '\n';
    put(pair.children.at(pair.turn).input, std::string_view(text.data(), text.size()));
    pair.asked = now_ns();
  }

  void hear(Pair& pair, Child& child) {
    const ssize_t count = read(child.output, child.buffer.data() + child.have, child.buffer.size() - 1 - child.have);
    if (count <= 0) die("a child is gone");
    const std::uint64_t heard = now_ns();
    child.have += static_cast<std::size_t>(count);
    if (child.buffer.at(child.have - 1) != '\n') return;
    child.buffer.at(child.have) = '\0';
    child.have = 0;
    if (!settings_.uci) {
      answered(pair, heard);
      pair.turn ^= 1U;
      pair.key = std::strtoull(child.buffer.data(), nullptr, 10);
      return request(pair);
    }
    if (pair.waiting > 0) {
      if (std::strstr(child.buffer.data(), "readyok") != nullptr && --pair.waiting == 0) send_position(pair);
      return;
    }
    const char* answer = std::strstr(child.buffer.data(), "bestmove ");
    if (answer == nullptr) return;
    answer += 9;
    const bool no_move = *answer == '(';
    if (!no_move) answered(pair, heard);
    if (no_move || ++pair.plies >= settings_.plies) {
      ++games_;
      return new_game(pair);
    }
    pair.position += ' ';
    pair.position.append(answer, std::strcspn(answer, " \r\n"));
    pair.turn ^= 1U;
    send_position(pair);
  }

  void answered(const Pair& pair, std::uint64_t heard) {
    ++moves_;
    if (!settings_.charged.empty()) charged_.push_back(heard - pair.asked);
  }

  Settings settings_;
  std::vector<Pair> pairs_;
  std::vector<std::uint64_t> charged_;
  int epoll_ = -1;
  long moves_ = 0, games_ = 0, next_game_ = 0;
};

std::vector<std::string> read_book(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  if (lines.empty()) die("the book");
  return lines;
}

double seconds(const timeval& time) { return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6; }

}  // namespace

int main(int count, char** words) {
  Settings settings;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string_view option = words[i];
    const char* value = words[i + 1];
    if (option == "--pairs") {
      settings.pairs = std::strtoul(value, nullptr, 10);
    } else if (option == "--mode") {
      settings.uci = std::string_view(value) == "uci";
    } else if (option == "--moves") {
      settings.moves = std::atol(value);
    } else if (option == "--sleep-us") {
      settings.sleep_us = std::atol(value);
    } else if (option == "--plies") {
      settings.plies = std::atol(value);
    } else if (option == "--charged") {
      settings.charged = value;
    } else if (option == "--engine") {
      settings.engine = value;
    } else if (option == "--book") {
      settings.book = read_book(value);
    } else {
      std::fprintf(stderr, "floor: unknown option %s\n", words[i]);
      return 2;
    }
  }
  if (settings.uci && (settings.engine.empty() || settings.book.empty())) {
    std::fputs("floor: --mode uci needs --engine and --book\n", stderr);
    return 2;
  }
  std::signal(SIGPIPE, SIG_IGN);
  const std::uint64_t start = now_ns();
  const std::string charged = settings.charged;
  Floor floor(std::move(settings));
  const std::uint64_t playing = now_ns();
  floor.play();
  const std::uint64_t end = now_ns();
  floor.close_all();
  if (!charged.empty()) floor.write_charged(charged);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("{\"moves\": %ld, \"games\": %ld, \"wall\": %.6f, \"total\": %.6f, \"user\": %.6f, \"sys\": %.6f}\n", floor.moves(),
              floor.games(), static_cast<double>(end - playing) / 1e9, static_cast<double>(now_ns() - start) / 1e9, seconds(usage.ru_utime),
              seconds(usage.ru_stime));
  return 0;
}
