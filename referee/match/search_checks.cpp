#include "referee/match/search_checks.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <variant>

#include "referee/chess/notation.hpp"
#include "referee/laws/endings.hpp"

namespace referee::match {

namespace {

constexpr std::size_t longest_quoted_line = 1000;
constexpr int deepest_line = 512;

std::string_view next_word(std::string_view& text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return text = {};
  const auto end = std::min(text.find_first_of(" \t", begin), text.size());
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

/// "12." "12..." and the like between the moves of XBoard lines.
bool is_move_number(std::string_view word) {
  return std::ranges::all_of(word, [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.'; });
}

bool is_exact(const engine::SearchInfo& info) { return info.score && info.score->bound == engine::Score::Bound::exact; }

bool is_first_line(const engine::SearchInfo& info) { return info.multipv.value_or(1) == 1; }

}  // namespace

SearchChecks::SearchChecks(int game, const game::GameSetup& setup, std::shared_ptr<const laws::Edition> edition,
                           std::array<std::string, 2> names, std::array<engine::ProtocolKind, 2> protocols)
    : game_(game),
      edition_(std::move(edition)),
      castling_(setup.chess960 ? chess::CastlingText::king_takes_rook : chess::CastlingText::king_two_squares),
      position_(setup.start),
      history_(setup.start) {
  for (std::size_t side = 0; side < 2; ++side) {
    sides_[side].name = std::move(names[side]);
    sides_[side].protocol = protocols[side];
  }
  for (const std::string& text : setup.opening_moves) {
    const auto read = chess::read_uci(position_, text, castling_);
    const auto* move = std::get_if<chess::ReadMove>(&read);
    if (move == nullptr) break;
    const bool zeroing = position_.is_zeroing(move->move);
    position_.play(move->move);
    history_.record(position_, zeroing);
  }
}

std::vector<record::EngineWarning> SearchChecks::move(const SearchOutput& output) {
  found_now_.clear();
  Side& side = sides_[chess::index(position_.side_to_move())];
  const Side& opponent = sides_[chess::index(chess::opposite(position_.side_to_move()))];
  ++side.moves;
  if (std::ranges::any_of(output.lines, [](const engine::SearchInfo& info) { return info.score.has_value(); })) ++side.scored;
  const engine::SearchInfo* last = nullptr;
  std::optional<Line> last_line;
  for (const engine::SearchInfo& info : output.lines) {
    std::optional<Line> line;
    // A line that is nothing but the move played needs no look at the board.
    if (!info.pv.empty() && info.pv != output.played_uci) check_line(side, output, info, line.emplace(follow(info, side.protocol)));
    if (!is_first_line(info) || !is_exact(info)) continue;
    last = &info;
    last_line = std::move(line);
  }
  if (last != nullptr && output.was_played) {
    check_last_line(side, output, *last, std::move(last_line));
    check_claims(side, opponent, output, *last);
  } else if (output.was_played) {
    side.claim.reset();
  }
  if (output.was_played) {
    const bool zeroing = position_.is_zeroing(output.played);
    position_.play(output.played);
    history_.record(position_, zeroing);
  }
  return std::move(found_now_);
}

std::vector<record::EngineWarning> SearchChecks::finish() {
  found_now_.clear();
  for (Side& side : sides_) {
    if (side.moves > 0 && side.scored == 0) {
      found_now_.push_back(
          {.game = game_, .ply = 0, .engine = side.name, .kind = "no_score", .text = "reported no score in the whole game", .line = {}});
    }
    for (const auto& [kind, count] : side.found) {
      if (count <= most_of_a_kind) continue;
      found_now_.push_back({.game = game_,
                            .ply = 0,
                            .engine = side.name,
                            .kind = kind,
                            .text = "and " + std::to_string(count - most_of_a_kind) + " more of this kind in this game",
                            .line = {}});
    }
  }
  return std::move(found_now_);
}

SearchChecks::Line SearchChecks::follow(const engine::SearchInfo& info, engine::ProtocolKind protocol) const {
  Line line;
  chess::Position position = position_;
  std::optional<laws::RepetitionHistory> history;  // copied only for lines that go on
  std::string_view rest = info.pv;
  for (std::string_view word = next_word(rest); !word.empty() && line.plies < deepest_line; word = next_word(rest)) {
    if (protocol == engine::ProtocolKind::xboard && is_move_number(word)) continue;
    const bool ended = line.end == LineEnd::mate || line.end == LineEnd::other_end;
    const chess::MoveText read =
        protocol == engine::ProtocolKind::uci ? chess::read_uci(position, word, castling_) : chess::read_xboard(position, word, castling_);
    if (const auto* error = std::get_if<chess::MoveTextError>(&read)) {
      // XBoard lines are free text: what is no move ends them. After the end of a game no move is legal.
      if (protocol == engine::ProtocolKind::xboard && error->fault != chess::MoveTextFault::illegal)
        line.end = ended ? line.end : LineEnd::unreadable;
      else
        line.end = ended ? LineEnd::past_the_end : LineEnd::illegal;
      line.offender = word;
      return line;
    }
    if (ended) {
      line.end = LineEnd::past_the_end;
      line.offender = word;
      return line;
    }
    const chess::Move move = std::get<chess::ReadMove>(read).move;
    if (!line.first) line.first = move;
    const bool zeroing = position.is_zeroing(move);
    if (!history) history = history_;
    position.play(move);
    history->record(position, zeroing);
    ++line.plies;
    switch (laws::ending_on_board(*edition_, position, *history)) {
      case laws::Ending::none:
        break;
      case laws::Ending::checkmate:
        line.end = LineEnd::mate;
        line.mates = true;
        break;
      default:
        line.end = LineEnd::other_end;
        break;
    }
  }
  return line;
}

void SearchChecks::check_line(Side& side, const SearchOutput& output, const engine::SearchInfo& info, const Line& line) {
  if (line.end == LineEnd::illegal) {
    find(side, output.ply, "pv_illegal", "move " + std::to_string(line.plies + 1) + " of the line, " + line.offender + ", is not legal",
         info.raw);
  } else if (line.end == LineEnd::past_the_end) {
    find(side, output.ply, "pv_past_end",
         "the game is over after move " + std::to_string(line.plies) + " of the line, yet " + line.offender + " follows", info.raw);
  }
}

void SearchChecks::check_last_line(Side& side, const SearchOutput& output, const engine::SearchInfo& info, std::optional<Line> followed) {
  const bool announced_mate = info.score->mate && *info.score->mate != 0;
  side.followed_line = info.pv == output.played_uci;
  if (info.pv.empty() || (side.followed_line && !announced_mate)) return;
  const Line line = followed ? std::move(*followed) : follow(info, side.protocol);
  side.followed_line = line.first && *line.first == output.played;
  if (line.first && !side.followed_line) {
    find(side, output.ply, "pv_head", "played " + output.played_uci + ", but its last line begins with another move", info.raw);
  }
  if (!announced_mate || line.end == LineEnd::illegal || line.end == LineEnd::unreadable) return;
  const std::int64_t moves = *info.score->mate;
  const std::int64_t announced = moves > 0 ? 2 * moves - 1 : -2 * moves;  // half-moves
  const std::string claim = "announces mate in " + std::to_string(moves) + " (" + std::to_string(announced) + " plies), ";
  if (line.mates && line.plies == announced) return;
  if (line.mates)
    find(side, output.ply, "mate_length", claim + "its line mates after " + std::to_string(line.plies), info.raw);
  else if (line.plies < announced)
    find(side, output.ply, "mate_line_short", claim + "its line has " + std::to_string(line.plies), info.raw);
  else
    find(side, output.ply, "mate_line_no_mate", claim + "its line does not mate", info.raw);
}

void SearchChecks::check_claims(Side& side, const Side& opponent, const SearchOutput& output, const engine::SearchInfo& info) {
  const auto mate = info.score->mate;
  if (mate && *mate > 0 && opponent.claim && opponent.claim->mate > 0 && opponent.claim->ply == output.ply - 1) {
    find(side, output.ply, "mate_contradiction",
         "announces mate in " + std::to_string(*mate) + ", and " + opponent.name + " has just announced mate in " +
             std::to_string(opponent.claim->mate),
         info.raw);
  }
  // Mate in n announced, its first move played: whatever the reply, n-1 moves are enough.
  if (side.claim && side.claim->mate > 1 && side.claim->ply == output.ply - 2 && side.claim->first_move_played) {
    const int due = side.claim->mate - 1;
    if (!mate || *mate <= 0)
      find(side, output.ply, "mate_lost", "mate in " + std::to_string(side.claim->mate) + " was announced one move before, now it is gone",
           info.raw);
    else if (*mate > due) {
      find(side, output.ply, "mate_lost",
           "mate in " + std::to_string(side.claim->mate) + " was announced one move before, now it is mate in " + std::to_string(*mate) +
               " instead of at most " + std::to_string(due),
           info.raw);
    }
  }
  side.claim.reset();
  if (mate) side.claim = Claim{.ply = output.ply, .mate = *mate, .first_move_played = side.followed_line};
}

void SearchChecks::find(Side& side, int ply, std::string_view kind, std::string text, const std::string& line) {
  if (std::ranges::any_of(found_now_, [&](const record::EngineWarning& warning) { return warning.kind == kind; })) return;
  auto entry = side.found.find(kind);
  if (entry == side.found.end()) entry = side.found.emplace(std::string(kind), 0).first;
  if (++entry->second > most_of_a_kind) return;
  found_now_.push_back({.game = game_,
                        .ply = ply,
                        .engine = side.name,
                        .kind = std::string(kind),
                        .text = std::move(text),
                        .line = line.substr(0, longest_quoted_line)});
}

}  // namespace referee::match
