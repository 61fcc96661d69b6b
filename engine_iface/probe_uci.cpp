// The UCI checks.
#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "engine_iface/probe_board.hpp"
#include "engine_iface/probe_checks.hpp"
#include "engine_iface/protocol_base.hpp"
#include "engine_iface/text.hpp"
#include "engine_iface/uci_info.hpp"
#include "engine_iface/uci_option.hpp"
#include "referee/chess/fen.hpp"
#include "referee/chess/notation.hpp"

namespace referee::engine {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

struct Search {
  std::optional<ProbeTalk::Line> answer;
  Duration took{};
  std::string move, ponder;
  std::optional<SearchInfo> info;  // the last with a score or line of play
};

class UciProbe final : public ProbeRun {
 public:
  using ProbeRun::ProbeRun;

  std::unique_ptr<ProbeTalk> greet(std::string& why) override {
    auto talk = std::make_unique<ProbeTalk>(launcher, command);
    talk->send("uci");
    identity_ = {};
    const auto last = talk->await(
        [&](std::string_view line) {
          Words words(line);
          const auto first = words.next();
          if (first == "id") {
            if (words.next() == "name") identity_.name = words.rest();
          } else if (first == "option") {
            if (auto option = parse_uci_option(words.rest())) identity_.options.push_back(std::move(option->option));
          }
          return trimmed(line).ends_with("uciok");
        },
        settings.start);
    if (!last) {
      why = "no uciok: " + talk->fate();
      return nullptr;
    }
    if (!identity_.name.empty()) report.engine = identity_.name;
    if (!ready(*talk)) {
      why = "no readyok after uciok: " + talk->fate();
      return nullptr;
    }
    return talk;
  }

  void run() override {
    handshake();
    options();
    ready_and_new_game();
    legality();
    limits();
    mate_in_one();
    finished_positions();
    stop();
    ready_while_thinking();
    ponder();
    one_answer();
    lines_of_play();
    chess960();
    long_game();
    odd_input();
    ends();
  }

 private:
  bool ready(ProbeTalk& talk) {
    talk.send("isready");
    return talk.await([](std::string_view line) { return trimmed(line).ends_with("readyok"); }, settings.start).has_value();
  }

  static void note_info(std::string_view line, Search& search) {
    if (line.starts_with("info") && glance_at_uci_info(line).wanted) search.info = parse_uci_info(line);
  }
  Search await_answer(ProbeTalk& talk, Instant since, Duration limit) {
    Search search;
    search.answer = talk.await(
        [&](std::string_view line) {
          note_info(trimmed(line), search);
          return Words(line).next() == "bestmove";
        },
        limit);
    if (!search.answer) return search;
    search.took = search.answer->at - since;
    Words words(search.answer->text);
    (void)words.next();
    search.move = words.next();
    if (words.next() == "ponder") search.ponder = words.next();
    if (asked_ && !is_legal(*asked_, search.move)) answered_illegally("bestmove " + search.move + " in " + chess::to_fen(*asked_));
    return search;
  }
  /// In either notation of castling.
  static bool is_legal(const chess::Position& position, std::string_view move) {
    return std::ranges::any_of(std::array{chess::CastlingText::king_two_squares, chess::CastlingText::king_takes_rook}, [&](auto castling) {
      return std::holds_alternative<chess::ReadMove>(chess::read_uci(position, move, castling));
    });
  }
  /// Where a `position` command leads to; nullopt where no move is due (the game is over), or where the command is written oddly on
  /// purpose.
  static std::optional<chess::Position> position_of(std::string_view command) {
    if (command.find_first_of("\t\r") != std::string_view::npos) return std::nullopt;
    Words words(command);
    (void)words.next();
    auto position = chess::Position::initial();
    std::string_view word = words.next();
    if (word == "fen") {
      std::string fen;
      for (word = words.next(); !word.empty() && word != "moves"; word = words.next()) fen.append(fen.empty() ? "" : " ").append(word);
      position = chess::parse_fen(fen, chess::FenReading::lenient).position();
    } else {
      word = words.next();
    }
    for (word = words.next(); !word.empty(); word = words.next()) {
      const auto read = chess::read_uci(position, word, chess::CastlingText::king_takes_rook);
      const auto* move = std::get_if<chess::ReadMove>(&read);
      if (move == nullptr) return std::nullopt;
      position.play(move->move);
    }
    return position.has_legal_move() ? std::optional(position) : std::nullopt;
  }
  Search search(ProbeTalk& talk, std::string_view position, std::string_view go, Duration limit) {
    talk.drop_unread();
    talk.send(position);
    asked_ = position_of(position);
    const auto since = ProbeTalk::now();
    talk.send(go);
    return await_answer(talk, since, limit);
  }

  void handshake() {
    check_alone("handshake", "UCI uci", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "uci; isready";
      std::size_t foreign = 0;
      std::string example;
      for (const auto& line : talk.said()) {
        const auto first = Words(line.text).next();
        if (first.empty() || first == "id" || first == "option" || first == "uciok" || first == "readyok" || first == "info") continue;
        if (++foreign == 1) example = excerpt(line.text);
      }
      check.seen = "id name " + identity_.name + ", " + std::to_string(identity_.options.size()) + " options, uciok, readyok";
      check.verdict = identity_.name.empty() ? ProbeVerdict::tolerated : ProbeVerdict::pass;
      if (identity_.name.empty()) check.seen = "uciok without id name";
      if (foreign > 0) {
        check.verdict = ProbeVerdict::tolerated;
        check.seen += "; " + std::to_string(foreign) + " other lines, the first: " + example;
      }
    });
  }

  void options() {
    check("options", "UCI option, setoption", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "uci; setoption";
      std::string odd;
      for (const auto& line : talk.said()) {
        Words words(line.text);
        if (words.next() != "option") continue;
        const auto read = parse_uci_option(words.rest());
        if (!read) odd += "; no name in: " + excerpt(line.text);
        if (read && read->oddity != nullptr) odd += "; " + std::string(read->oddity) + ": " + read->option.name;
        if (read && !read->option.default_value.empty() && read->option.type != "button" && read->option.type != "string") {
          const auto value = checked_option_value(read->option, read->option.default_value);
          if (const auto* refused = std::get_if<RefusedValue>(&value))
            odd += "; the default of " + read->option.name + " " + refused->reason;
        }
      }
      // Each is set to its default; then one that nobody has.
      for (const auto& option : identity_.options) {
        if (option.type == "button" || option.default_value.empty() || option.type == "string") continue;
        talk.send("setoption name " + option.name + " value " + option.default_value);
      }
      talk.send("setoption name No Such Option value 1");
      if (!ready(talk)) return;
      check.seen = std::to_string(identity_.options.size()) + " options, each set to its default" + odd;
      check.verdict = odd.empty() ? ProbeVerdict::pass : ProbeVerdict::tolerated;
    });
  }

  void ready_and_new_game() {
    check("new-game", "UCI ucinewgame, isready", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "ucinewgame; isready";
      for (int i = 0; i < 3; ++i) {
        talk.send("ucinewgame");
        if (!ready(talk)) return;
      }
      check.seen = "readyok after each of three";
      check.verdict = ProbeVerdict::pass;
    });
  }

  /// Judges a move text: empty = legal, else what is wrong; `note` gets what must be tolerated.
  static std::string fault_of(const chess::Position& position, std::string_view move, bool chess960, std::string& note) {
    const auto castling = chess960 ? chess::CastlingText::king_takes_rook : chess::CastlingText::king_two_squares;
    const auto read = chess::read_uci(position, move, castling);
    if (const auto* legal = std::get_if<chess::ReadMove>(&read)) {
      note = legal->note;
      return {};
    }
    return "bestmove " + std::string(move) + " in " + chess::to_fen(position);
  }

  void legal_in(ProbeTalk& talk, ProbeCheck& check, const std::vector<std::string_view>& fens, bool chess960) {
    std::string notes;
    for (const auto fen : fens) {
      const auto found = search(talk, "position fen " + std::string(fen), "go depth 2", settings.answer);
      if (!found.answer) {
        check.seen = "no bestmove in " + std::string(fen) + ": " + talk.fate();
        return;
      }
      std::string note;
      const auto position = chess::parse_fen(fen, chess::FenReading::lenient).position();
      if (const auto fault = fault_of(position, found.move, chess960, note); !fault.empty()) {
        check.seen = "illegal: " + fault;
        return;
      }
      if (!note.empty()) notes += "; " + note;
    }
    check.seen = "legal in " + std::to_string(fens.size()) + " positions" + notes;
    check.verdict = notes.empty() ? ProbeVerdict::pass : ProbeVerdict::tolerated;
  }

  void legality() {
    check("legal-moves", "UCI position, go, bestmove", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "position fen ...; go depth 2";
      legal_in(talk, check, probe_positions(), false);
    });
  }

  void limits() {
    check("depth", "UCI go depth", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "position startpos; go depth 4";
      const auto found = search(talk, "position startpos", check.sent.substr(19), settings.answer);
      if (!found.answer) return;
      const int depth = found.info ? found.info->depth.value_or(0) : 0;
      check.seen = found.answer->text + (depth > 0 ? ", depth reported " + std::to_string(depth) : ", no depth reported");
      check.verdict = depth == 4 ? ProbeVerdict::pass : ProbeVerdict::tolerated;
    });
    check("nodes", "UCI go nodes", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "position startpos; go nodes 20000";
      const auto found = search(talk, "position startpos", "go nodes 20000", settings.answer);
      if (!found.answer) {
        // Some do not know the limit and go on thinking.
        talk.send("stop");
        const auto stopped = await_answer(talk, ProbeTalk::now(), settings.answer);
        check.seen = "no bestmove within " + describe(settings.answer) + (stopped.answer ? "; it answers stop" : "");
        return;
      }
      const auto nodes = found.info ? found.info->nodes.value_or(0) : 0;
      check.seen = found.answer->text + ", " + std::to_string(nodes) + " nodes reported";
      check.verdict = nodes > 0 && nodes <= 40000 ? ProbeVerdict::pass : ProbeVerdict::tolerated;
    });
    check("movetime", "UCI go movetime", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "position startpos; go movetime 300";
      timed(talk, check, "go movetime 300", milliseconds(300));
    });
    check("clock", "UCI go wtime btime", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "position startpos; go wtime 1000 btime 1000";
      timed(talk, check, "go wtime 1000 btime 1000", milliseconds(1000));
    });
    check("clock-movestogo", "UCI go movestogo", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "position startpos; go wtime 500 btime 500 winc 10 binc 10 movestogo 1";
      timed(talk, check, "go wtime 500 btime 500 winc 10 binc 10 movestogo 1", milliseconds(500));
    });
    check("clock-nearly-out", "UCI go wtime 1", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "position startpos; go wtime 1 btime 1";
      const auto found = search(talk, "position startpos", "go wtime 1 btime 1", settings.answer);
      if (!found.answer) return;
      check.seen = found.answer->text + " after " + milliseconds_text(found.took);
      check.verdict = found.took < milliseconds(500) ? ProbeVerdict::pass : ProbeVerdict::tolerated;
    });
    check("searchmoves", "UCI go searchmoves", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "position startpos; go depth 3 searchmoves a2a3 h2h3";
      const auto found = search(talk, "position startpos", "go depth 3 searchmoves a2a3 h2h3", settings.answer);
      if (!found.answer) return;
      check.seen = found.answer->text;
      check.verdict = found.move == "a2a3" || found.move == "h2h3" ? ProbeVerdict::pass : ProbeVerdict::tolerated;
    });
  }

  void timed(ProbeTalk& talk, ProbeCheck& check, std::string_view go, Duration allowed) {
    const auto found = search(talk, "position startpos", go, settings.answer);
    if (!found.answer) {
      talk.send("stop");
      return;
    }
    judge_time(check, found.answer->text, found.took, allowed);
  }

  void mate_in_one() {
    check("mate-in-one", "UCI bestmove, info score mate", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1; go depth 4";
      const auto found = search(talk, "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "go depth 4", settings.answer);
      if (!found.answer) return;
      const bool mate_said = found.info && found.info->score && found.info->score->mate == 1;
      check.seen = found.answer->text + (mate_said ? ", score mate 1" : ", no score mate 1");
      check.verdict = found.move == "a1a8" && mate_said ? ProbeVerdict::pass : ProbeVerdict::tolerated;
    });
  }

  void finished_positions() {
    check_alone("finished-positions", "UCI bestmove in a finished game", [&](ProbeTalk& talk, ProbeCheck& check) {
      // No referee asks this; an engine that dies of it does so in analysis too.
      check.sent = "position fen (mate), go depth 2; position fen (stalemate), go depth 2";
      std::string answers;
      for (const std::string_view fen : {"R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"}) {
        const auto found = search(talk, "position fen " + std::string(fen), "go depth 2", seconds(2));
        answers += (answers.empty() ? "" : "; ") + (found.answer ? found.answer->text : talk.fate());
        if (!found.answer) talk.send("stop");
      }
      check.seen = answers;
      check.verdict = answers == "bestmove (none); bestmove (none)" || answers == "bestmove 0000; bestmove 0000" ? ProbeVerdict::pass
                                                                                                                 : ProbeVerdict::tolerated;
    });
  }

  void stop() {
    check("stop", "UCI go infinite, stop", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "position startpos; go infinite; stop";
      const auto early = search(talk, "position startpos", "go infinite", milliseconds(500));
      if (early.answer) {
        check.seen = "ends go infinite by itself after " + milliseconds_text(early.took);
        check.verdict = ProbeVerdict::tolerated;
        return;
      }
      const auto since = ProbeTalk::now();
      talk.send("stop");
      const auto found = await_answer(talk, since, settings.answer);
      if (!found.answer) return;
      check.seen = found.answer->text + " " + milliseconds_text(found.took) + " after stop";
      check.verdict = found.took <= seconds(1) ? ProbeVerdict::pass : ProbeVerdict::tolerated;
    });
  }

  void ready_while_thinking() {
    check("isready-while-thinking", "UCI isready", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "position startpos; go infinite; isready; stop";
      if (search(talk, "position startpos", "go infinite", milliseconds(200)).answer) {
        check.seen = "ends go infinite by itself";
        check.verdict = ProbeVerdict::tolerated;
        return;
      }
      talk.send("isready");
      const auto first = talk.await(
          [](std::string_view line) {
            const auto word = Words(line).next();
            return word == "readyok" || word == "bestmove";
          },
          seconds(2));
      talk.send("stop");
      if (first && Words(first->text).next() == "readyok") {
        const auto found = await_answer(talk, ProbeTalk::now(), settings.answer);
        check.seen = found.answer ? "readyok, and it thinks on" : "readyok, but no bestmove after stop: " + talk.fate();
        if (found.answer) check.verdict = ProbeVerdict::pass;
        return;
      }
      // Never asked for in play, so no fault that matters; but the answers must still come.
      const bool answered = first.has_value() || await_answer(talk, ProbeTalk::now(), settings.answer).answer.has_value();
      if (!answered) return;
      check.seen = first ? "ends the search: " + first->text : "readyok does not come before the answer";
      check.verdict = ProbeVerdict::tolerated;
    });
  }

  void ponder() {
    check("ponder-hit", "UCI go ponder, ponderhit", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "position startpos moves e2e4 e7e5; go ponder wtime 2000 btime 2000; ponderhit";
      if (find_option(identity_, "Ponder") != nullptr) talk.send("setoption name Ponder value true");
      const auto early = search(talk, "position startpos moves e2e4 e7e5", "go ponder wtime 2000 btime 2000", milliseconds(300));
      if (early.answer) {
        check.seen = "answers before ponderhit: " + early.answer->text;
        check.verdict = ProbeVerdict::tolerated;
        return;
      }
      const auto since = ProbeTalk::now();
      talk.send("ponderhit");
      const auto found = await_answer(talk, since, settings.answer);
      if (!found.answer) return;
      check.seen = found.answer->text + " " + milliseconds_text(found.took) + " after ponderhit";
      check.verdict = found.took <= milliseconds(2000) + probe_slack ? ProbeVerdict::pass : ProbeVerdict::fail;
    });
    check("ponder-miss", "UCI go ponder, stop", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent =
          "position startpos moves e2e4 e7e5; go ponder wtime 2000 btime 2000; stop; position startpos moves e2e4 c7c5; go movetime 100";
      if (search(talk, "position startpos moves e2e4 e7e5", "go ponder wtime 2000 btime 2000", milliseconds(200)).answer) {
        check.seen = "answers before stop";
        check.verdict = ProbeVerdict::tolerated;
        return;
      }
      talk.send("stop");
      const auto swallowed = await_answer(talk, ProbeTalk::now(), settings.answer);
      if (!swallowed.answer) return;
      const auto found = search(talk, "position startpos moves e2e4 c7c5", "go movetime 100", settings.answer);
      if (!found.answer) return;
      std::string note;
      auto line = chess::Position::initial();
      for (const std::string_view move : {"e2e4", "c7c5"}) {
        line.play(std::get<chess::ReadMove>(chess::read_uci(line, move, chess::CastlingText::king_two_squares)).move);
      }
      const auto fault = fault_of(line, found.move, false, note);
      check.seen = fault.empty() ? swallowed.answer->text + " after stop, then " + found.answer->text : "illegal: " + fault;
      if (fault.empty()) check.verdict = ProbeVerdict::pass;
    });
  }

  void one_answer() {
    check("one-answer", "UCI bestmove", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "position startpos; go depth 1 (five times, as fast as it answers)";
      for (int i = 0; i < 5; ++i) {
        if (!search(talk, "position startpos", "go depth 1", settings.answer).answer) return;
      }
      const auto surplus = talk.await_word("bestmove", milliseconds(300));
      check.seen = surplus ? "a surplus " + surplus->text : "one bestmove for each go";
      check.verdict = surplus ? ProbeVerdict::fail : ProbeVerdict::pass;
    });
  }

  void lines_of_play() {
    check("lines-of-play", "UCI info pv, score", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "position startpos; go depth 6";
      const auto found = search(talk, "position startpos", "go depth 6", settings.answer);
      if (!found.answer) return;
      check.verdict = ProbeVerdict::tolerated;
      if (!found.info || !found.info->score) {
        check.seen = "no score reported: games cannot be adjudicated by it";
        return;
      }
      auto position = chess::Position::initial();
      Words moves(found.info->pv);
      for (auto move = moves.next(); !move.empty(); move = moves.next()) {
        const auto read = chess::read_uci(position, move, chess::CastlingText::king_two_squares);
        if (!std::holds_alternative<chess::ReadMove>(read)) {
          check.seen = "illegal move " + std::string(move) + " in pv " + found.info->pv;
          return;
        }
        position.play(std::get<chess::ReadMove>(read).move);
      }
      const auto head = Words(found.info->pv).next();
      check.seen = "pv " + found.info->pv;
      if (head == found.move) check.verdict = ProbeVerdict::pass;
      if (head != found.move) check.seen += ", but " + found.answer->text;
    });
  }

  void chess960() {
    const bool announced = find_option(identity_, "UCI_Chess960") != nullptr;
    check("chess960", "UCI UCI_Chess960", [&](ProbeTalk& talk, ProbeCheck& check) {
      if (!announced) {
        check.seen = "UCI_Chess960 is not announced: standard chess only";
        check.verdict = ProbeVerdict::tolerated;
        return;
      }
      check.sent = "setoption name UCI_Chess960 value true; position fen ...; go depth 2";
      talk.send("setoption name UCI_Chess960 value true");
      talk.send("ucinewgame");
      if (!ready(talk)) return;
      legal_in(talk, check, probe_chess960_positions(), true);
    });
    if (announced) {
      check_alone("chess960-castling", "UCI UCI_Chess960, king takes rook", [&](ProbeTalk& talk, ProbeCheck& check) {
        check.sent = "setoption name UCI_Chess960 value true; position fen 4k3/8/8/8/8/8/8/6KR w H - 0 1 moves g1h1 e8e7; go depth 2";
        talk.send("setoption name UCI_Chess960 value true");
        talk.send("ucinewgame");
        if (!ready(talk)) return;
        const auto found = search(talk, "position fen 4k3/8/8/8/8/8/8/6KR w H - 0 1 moves g1h1 e8e7", "go depth 2", settings.answer);
        if (!found.answer) return;
        // After castling the king stands on g1, the rook on f1.
        std::string note;
        const auto after = chess::parse_fen("8/4k3/8/8/8/8/8/5RK1 w - - 2 2").position();
        const auto fault = fault_of(after, found.move, true, note);
        check.seen = fault.empty() ? found.answer->text : "did not castle: " + fault;
        if (fault.empty()) check.verdict = ProbeVerdict::pass;
      });
    }
  }

  void long_game() {
    check("long-game", "UCI position moves", [&](ProbeTalk& talk, ProbeCheck& check) {
      const auto game = probe_game(400);
      check.sent = "position startpos moves (" + std::to_string(game.plies.size()) + " plies); go depth 2";
      const auto found = search(talk, "position startpos moves " + moves_text(game), "go depth 2", settings.answer);
      if (!found.answer) return;
      std::string note;
      const auto fault = fault_of(game.current, found.move, false, note);
      check.seen = fault.empty() ? found.answer->text : "illegal: " + fault;
      if (fault.empty()) check.verdict = ProbeVerdict::pass;
    });
  }

  void odd_input() {
    check("crlf", "UCI line ends", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "isready CR LF; position startpos moves e2e4 CR LF; go depth 2 CR LF";
      // Only a Windows host writes so; we do not.
      check.verdict = ProbeVerdict::tolerated;
      check.seen = "does not read lines that end in CR LF";
      talk.send_raw("isready\r\n");
      if (!talk.await([](std::string_view line) { return trimmed(line).ends_with("readyok"); }, settings.answer)) return;
      const auto found = search(talk, "position startpos moves e2e4\r", "go depth 2\r", settings.answer);
      if (!found.answer) return;
      std::string note;
      auto position = chess::Position::initial();
      position.play(std::get<chess::ReadMove>(chess::read_uci(position, "e2e4", chess::CastlingText::king_two_squares)).move);
      const auto fault = fault_of(position, found.move, false, note);
      check.seen = fault.empty() ? found.answer->text : "illegal: " + fault;
      check.verdict = fault.empty() ? ProbeVerdict::pass : ProbeVerdict::tolerated;
    });
    check("unknown-commands", "UCI unknown commands and tokens", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "xyzzy; (empty line); joho debug off; isready";
      talk.send("xyzzy\n\njoho debug off");
      if (!ready(talk)) return;
      check.seen = "readyok";
      check.verdict = ProbeVerdict::pass;
    });
    check("white-space", "UCI white space between tokens", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "  position   startpos\tmoves  e2e4   e7e5; go   depth\t2";
      const auto found = search(talk, "  position   startpos\tmoves  e2e4   e7e5", "go   depth\t2", settings.answer);
      if (!found.answer) {
        talk.send("stop");
        const auto stopped = await_answer(talk, ProbeTalk::now(), settings.answer);
        check.seen = stopped.answer ? "does not read tabs or several blanks" : "";
        if (stopped.answer) check.verdict = ProbeVerdict::tolerated;
        return;
      }
      check.seen = found.answer->text;
      check.verdict = ProbeVerdict::pass;
    });
  }

  void ends() {
    check_quit("UCI quit");
    check_alone("quit-while-thinking", "UCI quit", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "position startpos; go infinite; quit";
      (void)search(talk, "position startpos", "go infinite", milliseconds(200));
      talk.send("quit");
      judge_end(talk, check);
    });
    check_end_of_input("position startpos; go infinite", [this](ProbeTalk& talk) {
      (void)search(talk, "position startpos", "go infinite", milliseconds(200));
      return true;
    });
  }

  EngineIdentity identity_;
  std::optional<chess::Position> asked_;  // where the last search was
};

}  // namespace

std::unique_ptr<ProbeRun> make_uci_probe(const Launcher& launcher, const EngineCommand& command, const ProbeSettings& settings,
                                         ProbeReport& report) {
  return std::make_unique<UciProbe>(launcher, command, settings, report);
}

}  // namespace referee::engine
