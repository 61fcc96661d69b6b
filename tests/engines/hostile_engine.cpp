// An engine that plays legal moves, and now and then does what broken and hostile engines do. Which wrong it does next is drawn from its
// seed and said on stderr before it is done, so that the fault log of a game names it.
//
//   hostile_engine --seed 7 --rate 20 [--xboard] [--only NAME]      rate: wrongs in a hundred moves
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "instant_board.hpp"

namespace {

using instant::Board;
using instant::Move;
using instant::MoveList;

struct Chance {
  std::uint64_t state;
  std::uint64_t draw() { return state = instant::mix(state); }
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(draw() % bound); }
};

void say(const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t wrote = ::write(1, text.data() + done, text.size() - done);
    if (wrote <= 0) return;
    done += static_cast<std::size_t>(wrote);
  }
}
void pause_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }
[[noreturn]] void hang() {
  ::signal(SIGTERM, SIG_IGN);
  ::signal(SIGINT, SIG_IGN);
  for (;;) ::pause();
}

struct Turn {
  std::string move;    // legal
  std::string answer;  // the line that plays it
  bool xboard;
};

struct Wrong {
  const char* name;
  std::function<void(const Turn&, Chance&)> act;
};

/// A process that keeps this one's pipes open after it is gone.
void leave_a_child(bool own_session) {
  if (::fork() != 0) return;
  if (own_session) ::setsid();
  ::signal(SIGTERM, SIG_IGN);
  ::sleep(20);
  ::_exit(0);
}

const std::vector<Wrong>& wrongs() {
  static const std::vector<Wrong> all = {
      {"illegal", [](const Turn& t, Chance&) { say(t.xboard ? "move a1a1\n" : "bestmove a1a1\n"); }},
      {"other_side", [](const Turn& t, Chance&) { say(t.xboard ? "move e7e5\n" : "bestmove e7e5\n"); }},
      {"no_promotion", [](const Turn& t, Chance&) { say(t.xboard ? "move e7e8\n" : "bestmove e7e8\n"); }},
      {"null", [](const Turn& t, Chance&) { say(t.xboard ? "move @@@@\n" : "bestmove 0000\n"); }},
      {"none", [](const Turn& t, Chance&) { say(t.xboard ? "move\n" : "bestmove (none)\n"); }},
      {"empty", [](const Turn& t, Chance&) { say(t.xboard ? "move \n" : "bestmove\n"); }},
      {"resign_word", [](const Turn& t, Chance&) { say(t.xboard ? "resign\n" : "bestmove resign\n"); }},
      {"letters", [](const Turn& t, Chance&) { say(t.xboard ? "move Kxz9#\n" : "bestmove Kxz9#\n"); }},
      {"exit_0", [](const Turn&, Chance&) { std::_Exit(0); }},
      {"exit_3", [](const Turn&, Chance&) { std::_Exit(3); }},
      {"abort", [](const Turn&, Chance&) { std::abort(); }},
      {"segv", [](const Turn&, Chance&) { ::raise(SIGSEGV); }},
      {"kill", [](const Turn&, Chance&) { ::raise(SIGKILL); }},
      {"stop_itself", [](const Turn&, Chance&) { ::raise(SIGSTOP); }},
      {"answer_and_exit",
       [](const Turn& t, Chance&) {
         say(t.answer);
         std::_Exit(0);
       }},
      {"answer_and_crash",
       [](const Turn& t, Chance&) {
         say(t.answer);
         std::abort();
       }},
      {"half_an_answer_and_exit",
       [](const Turn& t, Chance&) {
         say(t.answer.substr(0, t.answer.size() / 2));
         std::_Exit(1);
       }},
      {"no_line_end_and_exit",
       [](const Turn& t, Chance&) {
         say(t.answer.substr(0, t.answer.size() - 1));
         std::_Exit(0);
       }},
      {"twice", [](const Turn& t, Chance&) { say(t.answer + t.answer); }},
      {"thrice_with_other",
       [](const Turn& t, Chance&) { say(t.answer + (t.xboard ? "move a2a3\nmove a7a6\n" : "bestmove a2a3\nbestmove a7a6\n")); }},
      {"late_second",
       [](const Turn& t, Chance&) {
         say(t.answer);
         pause_ms(30);
         say(t.answer);
       }},
      {"hang", [](const Turn&, Chance&) { hang(); }},
      {"spin",
       [](const Turn&, Chance&) {
         for (;;) (void)std::chrono::steady_clock::now();
       }},
      {"eat_memory",
       [](const Turn&, Chance&) {
         for (int i = 0; i < 64; ++i) {
           void* block = std::malloc(std::size_t{64} << 20);
           if (block == nullptr) break;
           std::memset(block, 1, std::size_t{4} << 20);
         }
         hang();
       }},
      {"eat_all_memory",
       [](const Turn&, Chance&) {
         // Until it is refused; at most 1 GB where no limit was set.
         for (int i = 0; i < 256; ++i) {
           void* block = std::malloc(std::size_t{4} << 20);
           if (block == nullptr) std::abort();
           std::memset(block, 1, std::size_t{4} << 20);
         }
         hang();
       }},
      {"close_stdout",
       [](const Turn&, Chance&) {
         ::close(1);
         hang();
       }},
      {"close_stdin",
       [](const Turn& t, Chance&) {
         ::close(0);
         say(t.answer);
         hang();
       }},
      {"close_both",
       [](const Turn&, Chance&) {
         ::close(0);
         ::close(1);
         ::close(2);
         hang();
       }},
      {"child_keeps_pipes",
       [](const Turn&, Chance&) {
         leave_a_child(false);
         std::_Exit(0);
       }},
      {"session_keeps_pipes",
       [](const Turn& t, Chance&) {
         leave_a_child(true);
         say(t.answer);
         std::_Exit(0);
       }},
      {"long_line",
       [](const Turn& t, Chance&) {
         for (int i = 0; i < 300; ++i) say(std::string(10000, 'x'));
         say("\n" + t.answer);
       }},
      {"fork_bomb",
       [](const Turn& t, Chance&) {
         // Bounded, for a host that has no limit to give.
         for (int i = 0; i < 2000; ++i) {
           const pid_t child = ::fork();
           if (child < 0) break;
           if (child == 0) {
             ::setsid();
             ::sleep(20);
             ::_exit(0);
           }
         }
         say(t.answer);
       }},
      {"line_of_100_mb",
       [](const Turn& t, Chance&) {
         const std::string block(std::size_t{1} << 20, 'x');
         for (int i = 0; i < 100; ++i) say(block);
         say("\n" + t.answer);
       }},
      {"long_pv",
       [](const Turn& t, Chance&) {
         std::string line = t.xboard ? "9 10 1 100 " : "info depth 9 score cp 10 pv ";
         for (int i = 0; i < 50000; ++i) line += "e2e4 ";
         say(line + "\n" + t.answer);
       }},
      {"no_newline_ever",
       [](const Turn&, Chance&) {
         for (int i = 0; i < 200; ++i) say(std::string(20000, 'y'));
         hang();
       }},
      {"info_flood",
       [](const Turn& t, Chance&) {
         std::string block;
         for (int i = 0; i < 500; ++i) block += t.xboard ? "1 20 0 30 e2e4\n" : "info depth 1 score cp 20 nodes 30 pv e2e4 e7e5\n";
         for (int i = 0; i < 100; ++i) say(block);
         say(t.answer);
       }},
      {"endless_flood",
       [](const Turn&, Chance&) {
         std::string block;
         for (int i = 0; i < 500; ++i) block += "info string and so on\n";
         for (;;) say(block);
       }},
      {"stderr_flood",
       [](const Turn& t, Chance&) {
         const std::string block(10000, 'e');
         for (int i = 0; i < 300; ++i) {
           if (::write(2, block.data(), block.size()) < 0) break;
         }
         say(t.answer);
       }},
      {"binary",
       [](const Turn& t, Chance& chance) {
         std::string junk;
         for (int i = 0; i < 5000; ++i) junk += static_cast<char>(chance.below(256));
         say(junk + "\n" + std::string("\0\0\n", 3) + "\xff\xfe\xc3\n" + t.answer);
       }},
      {"glued", [](const Turn& t, Chance&) { say("0" + t.answer); }},
      {"crlf", [](const Turn& t, Chance&) { say(t.answer.substr(0, t.answer.size() - 1) + "\r\n"); }},
      {"bit_by_bit",
       [](const Turn& t, Chance&) {
         for (const char c : t.answer) {
           say(std::string(1, c));
           pause_ms(1);
         }
       }},
      {"handshake_again",
       [](const Turn& t, Chance&) {
         say(t.xboard ? "feature ping=1 done=1\nfeature myname=\"again\" done=1\n" : "uciok\nreadyok\nid name again\nuciok\n");
         say(t.answer);
       }},
      {"options_again",
       [](const Turn& t, Chance&) {
         std::string block;
         for (int i = 0; i < 10000; ++i) {
           const std::string name = "O" + std::to_string(i);
           block +=
               t.xboard ? "feature option=\"" + name + " -spin 9 0 5\"\n" : "option name " + name + " type spin default 9 min 0 max 5\n";
         }
         say(block + t.answer);
       }},
      {"false_claims",
       [](const Turn& t, Chance& chance) {
         static const char* const claims[] = {"1-0 {White mates}\n",
                                              "0-1 {Black mates}\n",
                                              "1/2-1/2 {Draw by repetition}\n",
                                              "resign\n",
                                              "offer draw\noffer draw\n",
                                              "Illegal move: e2e4\n",
                                              "game is a draw\n",
                                              "* {why not}\n",
                                              "1-0\n0-1\n1/2-1/2\nresign\n"};
         say(claims[chance.below(std::size(claims))]);
         say(t.answer);
       }},
      {"false_illegal",
       [](const Turn&, Chance&) {
         say("Illegal move (no reason): d2d4\n");
         hang();
       }},
      {"signals_parent",
       [](const Turn& t, Chance&) {
         ::kill(::getppid(), SIGTERM);
         ::kill(::getppid(), SIGINT);
         say(t.answer);
       }},
      {"signals_everybody",
       [](const Turn& t, Chance&) {
         ::signal(SIGUSR1, SIG_IGN);
         ::kill(0, SIGUSR1);
         say(t.answer);
       }},
  };
  return all;
}

class Engine {
 public:
  Engine(bool xboard, std::uint64_t seed, unsigned rate, std::string only)
      : xboard_(xboard),
        chance_{instant::mix(seed) ^ static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count())},
        rate_(rate),
        only_(std::move(only)) {}

  void run() {
    for (std::string line; std::getline(std::cin, line);) {
      std::istringstream words(line);
      std::string command;
      words >> command;
      if (command == "quit") {
        if (draws()) name("ignores_quit"), hang();
        return;
      }
      if (xboard_)
        obey_xboard(command, words);
      else
        obey_uci(command, line);
    }
    if (draws()) name("ignores_end_of_file"), hang();
  }

 private:
  bool draws() { return only_.empty() && chance_.below(1000) < rate_; }  // ten times rarer than wrongs at a move
  void name(const char* wrong) { std::fprintf(stderr, "hostile: %s\n", wrong); }

  void obey_uci(const std::string& command, const std::string& line) {
    if (command == "uci") {
      if (draws()) name("never_uciok"), hang();
      say("id name Hostile\noption name Hash type spin default 16 min 1 max 64\nuciok\n");
      if (draws()) name("uciok_twice"), say("uciok\n");
    } else if (command == "isready") {
      if (draws()) name("answer_before_asked"), say("bestmove e2e4\n");
      if (draws()) name("never_readyok"), hang();
      say("readyok\n");
    } else if (command == "position") {
      set_position(line);
    } else if (command == "go") {
      play();
    } else if (command == "stop") {
      if (draws()) name("ignores_stop"), hang();
    }
  }

  void set_position(const std::string& line) {
    const auto moves = line.find(" moves ");
    const auto fen = line.find("fen ");
    board_ = instant::initial_board();
    if (fen != std::string::npos) {
      const std::string text = line.substr(fen + 4, moves == std::string::npos ? std::string::npos : moves - fen - 4);
      if (const auto read = instant::read_fen(text)) board_ = *read;
    }
    if (moves == std::string::npos) return;
    std::istringstream words(line.substr(moves + 7));
    for (std::string word; words >> word;) apply(word);
  }

  void apply(const std::string& text) {
    const MoveList moves = instant::legal_moves(board_);
    for (int i = 0; i < moves.count; ++i) {
      if (instant::to_text(moves[i]) == text) return instant::make(board_, moves[i]);
    }
  }

  void obey_xboard(const std::string& command, std::istringstream& words) {
    std::string rest;
    words >> rest;
    if (command == "protover") {
      if (draws()) name("done_never"), say("feature done=0\n"), hang();
      say("feature myname=\"Hostile\" ping=1 setboard=1 usermove=1 san=0 colors=0 sigint=0 reuse=1 done=1\n");
      if (draws()) name("feature_after_done"), say("feature ping=0 usermove=0\n");
    } else if (command == "ping") {
      if (draws()) name("never_pongs"), hang();
      if (draws()) name("wrong_pong"), say("pong 999\n");
      say("pong " + rest + "\n");
    } else if (command == "new") {
      board_ = instant::initial_board();
      own_ = instant::black;
      force_ = false;
    } else if (command == "setboard") {
      std::string fen = rest;
      for (std::string word; words >> word;) fen += " " + word;
      if (const auto read = instant::read_fen(fen)) board_ = *read;
    } else if (command == "force" || command == "result") {
      force_ = true;
    } else if (command == "go") {
      force_ = false;
      own_ = board_.side;
      play();
    } else if (command == "usermove") {
      apply(rest);
      if (!force_ && board_.side == own_) play();
    }
  }

  void play() {
    const MoveList moves = instant::legal_moves(board_);
    if (moves.count == 0) return say(xboard_ ? "1/2-1/2 {Stalemate}\n" : "bestmove (none)\n");
    const Move move = moves[static_cast<int>(chance_.below(static_cast<std::size_t>(moves.count)))];
    Turn turn;
    turn.xboard = xboard_;
    turn.move = instant::to_text(move);
    turn.answer = (xboard_ ? "move " : "bestmove ") + turn.move + "\n";
    instant::make(board_, move);
    if (!only_.empty() || chance_.below(100) < rate_) {
      const Wrong* wrong = &wrongs()[chance_.below(wrongs().size())];
      for (const Wrong& each : wrongs()) {
        if (only_ == each.name) wrong = &each;
      }
      name(wrong->name);
      return wrong->act(turn, chance_);
    }
    say(xboard_ ? turn.answer : "info depth 1 score cp 0 nodes 20 pv " + turn.move + "\n" + turn.answer);
  }

  bool xboard_;
  Chance chance_;
  unsigned rate_;
  std::string only_;
  Board board_ = instant::initial_board();
  int own_ = instant::black;
  bool force_ = false;
};

}  // namespace

int main(int count, char** words) {
  bool xboard = false;
  std::uint64_t seed = 1;
  unsigned rate = 10;
  std::string only;
  for (int i = 1; i < count; ++i) {
    const std::string option = words[i];
    if (option == "--xboard") {
      xboard = true;
    } else if (option == "--list") {
      for (const Wrong& wrong : wrongs()) std::printf("%s\n", wrong.name);
      return 0;
    } else if (i + 1 < count && option == "--seed") {
      seed = std::strtoull(words[++i], nullptr, 10);
    } else if (i + 1 < count && option == "--rate") {
      rate = static_cast<unsigned>(std::strtoul(words[++i], nullptr, 10));
    } else if (i + 1 < count && option == "--only") {
      only = words[++i];
    } else {
      std::fprintf(stderr, "hostile_engine: unknown option %s\n", words[i]);
      return 2;
    }
  }
  ::signal(SIGPIPE, SIG_IGN);
  Engine(xboard, seed, rate, only).run();
  return 0;
}
