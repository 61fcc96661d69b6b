#include <catch2/catch.hpp>
#include <string>

#include "referee/game/ruling.hpp"

using namespace referee::game;

namespace {
std::string words(const Rulings& rulings) {
  std::string text;
  for (const Ruling& ruling : rulings) text += std::get<Ignored>(ruling.body).why + ruling.decision + " ";
  return text;
}
}  // namespace

TEST_CASE("rulings keep their order, one as well as many") {
  Rulings rulings;
  CHECK(rulings.empty());
  CHECK(rulings.size() == 0);
  CHECK(rulings.begin() == rulings.end());
  std::string expected;
  for (int i = 0; i < 20; ++i) {
    const std::string why = "a reason too long to stand in the string itself " + std::to_string(i);
    rulings.push_back({Ignored{why}, "", "a"});
    expected += why + "a ";
    CHECK(rulings.size() == static_cast<std::size_t>(i) + 1);
    CHECK(words(rulings) == expected);
    CHECK(std::get<Ignored>(rulings.back().body).why == why);
    CHECK(std::get<Ignored>(rulings[static_cast<std::size_t>(i)].body).why == why);
    const Rulings copy = rulings;
    CHECK(words(copy) == expected);
    Rulings moved = Rulings(copy);
    rulings = std::move(moved);
    CHECK(words(rulings) == expected);
  }
  rulings.emplace_back().body = Ignored{"last"};
  CHECK(words(rulings) == expected + "last ");
  Rulings filled;
  filled.emplace_back().body = Ignored{"first"};
  CHECK(words(filled) == "first ");
  rulings.front().decision = "b";
  CHECK(rulings[0].decision == "b");
  CHECK(words(Rulings{{Ignored{"x"}, "", "1"}, {Ignored{"y"}, "", "2"}}) == "x1 y2 ");
}
