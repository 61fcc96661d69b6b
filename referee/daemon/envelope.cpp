#include "referee/daemon/envelope.hpp"

#include <algorithm>
#include <variant>

namespace referee::daemon {

namespace {

constexpr const char* in_the_envelope = "sealed";

}  // namespace

bool seals_a_move(const record::EventJudged& judged) noexcept {
  return std::ranges::any_of(judged.rulings,
                             [](const game::Ruling& ruling) { return std::holds_alternative<game::Adjourned>(ruling.body); });
}

record::EventJudged with_closed_envelope(record::EventJudged judged) {
  if (!seals_a_move(judged)) return judged;
  if (auto* move = std::get_if<game::MoveReceived>(&judged.event.body)) move->text = in_the_envelope;
  if (auto* order = std::get_if<game::ArbiterOrder>(&judged.event.body)) order->text = in_the_envelope;
  judged.search.reset();  // its line begins with the move
  return judged;
}

}  // namespace referee::daemon
