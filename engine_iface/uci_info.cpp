#include "engine_iface/uci_info.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "engine_iface/text.hpp"

namespace referee::engine {

namespace {

constexpr std::array<std::string_view, 21> keywords{
    "depth",  "seldepth", "time",    "nodes",  "pv",         "multipv",  "score", "currmove",   "currmovenumber", "hashfull",   "nps",
    "tbhits", "sbhits",   "cpuload", "string", "refutation", "currline", "wdl",   "lowerbound", "upperbound",     "currlinecpu"};

bool is_keyword(std::string_view word) noexcept { return std::find(keywords.begin(), keywords.end(), word) != keywords.end(); }

/// Move text begins with a file letter or holds a digit in second place; only other words can be keywords.
bool may_be_move(std::string_view word) noexcept { return word.size() >= 2 && word[1] >= '0' && word[1] <= '9'; }

Duration from_milliseconds(long long ms) noexcept {
  constexpr long long most = std::numeric_limits<Duration::rep>::max() / 1'000'000;
  return std::chrono::milliseconds(std::clamp(ms, 0LL, most));
}

/// A score is looked at from both sides: the least integer has no opposite.
std::optional<int> score_value(std::string_view word) noexcept {
  const auto value = parse_integer<int>(word);
  return value ? std::optional(std::max(*value, -std::numeric_limits<int>::max())) : std::nullopt;
}

}  // namespace

UciInfoGlance glance_at_uci_info(std::string_view line) noexcept {
  UciInfoGlance glance;
  Words words(line);
  (void)words.next();  // info
  for (auto word = words.next(); !word.empty(); word = words.next()) {
    switch (word.front()) {
      case 'd':
        if (word == "depth") glance.depth = parse_integer<int>(words.next());
        break;
      case 'm':
        if (word == "multipv" && parse_integer<int>(words.next()).value_or(1) > 1) return {};
        break;
      case 's':
        if (word == "string") return glance;
        if (word == "score") glance.wanted = true;  // multipv may stand behind it
        break;
      case 'p':
        if (word == "pv") {
          glance.wanted = true;
          return glance;
        }
        break;
      default:
        break;
    }
  }
  return glance;
}

SearchInfo parse_uci_info(std::string_view line) {
  SearchInfo info;
  info.raw = line;
  Words words(line);
  (void)words.next();  // info
  auto word = words.next();
  while (!word.empty()) {
    if (word == "depth") {
      info.depth = parse_integer<int>(words.next());
    } else if (word == "seldepth") {
      info.selective_depth = parse_integer<int>(words.next());
    } else if (word == "multipv") {
      info.multipv = parse_integer<int>(words.next());
    } else if (word == "nodes") {
      info.nodes = parse_integer<std::uint64_t>(words.next());
    } else if (word == "nps") {
      info.nodes_per_second = parse_integer<std::uint64_t>(words.next());
    } else if (word == "tbhits") {
      info.tablebase_hits = parse_integer<std::uint64_t>(words.next());
    } else if (word == "hashfull") {
      info.hash_full_permille = parse_integer<int>(words.next());
    } else if (word == "time") {
      if (const auto ms = parse_integer<long long>(words.next())) info.time = from_milliseconds(*ms);
    } else if (word == "score") {
      Score score;
      auto kind = words.next();
      if (kind == "cp") {
        score.centipawns = score_value(words.next());
      } else if (kind == "mate") {
        score.mate = score_value(words.next());
      } else if (const auto bare = score_value(kind)) {
        score.centipawns = bare;
      } else if (kind == "lowerbound" || kind == "upperbound") {
        // The bound may stand before the value.
        score.bound = kind == "lowerbound" ? Score::Bound::lower : Score::Bound::upper;
        kind = words.next();
        if (kind == "cp") score.centipawns = score_value(words.next());
        if (kind == "mate") score.mate = score_value(words.next());
      }
      if (score.centipawns || score.mate) info.score = score;
    } else if (word == "lowerbound" || word == "upperbound") {
      if (info.score) info.score->bound = word == "lowerbound" ? Score::Bound::lower : Score::Bound::upper;
    } else if (word == "wdl") {
      for (int i = 0; i < 3; ++i) (void)words.next();
    } else if (word == "pv") {
      for (word = words.next(); !word.empty() && (may_be_move(word) || !is_keyword(word)); word = words.next()) {
        if (!info.pv.empty()) info.pv += ' ';
        info.pv += word;
      }
      continue;
    } else if (word == "string") {
      break;
    } else if (word == "refutation" || word == "currline") {
      // Lists of moves that are not the principal variation.
      for (word = words.next(); !word.empty() && (may_be_move(word) || !is_keyword(word)); word = words.next()) {}
      continue;
    }
    word = words.next();
  }
  return info;
}

}  // namespace referee::engine
