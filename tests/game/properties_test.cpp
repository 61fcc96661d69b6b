// Random games and random events under every edition: whatever happens, the judge keeps to what it promises.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "config/editions.hpp"
#include "referee/game/explain.hpp"
#include "scene.hpp"

namespace referee::game::test {

namespace {

class Chaos {
 public:
  explicit Chaos(std::uint64_t seed) : random_(seed) {}

  int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random_); }
  bool chance(int percent) { return below(100) < percent; }
  Color side() { return chance(50) ? white : black; }
  Duration time(int most_ms) { return std::chrono::milliseconds(below(most_ms)); }
  template <class T>
  const T& one_of(const std::vector<T>& items) {
    return items[static_cast<std::size_t>(below(static_cast<int>(items.size())))];
  }

  GameSetup setup() {
    static const std::vector<std::string> fens{"startpos",
                                               "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 10 20",
                                               "8/8/4k3/4r3/8/3K1R2/8/8 w - - 90 60",
                                               "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1",
                                               "8/4P3/8/8/8/k7/8/4K3 w - - 0 1",
                                               "8/8/4k3/p1p1p1p1/2P1P1P1/P3K3/5B2/8 w - - 0 1",
                                               "4k3/7r/8/8/8/8/R7/4K3 b - - 147 120"};
    GameSetup setup;
    setup.start = position(one_of(fens));
    using clock::Mode;
    const std::vector<clock::TimeControl> controls{
        sudden_death(100s),
        sudden_death(60s, 2s),
        {Mode::increment, {{3, 30s, {}, {}}, {0, 30s, 1s, {}}}},
        {Mode::delay, {{0, 40s, {}, 3s}}},
        {Mode::bronstein, {{0, 40s, {}, 3s}}},
        {Mode::hourglass, {{0, 60s, {}, {}}}},
        {Mode::move_time, {{0, 5s, {}, {}}}},
        {Mode::infinite, {}},
    };
    setup.time_control = {one_of(controls), one_of(controls)};
    if (chance(30)) setup.margin = {50ms, 50ms};
    if (chance(50)) setup.category = static_cast<laws::Category>(below(3));
    if (chance(50)) setup.supervision = laws::Supervision::inadequate;
    setup.guidelines_iii = chance(70);
    setup.agreement_forbidden = chance(10);
    if (chance(30)) setup.adjudication.draw = Adjudication::DrawRule{2, 3, 30, chance(50)};
    if (chance(30)) setup.adjudication.resign = Adjudication::ResignRule{2, 500, chance(50)};
    if (chance(20)) setup.adjudication.max_moves = setup.start.fullmove_number() + 20;
    return setup;
  }

  std::string move_text(const Game& game) {
    const auto& required = game.required_moves();
    const chess::MoveList legal = game.position().legal_moves();
    const int kind = below(100);
    if (kind < 4) return "0000";
    if (kind < 10) return one_of(std::vector<std::string>{"e2e5", "e1g1", "a1a8", "nonsense", "", "e7e8", "h1h1"});
    if (legal.empty()) return "a1a2";
    const chess::Move move =
        !required.empty() && chance(70) ? one_of(required) : legal[static_cast<std::size_t>(below(static_cast<int>(legal.size())))];
    std::string text = chess::to_uci(game.position(), move, chess::CastlingText::king_two_squares);
    if (text.size() == 5 && chance(30)) text.pop_back();
    return text;
  }

  EventBody event(const Game& game) {
    const Color to_move = game.position().side_to_move();
    const int kind = below(1000);
    if (!game.running() && game.phase() == Phase::playing && kind < 700) return TurnStarted{to_move};
    if (kind < 750) return MoveReceived{chance(97) ? to_move : opposite(to_move), move_text(game), MoveNotation::uci, chance(2)};
    if (kind < 765) return TimeExpired{side()};
    if (kind < 790) return DrawOffered{side()};
    if (kind < 800) return DrawAccepted{side()};
    if (kind < 810) return DrawDeclined{side()};
    if (kind < 850) return DrawClaimed{side(), chance(50) ? ClaimRule::threefold : ClaimRule::fifty, chance(50) ? move_text(game) : ""};
    if (kind < 855) return FlagClaimed{side(), chance(20), chance(20)};
    if (kind < 857) return BothFlagsDown{chance(50)};
    if (kind < 870) return QuickplayClaimed{side()};
    if (kind < 880) return IncrementRequested{side()};
    if (kind < 882) return Resigned{side()};
    if (kind < 885) return ResultClaimed{side(), 50 * below(3), 50 * below(3), "{}"};
    if (kind < 888) return IllegalMoveClaimed{side(), "e7e5"};
    if (kind < 891) return PlayerArrived{side(), time(2000)};
    if (kind < 892) return PlayerLate{side(), 1s, chance(30)};
    if (kind < 894) return EngineFailed{side(), static_cast<FailureKind>(below(4)), "x"};
    if (kind < 940) return EvaluationReported{side(), below(2000) - 1000, chance(10) ? std::optional(below(20) - 10) : std::nullopt};
    if (kind < 941) return TablebaseReported{100, 0};
    if (kind < 944) return WinnabilityVerdict{below(40), side(), Verdict::can_mate, 5};
    if (kind < 945) return Aborted{"stop"};
    ArbiterOrder order{
        static_cast<OrderKind>(below(24)), std::nullopt, time(20'000), 50 * below(3), 50 * below(3), move_text(game), chance(40), "x", "y"};
    if (chance(80)) order.side = side();
    // Orders that only end the game would leave nothing to look at.
    const bool ends = order.kind == OrderKind::expel || order.kind == OrderKind::declare_both_lost ||
                      order.kind == OrderKind::annul_and_replay || order.kind == OrderKind::override_result ||
                      order.kind == OrderKind::declare_lost;
    if (ends && !game.outcome() && chance(90)) order.kind = OrderKind::warn;
    return order;
  }

 private:
  std::mt19937_64 random_;
};

std::string text_of(const Rulings& rulings) {
  std::string text;
  for (const Ruling& ruling : rulings) text += describe(ruling) + " [" + ruling.decision + "]\n";
  return text;
}

bool may_change_a_result(const EventBody& body) {
  if (std::holds_alternative<WinnabilityVerdict>(body)) return true;
  const auto* order = std::get_if<ArbiterOrder>(&body);
  return order != nullptr && (order->kind == OrderKind::override_result || order->kind == OrderKind::annul_and_replay ||
                              order->kind == OrderKind::reduce_score || order->kind == OrderKind::raise_score);
}

void check_what_must_hold(const Game& game) {
  REQUIRE(game.outcome().has_value() == (game.phase() == Phase::over));
  if (game.running()) REQUIRE((game.phase() == Phase::playing || game.phase() == Phase::adjourned));
  if (game.outcome()) {
    REQUIRE_FALSE(game.running());
    REQUIRE_FALSE(game.draw_offer());
    REQUIRE(game.outcome()->reason != Reason::none);
  }
  chess::Position replayed = game.setup().start;
  for (std::size_t i = 0; i < game.plies(); ++i) {
    REQUIRE(replayed.is_legal(game.moves()[i].move));
    replayed.play(game.moves()[i].move);
  }
  REQUIRE(replayed == game.position());
  for (const chess::Move move : game.required_moves()) REQUIRE(game.position().is_legal(move));
  for (const Color side : {white, black}) {
    const clock::PlayerClock& clock = game.clocks()[side];
    INFO(name(side) << " has " << describe_time(clock.remaining()) << " of " << clock::to_text(clock.control()));
    const bool noticed = clock.remaining() >= -clock.rules().margin;
    REQUIRE(noticed);
  }
}

void play(const std::shared_ptr<const laws::Edition>& rules, std::uint64_t seed, int events) {
  Chaos chaos(seed);
  const GameSetup setup = chaos.setup();
  Game game(setup, rules);
  std::vector<Event> history;
  std::string heard;
  Duration now{};
  std::optional<Outcome> settled = game.outcome();
  int after_the_end = 0;
  for (int i = 0; i < events && after_the_end < 12; ++i) {
    if (chaos.chance(60)) now += chaos.time(4'000);
    const Event event{now, chaos.event(game)};
    INFO("seed " << seed << ", event " << i << ": " << describe(event.body));
    Game copy = game;
    REQUIRE(copy == game);
    const Rulings rulings = game.apply(event);
    REQUIRE(text_of(copy.apply(event)) == text_of(rulings));
    REQUIRE(copy == game);
    check_what_must_hold(game);
    if (settled && !may_change_a_result(event.body)) REQUIRE(game.outcome() == settled);
    if (game.outcome() && game.outcome() != settled) {
      // A flag that had fallen ends the game before the event that shows it; what is said about that event comes after.
      const Ruling* last_end = nullptr;
      for (const Ruling& ruling : rulings) {
        if (std::holds_alternative<GameOver>(ruling.body)) last_end = &ruling;
      }
      REQUIRE(last_end != nullptr);
      REQUIRE(std::get<GameOver>(last_end->body).outcome == *game.outcome());
      REQUIRE(last_end->decision == code(game.outcome()->reason));
    }
    settled = game.outcome();
    if (settled) ++after_the_end;
    history.push_back(event);
    heard += text_of(rulings);
  }
  Game again(setup, rules);
  std::string heard_again;
  for (const Event& event : history) heard_again += text_of(again.apply(event));
  REQUIRE(heard_again == heard);
  REQUIRE(again == game);
}

}  // namespace

TEST_CASE("random games and events keep the judge's promises under every edition") {
  std::uint64_t seed = 20'050'701;
  for (const std::string& id : config::edition_ids()) {
    const auto rules = config::load_edition(id);
    const auto players_call = edition_with(id, [](laws::Edition& e) { e.auto_claim = false; });
    for (int game = 0; game < 200; ++game) play(game % 4 == 3 ? players_call : rules, seed++, 150);
  }
}

}  // namespace referee::game::test
