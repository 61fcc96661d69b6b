// The XBoard checks.
#include <algorithm>
#include <utility>
#include <variant>

#include "engine_iface/probe_board.hpp"
#include "engine_iface/probe_checks.hpp"
#include "engine_iface/protocol_base.hpp"
#include "engine_iface/text.hpp"
#include "engine_iface/xboard_feature.hpp"
#include "engine_iface/xboard_setup.hpp"
#include "engine_iface/xboard_speech.hpp"
#include "referee/chess/fen.hpp"
#include "referee/chess/notation.hpp"

namespace referee::engine {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

struct Reply {
  std::optional<ProbeTalk::Line> line;
  Duration took{};
  std::string move;
  std::optional<SearchInfo> info;
};

class XboardProbe final : public ProbeRun {
 public:
  using ProbeRun::ProbeRun;

  std::unique_ptr<ProbeTalk> greet(std::string& why) override {
    auto talk = std::make_unique<ProbeTalk>(launcher, command);
    features_ = {};
    version_ = 1;
    oddities_.clear();
    options_ = 0;
    const auto since = ProbeTalk::now();
    talk->nudge_after(milliseconds(400));
    talk->send("xboard\nprotover 2");
    bool done = false, extended = false;
    while (!done) {
      const auto line = talk->await(
          [](std::string_view text) { return Words(text).next() == "feature" || text.find("protover") != std::string_view::npos; },
          extended ? settings.start * 10 : milliseconds(5000));
      if (!line) break;
      if (Words(line->text).next() != "feature") break;  // it does not know the command
      version_ = 2;
      take_features(*talk, line->text, done, extended);
    }
    greeting_took_ = ProbeTalk::now() - since;
    nudged_ = talk->needed_a_nudge();
    if (!nudged_) talk->nudge_after(Duration::zero());
    done_said_ = done;
    if (!talk->alive()) {
      why = "no features: " + talk->fate();
      return nullptr;
    }
    if (version_ == 1 && !knows_xboard(*talk)) {
      why = "does not know the command xboard";
      return nullptr;
    }
    if (version_ == 1 && repeats_its_input(*talk)) {
      why = "repeats what it is told: no engine";
      return nullptr;
    }
    if (version_ == 1 && !plays_) {
      // Nothing said who is there, and a silent program of any kind looks the same: only an engine makes a move.
      talk->send("new\nlevel 40 1 0");
      const auto moved = go(*talk, chess::Color::white, settings.answer);
      plays_ = !moved.move.empty();
      if (!plays_) {
        why = "no features and no move: it answers neither uci nor xboard";
        return nullptr;
      }
      talk->send("force");
    }
    if (!settle(*talk)) {
      why = "no pong after the features: " + talk->fate();
      return nullptr;
    }
    return talk;
  }

  void run() override {
    handshake();
    features();
    fences();
    legality();
    force_mode();
    limits();
    mate_in_one();
    move_now();
    ponder();
    draws_and_results();
    errors();
    chess960();
    long_game();
    odd_input();
    ends();
  }

 private:
  void take_features(ProbeTalk& talk, std::string_view line, bool& done, bool& extended) {
    Words words(line);
    (void)words.next();
    for (const auto& setting : parse_features(words.rest())) {
      bool accepted = true;
      if (setting.name == "done") {
        done = setting.value == "1";
        extended = !done;
      } else if (setting.name == "myname") {
        if (!setting.value.empty()) report.engine = setting.value;
      } else if (setting.name == "option") {
        ++options_;
        accepted = parse_xboard_option(setting.value).has_value();
        if (!accepted) oddities_ += "; no known form of option: " + excerpt(setting.value);
      } else {
        accepted = features_.set(setting);
        if (!accepted) oddities_ += "; unknown feature " + setting.name + "=" + excerpt(setting.value);
      }
      talk.send((accepted ? "accepted " : "rejected ") + setting.name);
    }
  }

  static bool knows_xboard(const ProbeTalk& talk) {
    return std::none_of(talk.said().begin(), talk.said().end(), [](const ProbeTalk::Line& line) {
      return line.text.find("nknown command") != std::string::npos && line.text.find("xboard") != std::string::npos;
    });
  }

  static bool repeats_its_input(const ProbeTalk& talk) {
    return std::any_of(talk.said().begin(), talk.said().end(),
                       [](const ProbeTalk::Line& line) { return line.text == "xboard" || line.text == "protover 2"; });
  }

  /// Everything sent is digested: a pong, or a silence where there is no ping.
  bool settle(ProbeTalk& talk) {
    if (!features_.ping) {
      (void)talk.await([](std::string_view) { return false; }, milliseconds(200));
      return talk.alive();
    }
    const auto number = std::to_string(++ping_);
    talk.send("ping " + number);
    return talk
        .await(
            [&](std::string_view line) {
              const auto said = speech::classify(line);
              const auto* pong = std::get_if<speech::Pong>(&said);
              return pong != nullptr && pong->number == number;
            },
            settings.answer)
        .has_value();
  }

  Reply await_move(ProbeTalk& talk, Instant since, Duration limit) {
    Reply reply;
    reply.line = talk.await(
        [&](std::string_view line) {
          const auto said = speech::classify(line);
          if (std::holds_alternative<speech::Thinking>(said)) reply.info = speech::parse_thinking(line);
          const auto* move = std::get_if<speech::Move>(&said);
          if (move != nullptr) reply.move = move->text;
          // A result or a resignation instead of a move ends the wait too.
          return move != nullptr || std::holds_alternative<speech::Result>(said) || std::holds_alternative<speech::Resign>(said);
        },
        limit);
    if (reply.line) reply.took = reply.line->at - since;
    return reply;
  }

  /// A new game in this position, the engine waiting in force mode.
  bool set_up(ProbeTalk& talk, const chess::Position& position, std::string_view control = "level 0 1 0", bool chess960 = false) {
    std::string text = "new\n";
    if (chess960) text += "variant fischerandom\n";
    text.append(control).append("\npost\neasy\nforce\n");
    if (!(position == chess::Position::initial())) {
      if (features_.setboard) {
        text.append("setboard ").append(chess::to_fen(position)).append("\n");
      } else {
        append_edit(text, position, prefix());
      }
    }
    text.pop_back();
    talk.send(text);
    talk.drop_unread();
    return settle(talk);
  }
  Reply go(ProbeTalk& talk, chess::Color color, Duration limit) {
    std::string text;
    const bool white = color == chess::Color::white;
    if (features_.colors) text += white ? "black\n" : "white\n";
    if (features_.time) text += "time 6000\notim 6000\n";
    if (features_.colors) text += white ? "white\n" : "black\n";
    const auto since = ProbeTalk::now();
    talk.send(text + "go");
    return await_move(talk, since, limit);
  }
  [[nodiscard]] std::string prefix() const { return features_.usermove ? "usermove " : ""; }
  [[nodiscard]] std::string to_engine(const chess::Position& position, std::string_view uci) const {
    if (!features_.san) return prefix() + std::string(uci);
    const auto move = std::get<chess::ReadMove>(chess::read_uci(position, uci, chess::CastlingText::king_two_squares)).move;
    return prefix() + chess::to_san(position, move);
  }

  /// Empty = legal.
  static std::string fault_of(const chess::Position& position, std::string_view move, bool chess960, std::string& note) {
    const auto castling = chess960 ? chess::CastlingText::king_takes_rook : chess::CastlingText::king_two_squares;
    const auto read = chess::read_xboard(position, move, castling);
    if (const auto* legal = std::get_if<chess::ReadMove>(&read)) {
      note = legal->note;
      return {};
    }
    return "move " + std::string(move) + " in " + chess::to_fen(position);
  }

  void judge_first_move(const Reply& found) {
    std::string note;
    if (found.move.empty()) return;
    if (auto fault = fault_of(chess::Position::initial(), found.move, false, note); !fault.empty()) answered_illegally(std::move(fault));
  }

  void handshake() {
    check_alone("handshake", "CECP 8 xboard, protover", [&](ProbeTalk&, ProbeCheck& check) {
      check.sent = "xboard; protover 2";
      check.seen = version_ == 1 ? "no features: protocol version 1"
                   : !done_said_ ? "features without done=1"
                                 : "features, done=1 after " + milliseconds_text(greeting_took_);
      if (nudged_) check.seen += "; only after an empty line";
      check.verdict = version_ == 2 && done_said_ && !nudged_ ? ProbeVerdict::pass : ProbeVerdict::tolerated;
    });
  }

  void features() {
    check("features", "CECP 9 feature, option", [&](ProbeTalk&, ProbeCheck& check) {
      check.sent = "protover 2; accepted ...; rejected ...";
      std::string lacks;
      if (!features_.ping) lacks += " ping";
      if (!features_.setboard) lacks += " setboard";
      if (features_.colors) lacks += " colors=0";
      check.seen = std::to_string(options_) + " options" + oddities_ + (lacks.empty() ? "" : "; without" + lacks);
      check.verdict = oddities_.empty() && lacks.empty() ? ProbeVerdict::pass : ProbeVerdict::tolerated;
    });
  }

  void fences() {
    check("ping", "CECP 8 ping", [&](ProbeTalk& talk, ProbeCheck& check) {
      if (!features_.ping) {
        check.seen = "ping is not declared";
        check.verdict = ProbeVerdict::tolerated;
        return;
      }
      check.sent = "new; force; ping N (three times)";
      for (int i = 0; i < 3; ++i) {
        talk.send("new\nforce");
        if (!settle(talk)) return;
      }
      check.seen = "pong with the right number each time";
      check.verdict = ProbeVerdict::pass;
    });
  }

  void legal_in(ProbeTalk& talk, ProbeCheck& check, const std::vector<std::string_view>& fens, bool chess960) {
    std::string notes;
    for (const auto fen : fens) {
      const auto position = chess::parse_fen(fen, chess::FenReading::lenient).position();
      if (!set_up(talk, position, "st 1\nsd 2", chess960)) return;
      const auto found = go(talk, position.side_to_move(), settings.answer);
      if (!found.line) {
        check.seen = "no move in " + std::string(fen) + ": " + talk.fate();
        return;
      }
      if (found.move.empty()) {
        notes += "; " + excerpt(found.line->text) + " in " + std::string(fen);
        continue;
      }
      std::string note;
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
    check("legal-moves", "CECP 8 setboard or edit, go; 9 move", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = features_.setboard ? "new; force; setboard ...; sd 2; go" : "new; force; edit ...; sd 2; go";
      legal_in(talk, check, probe_positions(), false);
    });
  }

  void force_mode() {
    check("force-mode", "CECP 8 force", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "new; force; e2e4; e7e5; g1f3; go";
      if (!set_up(talk, chess::Position::initial(), "st 1\nsd 3")) return;
      auto position = chess::Position::initial();
      for (const std::string_view move : {"e2e4", "e7e5", "g1f3"}) {
        talk.send(to_engine(position, move));
        position.play(std::get<chess::ReadMove>(chess::read_uci(position, move, chess::CastlingText::king_two_squares)).move);
      }
      if (await_move(talk, ProbeTalk::now(), milliseconds(400)).line) {
        check.seen = "moves in force mode";
        return;
      }
      const auto found = go(talk, chess::Color::black, settings.answer);
      if (!found.line) return;
      std::string note;
      const auto fault = fault_of(position, found.move, false, note);
      check.seen = fault.empty() ? "silent in force mode, then " + found.line->text : "illegal: " + fault;
      if (fault.empty()) check.verdict = ProbeVerdict::pass;
    });
    check("undo", "CECP 8 undo", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "new; force; e2e4; e7e5; undo; undo; d2d4; go";
      if (!set_up(talk, chess::Position::initial(), "st 1\nsd 3")) return;
      auto position = chess::Position::initial();
      talk.send(to_engine(position, "e2e4"));
      const auto after =
          position.after(std::get<chess::ReadMove>(chess::read_uci(position, "e2e4", chess::CastlingText::king_two_squares)).move);
      talk.send(to_engine(after, "e7e5"));
      talk.send("undo\nundo");
      talk.send(to_engine(position, "d2d4"));
      position.play(std::get<chess::ReadMove>(chess::read_uci(position, "d2d4", chess::CastlingText::king_two_squares)).move);
      const auto found = go(talk, chess::Color::black, settings.answer);
      if (!found.line) return;
      std::string note;
      const auto fault = fault_of(position, found.move, false, note);
      check.seen = fault.empty() ? found.line->text : "illegal: " + fault;
      check.verdict = fault.empty() ? ProbeVerdict::pass : ProbeVerdict::fail;
    });
  }

  void timed(std::string id, std::string section, const std::string& control, Duration allowed) {
    check(std::move(id), std::move(section), [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "new; " + control + "; go";
      if (!set_up(talk, chess::Position::initial(), control)) return;
      std::string clocks;
      if (features_.time && control.starts_with("level")) clocks = "time 100\notim 100\n";
      const auto since = ProbeTalk::now();
      talk.send(clocks + "go");
      const auto found = await_move(talk, since, settings.answer);
      if (!found.line) return;
      judge_first_move(found);
      judge_time(check, found.line->text, found.took, allowed);
    });
  }

  void limits() {
    check("depth", "CECP 8 sd", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "new; level 0 1 0; sd 4; go";
      if (!set_up(talk, chess::Position::initial(), "level 0 1 0\nsd 4")) return;
      const auto found = go(talk, chess::Color::white, settings.answer * 2);
      if (!found.line) return;
      judge_first_move(found);
      const int depth = found.info ? found.info->depth.value_or(0) : 0;
      check.seen = found.line->text + (depth > 0 ? ", depth reported " + std::to_string(depth) : ", no depth reported");
      check.verdict = depth == 4 ? ProbeVerdict::pass : ProbeVerdict::tolerated;
    });
    timed("seconds-per-move", "CECP 11 st", "st 1", milliseconds(1000));
    timed("clock", "CECP 11 level, time, otim", "level 0 0:01 0", milliseconds(1000));
    timed("clock-moves", "CECP 11 level", "level 40 0:02 0", milliseconds(1000));
  }

  void mate_in_one() {
    check("mate-in-one", "CECP 9 move, 10 thinking output", [&](ProbeTalk& talk, ProbeCheck& check) {
      const std::string_view fen = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
      check.sent = "setboard 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1; sd 4; go";
      if (!set_up(talk, chess::parse_fen(fen).position(), "st 1\nsd 4")) return;
      const auto found = go(talk, chess::Color::white, settings.answer);
      if (!found.line) return;
      check.seen = found.line->text;
      const auto after = talk.await([](std::string_view line) { return std::holds_alternative<speech::Result>(speech::classify(line)); },
                                    milliseconds(200));
      if (after) check.seen += "; " + after->text;
      const bool mates = found.move == "a1a8" || found.move.starts_with("Ra8");
      const bool right = !after || after->text.starts_with("1-0") || after->text.starts_with("White");
      check.verdict = !right ? ProbeVerdict::fail : mates ? ProbeVerdict::pass : ProbeVerdict::tolerated;
    });
  }

  void move_now() {
    check("move-now", "CECP 8 ?", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "new; level 0 60 0; go; ?";
      if (!set_up(talk, chess::Position::initial(), "level 0 60 0")) return;
      if (go(talk, chess::Color::white, milliseconds(500)).line) {
        check.seen = "moved within 500 ms by itself";
        check.verdict = ProbeVerdict::pass;
        return;
      }
      if (features_.sigint) talk.interrupt();
      const auto since = ProbeTalk::now();
      talk.send("?");
      const auto found = await_move(talk, since, seconds(2));
      check.verdict = found.line && found.took <= seconds(1) ? ProbeVerdict::pass : ProbeVerdict::tolerated;  // it may ignore the command
      check.seen = found.line ? found.line->text + " after " + milliseconds_text(found.took) : "ignores ?";
    });
    check("force-while-thinking", "CECP 8 force", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "new; level 0 60 0; go; force; ping";
      if (!set_up(talk, chess::Position::initial(), "level 0 60 0")) return;
      if (go(talk, chess::Color::white, milliseconds(300)).line) {
        check.seen = "moved within 300 ms by itself";
        check.verdict = ProbeVerdict::pass;
        return;
      }
      if (features_.sigint) talk.interrupt();
      const auto since = ProbeTalk::now();
      talk.send("force");
      if (!settle(talk)) {
        check.seen = "no pong within " + describe(settings.answer) + " of force: " + talk.fate();
        return;
      }
      check.seen = "digested after " + milliseconds_text(ProbeTalk::now() - since);
      check.verdict = ProbeVerdict::pass;
    });
  }

  void ponder() {
    check("ponder", "CECP 8 hard, easy", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "new; hard; e2e4; (300 ms); second move; easy";
      if (!set_up(talk, chess::Position::initial(), "level 0 0:04 0")) return;
      talk.send("hard");
      auto position = chess::Position::initial();
      talk.send(to_engine(position, "e2e4"));
      position.play(std::get<chess::ReadMove>(chess::read_uci(position, "e2e4", chess::CastlingText::king_two_squares)).move);
      for (int i = 0; i < 2; ++i) {
        const auto found = i == 0 ? go(talk, chess::Color::black, settings.answer) : await_move(talk, ProbeTalk::now(), settings.answer);
        if (!found.line) return;
        std::string note;
        if (const auto fault = fault_of(position, found.move, false, note); !fault.empty()) {
          check.seen = "illegal: " + fault;
          return;
        }
        position.play(std::get<chess::ReadMove>(chess::read_xboard(position, found.move, chess::CastlingText::king_two_squares)).move);
        if (const auto early = await_move(talk, ProbeTalk::now(), milliseconds(300)); early.line) {
          check.seen = "moves out of turn: " + early.line->text;
          return;
        }
        if (i > 0) break;
        const auto reply = chess::to_uci(position, position.legal_moves()[0], chess::CastlingText::king_two_squares);
        talk.send(to_engine(position, reply));
        position.play(position.legal_moves()[0]);
      }
      talk.send("easy\nforce");
      if (!settle(talk)) return;
      check.seen = "two legal moves, none out of turn";
      check.verdict = ProbeVerdict::pass;
    });
  }

  void draws_and_results() {
    check("draw-offer", "CECP 8 draw", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "new; st 1; draw; go";
      if (!features_.draw) {
        check.seen = "draw=0: is not told of offers";
        check.verdict = ProbeVerdict::pass;
        return;
      }
      if (!set_up(talk, chess::Position::initial(), "st 1\nsd 3")) return;
      talk.send("draw");
      const auto found = go(talk, chess::Color::white, settings.answer);
      if (!found.line) return;
      check.seen = found.line->text;
      check.verdict = found.move.empty() ? ProbeVerdict::tolerated : ProbeVerdict::pass;
    });
    check("result", "CECP 8 result", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "new; go; result 1-0 {White wins}; force; new; force; go";
      if (!set_up(talk, chess::Position::initial(), "st 1\nsd 3")) return;
      if (!go(talk, chess::Color::white, settings.answer).line) return;
      talk.send("result 1-0 {White wins}\nforce");
      if (!settle(talk)) return;
      if (!features_.reuse) {
        check.seen = "reuse=0: one game a process";
        check.verdict = ProbeVerdict::pass;
        return;
      }
      if (!set_up(talk, chess::Position::initial(), "st 1\nsd 3")) return;
      const auto found = go(talk, chess::Color::white, settings.answer);
      if (!found.line) return;
      check.seen = "a second game: " + found.line->text;
      check.verdict = ProbeVerdict::pass;
    });
  }

  void errors() {
    check("illegal-move", "CECP 9 Illegal move", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "new; force; e2e5";
      if (!set_up(talk, chess::Position::initial())) return;
      talk.send(prefix() + "e2e5");
      const auto said = talk.await(
          [](std::string_view line) {
            const auto kind = speech::classify(line);
            return std::holds_alternative<speech::IllegalMove>(kind) || std::holds_alternative<speech::Error>(kind);
          },
          seconds(1));
      if (!said && !settle(talk)) return;
      check.seen = said ? said->text : "takes it without a word";
      check.verdict = said && (said->text.starts_with("Illegal move") || said->text.starts_with("illegal move")) ? ProbeVerdict::pass
                                                                                                                 : ProbeVerdict::tolerated;
    });
    check("unknown-command", "CECP 9 Error", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "xyzzy";
      talk.drop_unread();
      talk.send("xyzzy");
      const auto said = talk.await([](std::string_view line) { return !trimmed(line).empty(); }, seconds(1));
      if (!settle(talk)) return;
      check.seen = said ? excerpt(said->text) : "silence";
      check.verdict = said && said->text.starts_with("Error") ? ProbeVerdict::pass : ProbeVerdict::tolerated;
    });
  }

  void chess960() {
    check("chess960", "CECP 8 variant fischerandom", [&](ProbeTalk& talk, ProbeCheck& check) {
      if (version_ == 1 || !features_.variants || !features_.plays("fischerandom")) {
        check.seen = "fischerandom is not listed: standard chess only";
        check.verdict = ProbeVerdict::tolerated;
        return;
      }
      check.sent = "new; variant fischerandom; force; setboard ...; sd 2; go";
      legal_in(talk, check, probe_chess960_positions(), true);
    });
  }

  void long_game() {
    check("long-game", "CECP 8 force, MOVE", [&](ProbeTalk& talk, ProbeCheck& check) {
      const auto game = probe_game(400);
      check.sent = "new; force; (" + std::to_string(game.plies.size()) + " moves); go";
      if (!set_up(talk, chess::Position::initial(), "st 1\nsd 2")) return;
      std::string text;
      for (const auto& ply : game.plies) {
        text += prefix();
        append_xboard_move(text, ply, false, features_.san);
        text += '\n';
      }
      text.pop_back();
      talk.send(text);
      const auto found = go(talk, game.current.side_to_move(), settings.answer);
      if (!found.line) return;
      std::string note;
      const auto fault = found.move.empty() ? std::string() : fault_of(game.current, found.move, false, note);
      check.seen = fault.empty() ? found.line->text : "illegal: " + fault;
      if (fault.empty()) check.verdict = found.move.empty() ? ProbeVerdict::tolerated : ProbeVerdict::pass;
    });
  }

  void odd_input() {
    check("crlf", "CECP 6 line ends", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = "new CR LF; force CR LF; go CR LF";
      talk.drop_unread();
      talk.send_raw("new\r\nforce\r\nsd 2\r\nst 1\r\n");
      const auto since = ProbeTalk::now();
      talk.send_raw("go\r\n");
      const auto found = await_move(talk, since, settings.answer);
      check.seen = found.line ? found.line->text : "does not read lines that end in CR LF";
      // Only a Windows host writes so; we do not.
      check.verdict = found.line ? ProbeVerdict::pass : ProbeVerdict::tolerated;
      if (!found.line) talk.kill();
    });
  }

  void ends() {
    check_quit("CECP 8 quit");
    check_alone("quit-while-thinking", "CECP 7 signals, 8 quit", [&](ProbeTalk& talk, ProbeCheck& check) {
      check.sent = features_.sigterm ? "new; go; quit; SIGTERM" : "new; go; quit";
      if (!set_up(talk, chess::Position::initial(), "level 0 60 0")) return;
      (void)go(talk, chess::Color::white, milliseconds(200));
      talk.send("quit");
      if (features_.sigterm) {
        if (talk.await_exit(milliseconds(500))) return judge_end(talk, check);
        talk.terminate();
        const auto status = talk.await_exit(seconds(5));
        check.seen = status ? describe(*status) : "still runs 5 s after SIGTERM";
        if (status) check.verdict = ProbeVerdict::pass;
        return;
      }
      judge_end(talk, check);
    });
    check_end_of_input("new; go", [this](ProbeTalk& talk) {
      if (!set_up(talk, chess::Position::initial(), "level 0 60 0")) return false;
      (void)go(talk, chess::Color::white, milliseconds(200));
      return true;
    });
  }

  XboardFeatures features_;
  int version_ = 1;
  int options_ = 0;
  int ping_ = 0;
  bool done_said_ = false;
  bool nudged_ = false;
  bool plays_ = false;  // version 1: it has made a move
  Duration greeting_took_{};
  std::string oddities_;
};

}  // namespace

std::unique_ptr<ProbeRun> make_xboard_probe(const Launcher& launcher, const EngineCommand& command, const ProbeSettings& settings,
                                            ProbeReport& report) {
  return std::make_unique<XboardProbe>(launcher, command, settings, report);
}

}  // namespace referee::engine
