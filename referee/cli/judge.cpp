// `judge`: positions in, one verdict a line out.
#include <fcntl.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <map>
#include <set>

#include "config/editions.hpp"
#include "config/error.hpp"
#include "referee/chess/fen.hpp"
#include "referee/cli/json_text.hpp"
#include "referee/cli/judgement.hpp"
#include "referee/cli/registry.hpp"
#include "referee/cli/together.hpp"
#include "referee/game/explain.hpp"
#include "referee/game/words.hpp"

namespace referee::cli {

namespace {

namespace json = boost::json;
using chess::Color;
using chess::index;
using chess::Position;
using laws::CanMate;

constexpr std::string_view default_edition = "fide-2023";
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::size_t longest_line = std::size_t{1} << 20U;
constexpr std::size_t chunk_size = std::size_t{1} << 16U;

using Editions = std::vector<std::shared_ptr<const laws::Edition>>;

struct Line {
  JudgeQuestion question;
  std::optional<std::string> edition;
};
struct NotJson {
  std::string message;
};

// Reading ----------------------------------------------------------------------------------------------------------------

[[nodiscard]] std::string text_of(const json::value& value, const char* name) {
  if (const auto* text = value.if_string()) return std::string(text->data(), text->size());
  throw NotJson{std::string(name) + " is not a text"};
}

[[nodiscard]] std::vector<std::string> moves_of(const json::value& value) {
  std::vector<std::string> moves;
  if (const auto* list = value.if_array()) {
    for (const json::value& move : *list) moves.push_back(text_of(move, "a move"));
    return moves;
  }
  // "e2e4 e7e5" as in a UCI position command.
  const std::string text = text_of(value, "moves");
  for (std::size_t at = text.find_first_not_of(' '); at != std::string::npos; at = text.find_first_not_of(' ', at)) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    moves.push_back(text.substr(at, end - at));
    at = end;
  }
  return moves;
}

/// Of an object that is valid JSON: the first of its own keys that is there before, as it is spelled there.
[[nodiscard]] std::optional<std::string> repeated_key(std::string_view object) {
  std::set<std::string_view> keys;
  int depth = 0;
  for (std::size_t at = 0; at < object.size(); ++at) {
    const char c = object[at];
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (c != '"') continue;
    const std::size_t begin = ++at;
    while (object[at] != '"') at += object[at] == '\\' ? 2 : 1;
    const std::size_t next = object.find_first_not_of(" \t\r\n", at + 1);
    if (depth != 1 || next == std::string_view::npos || object[next] != ':') continue;
    const std::string_view key = object.substr(begin, at - begin);
    if (!keys.insert(key).second) return std::string(key);
  }
  return std::nullopt;
}

[[nodiscard]] Line read_object(std::string_view text, const JudgeQuestion& defaults) {
  json::error_code error;
  const json::value value = json::parse(json::string_view(text.data(), text.size()), error);
  if (error) throw NotJson{"not a JSON object: " + error.message()};
  Line line{defaults, std::nullopt};
  if (const auto twice = repeated_key(text)) throw NotJson{"the key '" + *twice + "' is there twice"};
  for (const auto& [key, member] : value.as_object()) {
    if (key == "fen") {
      line.question.fen = text_of(member, "fen");
    } else if (key == "moves") {
      line.question.moves = moves_of(member);
    } else if (key == "chess960") {
      if (!member.is_bool()) throw NotJson{"chess960 is not true or false"};
      line.question.chess960 = member.as_bool();
    } else if (key == "edition") {
      line.edition = text_of(member, "edition");
    } else {
      throw NotJson{"unknown key '" + std::string(key) + "' (expected fen, moves, chess960, edition)"};
    }
  }
  return line;
}

[[nodiscard]] Line read_line(std::string_view text, const JudgeQuestion& defaults) {
  if (text.front() == '{') return read_object(text, defaults);
  Line line{defaults, std::nullopt};
  line.question.fen = std::string(text);
  return line;
}

// Writing ----------------------------------------------------------------------------------------------------------------

[[nodiscard]] json::value verdict(CanMate can_mate) {
  if (can_mate == CanMate::undecided) return nullptr;
  return can_mate == CanMate::yes;
}

[[nodiscard]] std::vector<std::string> san_line(Position position, const std::vector<chess::Move>& moves) {
  std::vector<std::string> line;
  line.reserve(moves.size());
  for (const chess::Move move : moves) {
    line.push_back(chess::to_san(position, move));
    position.play(move);
  }
  return line;
}

/// "12. Kg2 h5 13. Qxh5#"
[[nodiscard]] std::string numbered(const Position& start, const std::vector<std::string>& line) {
  std::string text;
  int number = start.fullmove_number();
  bool white = start.side_to_move() == Color::white;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (white || i == 0) text += (text.empty() ? "" : " ") + std::to_string(number) + (white ? "." : "...");
    text += " " + line[i];
    if (!white) ++number;
    white = !white;
  }
  return text;
}

[[nodiscard]] std::string with_article(const std::string& article) { return article.empty() ? "" : " (" + article + ")"; }

[[nodiscard]] std::string in_words(const laws::Winnability& found, Color winner, const Position& position) {
  const std::string who(game::title(winner));
  switch (found.verdict) {
    case CanMate::yes:
      if (found.helpmate.empty()) return who + " has mated";
      return who + " can mate: " + numbered(position, san_line(position, found.helpmate));
    case CanMate::no:
      return who + " cannot mate by any series of legal moves (proof: " + std::string(laws::name(found.proof)) + ", " +
             std::to_string(found.nodes) + " positions)";
    case CanMate::undecided:
      break;
  }
  return "whether " + who + " can mate was not found out (" + std::to_string(found.nodes) + " positions)";
}

[[nodiscard]] std::string in_words(const FlagFall& fall) {
  return fall.result + " " + fall.reason + with_article(fall.article) + (fall.undecided ? ", undecided: the ordinary result stands" : "");
}

/// The ruling step by step, in the order in which the Laws ask (DESIGN: checkmate, stalemate, dead position, automatic draws, claims).
[[nodiscard]] std::vector<std::string> explanation(const Judgement& judgement, const EditionJudgement& under) {
  const Position& position = judgement.position;
  const laws::Edition& edition = *under.edition;
  std::vector<std::string> steps;
  const std::size_t moves = position.count_legal_moves();
  steps.push_back(std::string(game::title(position.side_to_move())) + " is to move, " +
                  (position.in_check() ? "in check" : "not in check") + ", with " + std::to_string(moves) +
                  (moves == 1 ? " legal move" : " legal moves"));
  for (const Color winner : {Color::white, Color::black}) steps.push_back(in_words(judgement.winnability[index(winner)], winner, position));
  steps.push_back("the position has occurred " + std::to_string(judgement.occurrences) + (judgement.occurrences == 1 ? " time" : " times") +
                  "; a claim needs " + (edition.repetition_claim ? std::to_string(*edition.repetition_claim) : "(none exists)") +
                  ", the game ends by itself at " +
                  (edition.repetition_automatic ? std::to_string(*edition.repetition_automatic) : "(never)"));
  steps.push_back(std::to_string(position.halfmove_clock()) + " half-moves without a pawn move or capture; a claim needs " +
                  (edition.no_progress_claim_moves ? std::to_string(2 * *edition.no_progress_claim_moves) : "(none exists)") +
                  ", the game ends by itself at " +
                  (edition.no_progress_automatic_moves ? std::to_string(2 * *edition.no_progress_automatic_moves) : "(never)"));
  if (under.ending) {
    steps.push_back("so the game is over: " + game::result_text(*under.ending) + " " + std::string(game::code(under.ending->reason)) +
                    with_article(under.ending->article) + (under.ending->detail.empty() ? "" : ": " + under.ending->detail));
  } else {
    steps.emplace_back("so the game goes on");
    for (const Color flag : {Color::white, Color::black}) {
      steps.push_back("if " + std::string(game::title(flag)) + "'s flag falls: " + in_words(under.if_flags[index(flag)]));
    }
  }
  return steps;
}

class Writer {
 public:
  enum class Form { text, json };
  enum class Detail { verdict, explained };
  Writer(Form form, Detail detail, bool all_editions) : form_(form), detail_(detail), all_editions_(all_editions) {}

  void answer(const Judgement& judgement) { form_ == Form::json ? write_json(judgement) : write_text(judgement); }
  void refuse(const JudgeRefusal& refusal, std::size_t line_number) {
    if (form_ == Form::json) {
      out_ += json_text(json::object{{"error", refusal.error}, {"field", refusal.field}, {"line", line_number}});
      out_ += '\n';
    } else {
      out_ += "line " + std::to_string(line_number) + ": " + refusal.field + ": " + refusal.error + "\n\n";
    }
  }
  void flush() {
    std::cout.write(out_.data(), static_cast<std::streamsize>(out_.size()));
    std::cout.flush();
    out_.clear();
  }

 private:
  [[nodiscard]] static json::object written(const FlagFall& fall) {
    json::object out{{"result", fall.result}, {"reason", fall.reason}, {"article", fall.article}};
    if (fall.undecided) out["undecided"] = true;
    return out;
  }
  static void add_edition(json::object& out, const EditionJudgement& under) {
    out["edition"] = under.edition->id;
    if (under.ending) {
      out["ending"] = json::object{{"result", game::result_text(*under.ending)},
                                   {"reason", std::string(game::code(under.ending->reason))},
                                   {"article", under.ending->article}};
    } else {
      out["ending"] = nullptr;
    }
    out["claimable"] = json::value_from(under.claimable);
    out["if_flags"] = json::object{{"white", written(under.if_flags[0])}, {"black", written(under.if_flags[1])}};
  }

  void write_json(const Judgement& judgement) {
    const Position& position = judgement.position;
    json::object out;
    out["fen"] = chess::to_fen(position);
    json::array legal;
    for (const chess::Move move : position.legal_moves()) legal.emplace_back(chess::to_uci(position, move, judgement.castling));
    out["legal"] = std::move(legal);
    out["check"] = position.in_check();
    add_edition(out, judgement.editions.front());
    out["occurrences"] = judgement.occurrences;
    out["halfmove"] = position.halfmove_clock();
    const auto& [white, black] = judgement.winnability;
    out["white_can_mate"] = verdict(white.verdict);
    out["black_can_mate"] = verdict(black.verdict);
    out["dead"] = judgement.dead ? json::value(*judgement.dead) : json::value(nullptr);
    out["proof"] = json::object{{"white", std::string(laws::name(white.proof))}, {"black", std::string(laws::name(black.proof))}};
    out["nodes"] = json::object{{"white", white.nodes}, {"black", black.nodes}};
    out["helpmate"] = json::object{{"white", json::value_from(san_line(position, white.helpmate))},
                                   {"black", json::value_from(san_line(position, black.helpmate))}};
    if (!judgement.notes.empty()) out["notes"] = json::value_from(judgement.notes);
    if (all_editions_) {
      json::array all;
      for (const EditionJudgement& under : judgement.editions) {
        json::object one;
        add_edition(one, under);
        all.push_back(std::move(one));
      }
      out["editions"] = std::move(all);
    }
    if (detail_ == Detail::explained) out["explanation"] = json::value_from(explanation(judgement, judgement.editions.front()));
    out_ += json_text(out);
    out_ += '\n';
  }

  void write_text(const Judgement& judgement) {
    out_ += chess::to_fen(judgement.position) + "\n";
    for (const std::string& note : judgement.notes) out_ += "  note: " + note + "\n";
    if (detail_ == Detail::explained) {
      const std::string board = game::diagram(judgement.position);
      for (std::size_t at = 0; at < board.size();) {
        const std::size_t end = std::min(board.find('\n', at), board.size());
        out_ += "    " + board.substr(at, end - at) + "\n";
        at = end + 1;
      }
      for (const std::string& step : explanation(judgement, judgement.editions.front())) out_ += "  - " + step + "\n";
    } else {
      for (const Color winner : {Color::white, Color::black}) {
        out_ += "  " + in_words(judgement.winnability[index(winner)], winner, judgement.position) + "\n";
      }
    }
    if (detail_ != Detail::explained || all_editions_) {
      for (const EditionJudgement& under : judgement.editions) write_edition(under);
    }
    out_ += "\n";
  }
  void write_edition(const EditionJudgement& under) {
    out_ += "  " + under.edition->id + ": ";
    if (under.ending) {
      out_ += "over, " + game::result_text(*under.ending) + " " + std::string(game::code(under.ending->reason)) +
              with_article(under.ending->article) + "\n";
      return;
    }
    out_ += "goes on";
    for (const std::string& claim : under.claimable) out_ += ", " + claim + " may be claimed";
    out_ += "\n";
    for (const Color flag : {Color::white, Color::black}) {
      out_ += "    if " + std::string(game::title(flag)) + "'s flag falls: " + in_words(under.if_flags[index(flag)]) + "\n";
    }
  }

  Form form_;
  Detail detail_;
  bool all_editions_;
  std::string out_;
};

// The work ---------------------------------------------------------------------------------------------------------------

class Judge {
 public:
  Judge(Editions editions, bool all_editions, JudgeQuestion defaults, laws::WinnabilityBudget budget, Writer writer)
      : editions_(std::move(editions)),
        all_editions_(all_editions),
        defaults_(std::move(defaults)),
        budget_(budget),
        writer_(std::move(writer)) {}

  void take(std::string_view text) {
    ++line_number_;
    if (line_number_ == 1 && text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    const std::size_t begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos || text[begin] == '#') return;
    text = text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
    try {
      const Line line = read_line(text, defaults_);
      const auto judged = judge_position(line.question, editions_for(line), budget_);
      if (const auto* refusal = std::get_if<JudgeRefusal>(&judged)) return refuse(*refusal);
      writer_.answer(std::get<Judgement>(judged));
    } catch (const NotJson& error) { refuse({error.message, "json"}); } catch (const config::ConfigException& error) {
      refuse({error.what(), "json"});
    }
  }
  void take_too_long() {
    ++line_number_;
    refuse({"line longer than " + std::to_string(longest_line) + " bytes", "json"});
  }
  void flush() { writer_.flush(); }
  [[nodiscard]] bool all_good() const noexcept { return refused_ == 0; }

 private:
  void refuse(const JudgeRefusal& refusal) {
    ++refused_;
    writer_.refuse(refusal, line_number_);
  }
  [[nodiscard]] Editions editions_for(const Line& line) {
    if (!line.edition) return editions_;
    auto& edition = named_[*line.edition];
    if (!edition) {
      constexpr std::size_t most_editions = 64;  // files named by the input, kept for its other lines
      if (named_.size() > most_editions) {
        named_.clear();
        return {config::load_edition(*line.edition)};
      }
      edition = config::load_edition(*line.edition);
    }
    Editions asked{edition};
    if (all_editions_) {
      for (const auto& other : editions_) {
        if (other->id != edition->id) asked.push_back(other);
      }
    }
    return asked;
  }

  Editions editions_;
  bool all_editions_;
  JudgeQuestion defaults_;
  laws::WinnabilityBudget budget_;
  Writer writer_;
  std::map<std::string, std::shared_ptr<const laws::Edition>> named_;
  std::size_t line_number_ = 0;
  std::size_t refused_ = 0;
};

/// Lines of a file or pipe. What is complete is judged and answered before the next read, so that a dialogue is possible.
void judge_lines(int descriptor, const std::string& name, Judge& judge) {
  std::string pending;
  bool skipping = false;  // the rest of a line that is too long
  std::string chunk(chunk_size, '\0');
  for (;;) {
    const ssize_t got = ::read(descriptor, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw UsageError(name + ": " + std::strerror(errno));
    if (got == 0) break;
    std::string_view rest(chunk.data(), static_cast<std::size_t>(got));
    for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
      pending += rest.substr(0, end);
      if (!skipping) judge.take(pending);
      skipping = false;
      pending.clear();
      rest.remove_prefix(end + 1);
    }
    if (!skipping) pending += rest;
    if (pending.size() > longest_line) {
      judge.take_too_long();
      pending.clear();
      skipping = true;
    }
    judge.flush();
  }
  if (!pending.empty()) judge.take(pending);
  judge.flush();
}

[[nodiscard]] Editions editions_asked(const Arguments& arguments) {
  Editions editions{config::load_edition(arguments.value("edition").value_or(std::string(default_edition)))};
  if (arguments.has("all-editions")) {
    for (const std::string& id : config::edition_ids()) {
      if (id != editions.front()->id) editions.push_back(config::load_edition(id));
    }
  }
  return editions;
}

int run_judge(const Arguments& arguments) {
  if (arguments.operands().size() > 1) throw UsageError("judge: one file at a time, expected FILE or -");
  exclude(arguments, "edition", "all-editions");
  const auto nodes = arguments.integer("nodes", 0, 1'000'000'000);
  JudgeQuestion defaults;
  defaults.chess960 = arguments.has("chess960");
  const bool all_editions = arguments.has("all-editions");
  Judge judge(editions_asked(arguments), all_editions, std::move(defaults),
              nodes ? laws::WinnabilityBudget{static_cast<std::uint64_t>(*nodes)} : laws::WinnabilityBudget::verdict(),
              Writer(arguments.has("json") ? Writer::Form::json : Writer::Form::text,
                     arguments.has("explain") ? Writer::Detail::explained : Writer::Detail::verdict, all_editions));
  if (const auto fen = arguments.value("fen")) {
    if (!arguments.operands().empty()) throw UsageError("judge: --fen or a file, not both");
    judge.take(*fen);
    judge.flush();
    return judge.all_good() ? exit_done : exit_fault_found;
  }
  const std::string name = arguments.operands().empty() ? "-" : arguments.operands().front();
  const int descriptor = name == "-" ? STDIN_FILENO : ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    const char* const why = std::strerror(errno);
    const bool looks_like_a_position = name.find('/') != std::string::npos && name.find(' ') != std::string::npos;
    throw UsageError(name + ": " + why + (looks_like_a_position ? " (a position is given with --fen, or on standard input)" : ""));
  }
  try {
    judge_lines(descriptor, name, judge);
  } catch (...) {
    if (descriptor != STDIN_FILENO) ::close(descriptor);
    throw;
  }
  if (descriptor != STDIN_FILENO) ::close(descriptor);
  return judge.all_good() ? exit_done : exit_fault_found;
}

}  // namespace

CommandDefinition judge_command() {
  CommandDefinition command;
  command.name = "judge";
  command.summary = "what the Laws say about positions: legal moves, endings, claims, who can still mate";
  command.positional = "[FILE or -]";
  command.description =
      "Reads positions, a FEN a line or a JSON object with fen, moves (UCI, played first), chess960 and edition, and answers each: legal "
      "moves, check, how the game has ended and by which article, what may be claimed, who can still mate by any series of legal moves "
      "(with a line that anybody can replay, or a named proof that there is none), whether the position is dead, and what a fall of "
      "either flag would mean. Empty lines and lines that begin with # are passed over.\n\n"
      "A bad line is answered with what is wrong and the field (placement side castling en-passant halfmove fullmove position moves "
      "json); the next is judged all the same, and the exit code is 1. The work on who can mate is counted in positions, not time, so "
      "every machine gives the same answer; what --nodes leaves open is null (undecided).";
  command.options = {{"json", "", "one JSON object a line", false, {}},
                     {"edition", "ID", "edition of the Laws, or a file (default: fide-2023)", false, {}},
                     {"all-editions", "", "every edition side by side", false, {}},
                     {"explain", "", "a diagram and the ruling step by step", false, {}},
                     {"chess960", "", "castling is read and written as king takes rook", false, {}},
                     {"fen", "FEN", "judge this position instead of a file", false, {}},
                     {"nodes", "N", "most positions looked at for each colour (default: 4000000)", false, {}}};
  command.examples = {"referee judge --explain --fen '4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 b - - 0 1'",
                      "referee judge --json positions.txt > verdicts.jsonl",
                      R"(echo '{"fen": "startpos", "moves": ["e2e4"]}' | referee judge --json --all-editions -)"};
  command.run = run_judge;
  return command;
}

}  // namespace referee::cli
