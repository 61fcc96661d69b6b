#include "referee/match/polyglot_lines.hpp"

#include <unordered_map>
#include <unordered_set>

namespace referee::match {

namespace {

// Draws in a row that bring nothing new: the book is taken to be exhausted.
constexpr std::size_t idle_draws = 2000;

class Walk {
 public:
  Walk(const PolyglotBook& book, std::size_t plies, std::size_t most) : book_(book), plies_(plies), most_(most) {}

  PolyglotLines in_order() {
    visit(PolyglotPlace(chess::Position::initial()));
    return std::move(out_);
  }

  PolyglotLines drawn(std::uint64_t seed) {
    Random random(seed);
    for (std::size_t idle = 0; idle < idle_draws; ++idle) {
      PolyglotPlace place(chess::Position::initial());
      line_.clear();
      while (line_.size() < plies_) {
        const std::vector<PolyglotMove>& choices = moves(place);
        if (choices.empty()) break;
        const chess::Move move = draw_by_weight(choices, random);
        line_.push_back(move.raw());
        place.play(move);
      }
      if (line_.empty() || !keep(place)) continue;
      if (out_.bounded) break;
      idle = 0;
    }
    return std::move(out_);
  }

 private:
  void visit(const PolyglotPlace& place) {
    const std::vector<PolyglotMove> choices = line_.size() < plies_ ? moves(place) : std::vector<PolyglotMove>{};
    if (choices.empty()) {
      if (!line_.empty()) keep(place);
      return;
    }
    // A position that was reached before at this depth leads to the same ends.
    if (!visited_.insert(place.key() + line_.size()).second) return;
    for (const PolyglotMove& choice : choices) {
      if (out_.bounded) return;
      PolyglotPlace next = place;
      next.play(choice.move);
      line_.push_back(choice.move.raw());
      visit(next);
      line_.pop_back();
    }
  }

  bool keep(const PolyglotPlace& place) {
    if (!ends_.insert(place.key()).second) return false;
    if (out_.lines.size() == most_)
      out_.bounded = true;
    else
      out_.lines.push_back(line_);
    return true;
  }

  const std::vector<PolyglotMove>& moves(const PolyglotPlace& place) {
    const auto [known, added] = known_.try_emplace(place.key());
    if (added) known->second = book_.moves(place, &out_.illegal);
    return known->second;
  }

  const PolyglotBook& book_;
  std::size_t plies_, most_;
  PolyglotLines out_;
  std::vector<std::uint16_t> line_;
  std::unordered_set<std::uint64_t> ends_, visited_;
  std::unordered_map<std::uint64_t, std::vector<PolyglotMove>> known_;
};

}  // namespace

PolyglotLines polyglot_lines(const PolyglotBook& book, config::OpeningOrder order, std::uint64_t seed, std::size_t plies,
                             std::size_t most) {
  Walk walk(book, plies, most);
  return order == config::OpeningOrder::random ? walk.drawn(seed) : walk.in_order();
}

}  // namespace referee::match
