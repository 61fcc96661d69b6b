// instant: an engine that answers at once with a random legal move, to load a match runner: its own cost a move is a few microseconds, so
// what is measured is the runner. UCI, or XBoard with --xboard.
//
//   instant [--xboard] [--seed N] [--sleep-us N] [--log FILE] [--quit-delay-ms N]
//   instant --perft DEPTH [FEN]
//
// INSTANT_LOG=FILE and INSTANT_SLEEP_US=N in the environment do the same as --log and --sleep-us (engines inherit a runner's environment);
// the options Seed and SleepMs of both protocols exist too.
//
// The log is a file of 32-byte records, mapped, so that writing costs nothing and a kill loses nothing: FILE.<pid>.<time>, each
//   u64 CLOCK_MONOTONIC in ns, u64 key of a position, u32 kind, u32 log's number, u64 extra
// kind 1: `go` was read (or a move, in XBoard), in the position of the key; kind 2: the answer is about to be written, and leads to the
// position of the key, so that the other side's next record of kind 1 has the same; extra is the time of the `go` it answers.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "instant_board.hpp"

namespace {

using instant::Board;
using instant::Move;
using instant::MoveList;

std::uint64_t now_ns() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1000000000ULL + static_cast<std::uint64_t>(time.tv_nsec);
}

void rest(std::uint64_t us) {
  if (us == 0) return;
  timespec left{static_cast<time_t>(us / 1000000), static_cast<long>(us % 1000000) * 1000};
  while (clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left) != 0) {}
}

void say(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(STDOUT_FILENO, text.data(), text.size());
    if (count <= 0) _exit(0);
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

class Log {
 public:
  enum Kind : std::uint32_t { go_read = 1, answer_written = 2 };

  void open(const char* base) {
    const std::uint64_t time = now_ns();
    const std::string name = std::string(base) + "." + std::to_string(getpid()) + "." + std::to_string(time);
    const int file = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file < 0) return;
    number_ = static_cast<std::uint32_t>(instant::mix(time ^ static_cast<std::uint64_t>(getpid())));
    if (ftruncate(file, capacity * sizeof(Record)) == 0) {
      void* mapped = mmap(nullptr, capacity * sizeof(Record), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
      if (mapped != MAP_FAILED) records_ = static_cast<Record*>(mapped);
    }
    close(file);
  }
  [[nodiscard]] bool is_open() const { return records_ != nullptr; }
  void write(Kind kind, std::uint64_t time, const Board& board, std::uint64_t extra) {
    if (is_open() && used_ < capacity) records_[used_++] = {time, instant::key(board), kind, number_, extra};
  }

 private:
  struct Record {
    std::uint64_t time, key;
    std::uint32_t kind, log;
    std::uint64_t extra;
  };
  static constexpr std::size_t capacity = 1U << 20;  // sparse
  Record* records_ = nullptr;
  std::size_t used_ = 0;
  std::uint32_t number_ = 0;
};

class Input {
 public:
  /// Without its end; valid until the next call.
  std::optional<std::string_view> line() {
    for (;;) {
      char* const start = buffer_.data() + begin_;
      if (const void* found = std::memchr(start, '\n', end_ - begin_); found != nullptr) {
        std::string_view text(start, static_cast<std::size_t>(static_cast<const char*>(found) - start));
        begin_ += text.size() + 1;
        if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
        return text;
      }
      std::memmove(buffer_.data(), start, end_ - begin_);
      end_ -= std::exchange(begin_, 0);
      if (end_ == buffer_.size()) buffer_.resize(buffer_.size() * 2);
      const ssize_t count = read(STDIN_FILENO, buffer_.data() + end_, buffer_.size() - end_);
      read_at_ = now_ns();
      if (count <= 0) return std::nullopt;
      end_ += static_cast<std::size_t>(count);
    }
  }
  /// When the read() that brought the line returned.
  [[nodiscard]] std::uint64_t read_at() const { return read_at_; }

 private:
  std::vector<char> buffer_ = std::vector<char>(1U << 16);
  std::size_t begin_ = 0, end_ = 0;
  std::uint64_t read_at_ = 0;
};

struct Settings {
  std::uint64_t seed = 1, sleep_us = 0, quit_delay_us = 0;
};

struct Engine {
  Settings settings;
  Log log;
  Input input;
  Board board = instant::initial_board();

  [[nodiscard]] int score() const { return static_cast<int>(instant::mix(instant::key(board) ^ settings.seed) % 101) - 50; }
  void set_option(std::string_view name, const std::string& value) {
    if (name == "Seed") settings.seed = std::strtoull(value.c_str(), nullptr, 10);
    if (name == "SleepMs") settings.sleep_us = std::strtoull(value.c_str(), nullptr, 10) * 1000;
  }
};

// UCI -------------------------------------------------------------------------------------------------------------------

class Uci {
 public:
  explicit Uci(Engine& engine) : engine_(engine) {}

  void run() {
    while (const auto line = engine_.input.line()) {
      if (line->starts_with("position ")) {
        set_position(*line);
      } else if (*line == "go" || line->starts_with("go ")) {
        if (!go(*line)) return;
      } else if (*line == "isready") {
        say("readyok\n");
      } else if (*line == "uci") {
        say("id name instant\nid author bench\n"
            "option name Hash type spin default 16 min 1 max 1024\n"
            "option name Threads type spin default 1 min 1 max 1\n"
            "option name SleepMs type spin default 0 min 0 max 100000\n"
            "option name Seed type spin default 1 min 0 max 1000000\n"
            "option name UCI_Chess960 type check default false\n"
            "uciok\n");
      } else if (line->starts_with("setoption name ")) {
        const std::string_view rest = line->substr(15);
        const std::size_t value = rest.find(" value ");
        if (value != std::string_view::npos) engine_.set_option(rest.substr(0, value), std::string(rest.substr(value + 7)));
      } else if (*line == "ucinewgame") {
        previous_.clear();
      } else if (*line == "quit") {
        return;
      }
    }
  }

 private:
  /// Only what is new is played, if the command continues the one before.
  void set_position(std::string_view line) {
    std::size_t done = previous_.size();
    if (previous_.empty() || !line.starts_with(previous_) || (line.size() > done && line[done] != ' ')) {
      const std::size_t moves = line.find(" moves");
      done = std::min(moves, line.size());
      const std::string_view what = line.substr(9, done - 9);
      if (what.starts_with("startpos")) engine_.board = instant::initial_board();
      if (what.starts_with("fen ")) engine_.board = instant::read_fen(what.substr(4)).value_or(engine_.board);
    }
    previous_.assign(line);
    for (std::size_t at = done; at < line.size();) {
      while (at < line.size() && line[at] == ' ') ++at;
      const std::size_t end = std::min(line.find(' ', at), line.size());
      const std::string_view word = line.substr(at, end - at);
      if (const auto move = instant::read_move(word); move && word != "moves") instant::make(engine_.board, *move);
      at = end;
    }
  }

  /// False: the engine is to end.
  bool go(std::string_view line) {
    const std::uint64_t go_read = engine_.input.read_at();
    const Board& board = engine_.board;
    engine_.log.write(Log::go_read, go_read, board, 0);
    const bool waits = line.find("infinite") != std::string_view::npos || line.find("ponder") != std::string_view::npos;
    const MoveList moves = instant::legal_moves(board);
    Board after = board;
    std::string answer;
    if (moves.count == 0) {
      answer = "info depth 0 score cp 0\nbestmove (none)\n";
    } else {
      const Move move = instant::choose(board, engine_.settings.seed, moves);
      const std::string text = instant::to_text(move);
      answer = "info depth 1 score cp " + std::to_string(engine_.score()) + " nodes " + std::to_string(moves.count) + " pv " + text +
               "\nbestmove " + text + "\n";
      instant::make(after, move);
    }
    rest(engine_.settings.sleep_us);
    while (waits) {
      const auto next = engine_.input.line();
      if (!next || *next == "quit") return false;
      if (*next == "isready") say("readyok\n");
      if (*next == "stop" || *next == "ponderhit") break;
    }
    if (moves.count > 0) engine_.log.write(Log::answer_written, now_ns(), after, go_read);
    say(answer);
    return true;
  }

  Engine& engine_;
  std::string previous_;  // the last position command, which ends after a whole move
};

// XBoard ----------------------------------------------------------------------------------------------------------------

class Xboard {
 public:
  explicit Xboard(Engine& engine) : engine_(engine) {}

  void run() {
    while (const auto line = engine_.input.line()) {
      const std::size_t blank = line->find(' ');
      const std::string command(line->substr(0, blank));
      const std::string rest(blank == std::string_view::npos ? std::string_view() : line->substr(blank + 1));
      if (command == "quit") return;
      obey(command, rest);
    }
  }

 private:
  void obey(const std::string& command, const std::string& rest) {
    Board& board = engine_.board;
    if (command == "usermove") {
      opponent_moved(rest);
    } else if (command == "protover") {
      say("feature done=0\n"
          "feature myname=\"instant\" ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1 sigint=0 sigterm=0 reuse=1 analyze=0 "
          "colors=0 "
          "ics=0 name=1 memory=1 smp=1 nps=1 debug=1 variants=\"normal\" option=\"SleepMs -spin 0 0 100000\" option=\"Seed -spin 1 0 "
          "1000000\"\n"
          "feature done=1\n");
    } else if (command == "option") {
      const std::size_t equals = rest.find('=');
      if (equals != std::string::npos) engine_.set_option(rest.substr(0, equals), rest.substr(equals + 1));
    } else if (command == "new") {
      board = instant::initial_board();
      history_.clear();
      force_ = false;
      own_side_ = instant::black;
    } else if (command == "setboard") {
      if (const auto read = instant::read_fen(rest)) {
        board = *read;
        history_.clear();
      } else {
        say("tellusererror Illegal position\n");
      }
    } else if (command == "force" || command == "result") {
      force_ = true;
    } else if (command == "go") {
      force_ = false;
      own_side_ = board.side;
      play_if_it_is_my_turn();
    } else if (command == "playother") {
      force_ = false;
      own_side_ = -board.side;
    } else if (command == "ping") {
      say("pong " + rest + "\n");
    } else if (command == "post") {
      post_ = true;
    } else if (command == "nopost") {
      post_ = false;
    } else if (command == "undo" || command == "remove") {
      for (int i = command == "undo" ? 1 : 2; i > 0 && !history_.empty(); --i) {
        board = history_.back();
        history_.pop_back();
      }
    } else if (instant::read_move(command) || command.starts_with("O-O")) {
      opponent_moved(command);
    }
  }

  void opponent_moved(const std::string& text) {
    Board& board = engine_.board;
    std::optional<Move> wanted = instant::read_move(text);
    if (text == "O-O" || text == "O-O-O") {
      const int from = board.side > 0 ? 0x04 : 0x74;
      wanted = Move{static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(text == "O-O" ? from + 2 : from - 2), 0};
    }
    const MoveList moves = instant::legal_moves(board);
    for (int i = 0; wanted && i < moves.count; ++i) {
      if (moves[i].from != wanted->from || moves[i].to != wanted->to || moves[i].promotion != wanted->promotion) continue;
      history_.push_back(board);
      instant::make(board, moves[i]);
      return play_if_it_is_my_turn();
    }
    say("Illegal move: " + text + "\n");
  }

  void play_if_it_is_my_turn() {
    Board& board = engine_.board;
    if (force_ || board.side != own_side_) return;
    const std::uint64_t go_read = engine_.input.read_at();
    engine_.log.write(Log::go_read, go_read, board, 0);
    const MoveList moves = instant::legal_moves(board);
    if (moves.count == 0) {
      const bool check = instant::attacked(board, board.king_of(board.side), -board.side);
      return say(!check ? "1/2-1/2 {Stalemate}\n" : board.side < 0 ? "1-0 {White mates}\n" : "0-1 {Black mates}\n");
    }
    const Move move = instant::choose(board, engine_.settings.seed, moves);
    const std::string text = instant::to_text(move);
    std::string answer;
    if (post_) answer = "1 " + std::to_string(engine_.score()) + " 0 " + std::to_string(moves.count) + " " + text + "\n";
    answer += "move " + text + "\n";
    history_.push_back(board);
    instant::make(board, move);
    rest(engine_.settings.sleep_us);
    engine_.log.write(Log::answer_written, now_ns(), board, go_read);
    say(answer);
  }

  Engine& engine_;
  std::vector<Board> history_;
  bool force_ = false, post_ = false;
  int own_side_ = instant::black;
};

std::uint64_t perft(const Board& board, int depth) {
  const MoveList moves = instant::legal_moves(board);
  if (depth <= 1) return depth == 1 ? static_cast<std::uint64_t>(moves.count) : 1;
  std::uint64_t sum = 0;
  for (int i = 0; i < moves.count; ++i) {
    Board after = board;
    instant::make(after, moves[i]);
    sum += perft(after, depth - 1);
  }
  return sum;
}

}  // namespace

int main(int count, char** words) {
  Engine engine;
  bool xboard = false;
  const char* log = std::getenv("INSTANT_LOG");
  if (const char* sleep = std::getenv("INSTANT_SLEEP_US")) engine.settings.sleep_us = std::strtoull(sleep, nullptr, 10);
  for (int i = 1; i < count; ++i) {
    const std::string_view option = words[i];
    if (option == "--xboard") {
      xboard = true;
      continue;
    }
    if (i + 1 >= count) {
      std::fprintf(stderr, "instant: %s needs a value or is not known\n", words[i]);
      return 2;
    }
    const char* value = words[++i];
    const std::uint64_t number = std::strtoull(value, nullptr, 10);
    if (option == "--seed") {
      engine.settings.seed = number;
    } else if (option == "--sleep-us") {
      engine.settings.sleep_us = number;
    } else if (option == "--quit-delay-ms") {
      engine.settings.quit_delay_us = number * 1000;
    } else if (option == "--log") {
      log = value;
    } else if (option == "--perft") {
      const auto board = i + 1 < count ? instant::read_fen(words[i + 1]) : instant::initial_board();
      if (!board) return 2;
      std::printf("%llu\n", static_cast<unsigned long long>(perft(*board, static_cast<int>(number))));
      return 0;
    } else {
      std::fprintf(stderr, "instant: unknown option %s\n", words[i - 1]);
      return 2;
    }
  }
  if (log != nullptr && *log != '\0') engine.log.open(log);
  if (xboard) {
    Xboard(engine).run();
  } else {
    Uci(engine).run();
  }
  rest(engine.settings.quit_delay_us);
  return 0;
}
