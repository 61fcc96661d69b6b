#include "referee/daemon/ended_games.hpp"

#include <algorithm>
#include <utility>

namespace referee::daemon {

record::GameRow EndedGame::row() const {
  record::GameRow row;
  row.game = number_;
  row.attempt = attempt_;
  row.round = round_;
  row.pair = pair_;
  row.white = *white_;
  row.black = *black_;
  row.opening = *opening_;
  row.started = started_;
  if (has_end_) row.ended = ended_;
  if (has_outcome_)
    row.outcome = game::Outcome{
        .score = score_, .reason = reason_, .article = *article_, .detail = *detail_, .undecided = undecided_, .annulled = annulled_};
  row.plies = plies_;
  row.duration = duration_;
  row.counted = counted_;
  row.voided = voided_;
  return row;
}

const std::string* EndedGames::shared(std::string text) { return &*texts_->insert(std::move(text)).first; }

const EndedGame* EndedGames::find(int number) const {
  const std::size_t place = static_cast<std::size_t>(number) / drawer_numbers;
  if (number < 0 || place >= drawers_.size() || !drawers_[place]) return nullptr;
  const auto found = std::ranges::lower_bound(*drawers_[place], number, {}, &EndedGame::number_);
  return found != drawers_[place]->end() && found->number_ == number ? &*found : nullptr;
}

void EndedGames::put(const record::GameRow& row) {
  EndedGame game;
  game.number_ = row.game;
  game.attempt_ = row.attempt;
  game.round_ = row.round;
  game.pair_ = row.pair;
  game.plies_ = row.plies;
  game.has_outcome_ = row.outcome.has_value();
  if (row.outcome) {
    game.score_ = row.outcome->score;
    game.reason_ = row.outcome->reason;
    game.undecided_ = row.outcome->undecided;
    game.annulled_ = row.outcome->annulled;
  }
  game.counted_ = row.counted;
  game.voided_ = row.voided;
  game.started_ = row.started;
  game.has_end_ = row.ended.has_value();
  game.ended_ = row.ended.value_or(record::WallTime{});
  game.duration_ = row.duration;
  game.white_ = shared(row.white);
  game.black_ = shared(row.black);
  game.opening_ = shared(row.opening);
  game.article_ = shared(row.outcome ? row.outcome->article : "");
  game.detail_ = shared(row.outcome ? row.outcome->detail : "");

  const std::size_t place = static_cast<std::size_t>(row.game) / drawer_numbers;
  if (place >= drawers_.size()) drawers_.resize(place + 1);
  const Drawer before = drawers_[place] ? *drawers_[place] : Drawer{};
  const auto here = std::ranges::lower_bound(before, game.number_, {}, &EndedGame::number_);
  const auto after = here != before.end() && here->number_ == game.number_ ? here + 1 : here;
  auto drawer = std::make_shared<Drawer>();
  drawer->reserve(before.size() + 1);
  drawer->insert(drawer->end(), before.begin(), here);
  drawer->push_back(game);
  drawer->insert(drawer->end(), after, before.end());
  size_ += drawer->size() - before.size();
  drawers_[place] = std::move(drawer);
}

void EndedGames::take_out(int number) {
  if (find(number) == nullptr) return;
  std::shared_ptr<const Drawer>& place = drawers_[static_cast<std::size_t>(number) / drawer_numbers];
  auto drawer = std::make_shared<Drawer>(*place);
  std::erase_if(*drawer, [number](const EndedGame& game) { return game.number_ == number; });
  --size_;
  place = drawer->empty() ? nullptr : std::move(drawer);
}

std::vector<record::GameRow> EndedGames::page(int from, std::size_t at_most) const {
  std::vector<record::GameRow> rows;
  const std::size_t first = static_cast<std::size_t>(std::max(from, 0)) / drawer_numbers;
  for (std::size_t place = first; place < drawers_.size(); ++place) {
    if (!drawers_[place]) continue;
    for (const EndedGame& game : *drawers_[place]) {
      if (rows.size() == at_most) return rows;
      if (game.number_ >= from) rows.push_back(game.row());
    }
  }
  return rows;
}

std::optional<int> EndedGames::first_of_last(std::size_t count) const {
  for (auto drawer = drawers_.rbegin(); drawer != drawers_.rend(); ++drawer) {
    const std::size_t here = *drawer ? (*drawer)->size() : 0;
    if (count <= here && count > 0) return (**drawer)[here - count].number_;
    count -= here;
  }
  return std::nullopt;
}

}  // namespace referee::daemon
