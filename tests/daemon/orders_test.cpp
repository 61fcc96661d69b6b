#include "referee/daemon/orders.hpp"

#include <boost/json.hpp>
#include <catch2/catch.hpp>

using namespace referee;
using daemon::OrderError;
using daemon::read_order;

namespace {

game::EventBody read(const std::string& text) { return read_order(boost::json::parse(text).as_object(), "alice"); }

}  // namespace

TEST_CASE("orders are read with who and why", "[orders]") {
  const auto order = std::get<game::ArbiterOrder>(read(R"({"order":"add_time","side":"white","time_ms":1500.5,"why":"clock defect"})"));
  CHECK(order.kind == game::OrderKind::add_time);
  CHECK(order.side == chess::Color::white);
  CHECK(order.time == std::chrono::microseconds(1'500'500));
  CHECK(order.who == "alice");
  CHECK(order.why == "clock defect");
  const auto result = std::get<game::ArbiterOrder>(read(R"({"order":"override_result","white_score":0.5,"black_score":0,"why":"x"})"));
  CHECK(result.white_score == 50);
  CHECK(result.black_score == 0);
  CHECK(std::get<game::DrawClaimed>(read(R"({"order":"claim_fifty","side":"black","text":"Nf3"})")).intended_move == "Nf3");
  CHECK(std::get<game::QuickplayClaimed>(read(R"({"order":"claim_quickplay","side":"black"})")).side == chess::Color::black);
}

TEST_CASE("an order that lacks what it needs says what", "[orders]") {
  for (const auto& [text, expected] : std::vector<std::pair<std::string, std::string>>{
           {R"({})", "no order"},
           {R"({"order":"fly"})", "is no order"},
           {R"({"order":"add_time","time_ms":5})", "one side"},
           {R"({"order":"add_time","side":"white"})", "needs a time"},
           {R"({"order":"add_time","side":"white","time_ms":-1})", "out of range"},
           {R"({"order":"set_clock","side":"white","time_ms":1e300})", "out of range"},
           {R"({"order":"set_clock","side":"green","time_ms":1})", "expected white, black or both"},
           {R"({"order":"override_result","why":"x"})", "needs the scores"},
           {R"({"order":"override_result","white_score":1,"black_score":0})", "needs a reason"},
           {R"({"order":"override_result","white_score":0.3,"black_score":0,"why":"x"})", "no score"},
           {R"({"order":"seal"})", "needs the move"},
           {R"({"order":"resign"})", "one side"}}) {
    INFO(text);
    CHECK_THROWS_WITH(read(text), Catch::Contains(expected));
  }
}

TEST_CASE("what is null was not given, in any order", "[orders]") {
  for (const auto& [text, expected] : std::vector<std::pair<std::string, std::string>>{
           {R"({"order":null})", "no order"},
           {R"({"order":"set_clock","side":"white","time_ms":null})", "needs a time"},
           {R"({"order":"take_time","side":null,"time_ms":1})", "one side"},
           {R"({"order":"override_result","white_score":null,"black_score":null,"why":"x"})", "needs the scores"},
           {R"({"order":"override_result","white_score":1,"black_score":null,"why":"x"})", "needs the scores"},
           {R"({"order":"reduce_score","side":"white","white_score":0.5,"why":"x"})", "needs the scores"},
           {R"({"order":"raise_score","side":"black","white_score":null,"black_score":0.5,"why":"x"})", "needs the scores"},
           {R"({"order":"declare_lost","side":"white","flag":true,"white_score":0,"why":"x"})", "needs the scores"},
           {R"({"order":"declare_lost","side":"white","why":null})", "needs a reason"},
           {R"({"order":"seal","text":null})", "needs the move"},
           {R"({"order":"claim_fifty","side":null})", "one side"}}) {
    INFO(text);
    CHECK_THROWS_WITH(read(text), Catch::Contains(expected));
  }
  const auto lost = std::get<game::ArbiterOrder>(
      read(R"({"order":"declare_lost","side":"white","why":"x","flag":null,"white_score":null,"black_score":null,"text":null})"));
  CHECK_FALSE(lost.flag);  // so that no score counts
  CHECK(lost.text.empty());
}

// By the list of forms: what stands in it without brackets is needed.
TEST_CASE("an order that lacks one of the members its form needs is refused, with null as without it", "[orders]") {
  for (const daemon::OrderForm& form : daemon::order_forms()) {
    const std::string takes = " " + std::string(form.takes) + " ";
    const boost::json::object full{{"order", boost::json::string(form.name.data(), form.name.size())},
                                   {"side", "white"},
                                   {"time_ms", 1000},
                                   {"white_score", 0},
                                   {"black_score", 0},
                                   {"text", "e4"},
                                   {"why", "a test"}};
    for (const char* member : {"side", "time_ms", "white_score", "black_score", "text", "why"}) {
      boost::json::object without = full;
      without.erase(member);
      boost::json::object null = full;
      null[member] = nullptr;
      INFO(form.name << " without " << member);
      if (takes.find(" " + std::string(member) + " ") == std::string::npos) {
        CHECK_NOTHROW(read_order(without, "x"));
        CHECK_NOTHROW(read_order(null, "x"));
      } else {
        CHECK_THROWS_AS(read_order(without, "x"), OrderError);
        CHECK_THROWS_AS(read_order(null, "x"), OrderError);
      }
    }
  }
}

TEST_CASE("what a terminal would obey, or what turns a line around, is in no order", "[orders]") {
  for (const char* key : {"why", "text", "side"}) {
    // ESC, line ends, DEL, NEL and CSI of C1, right-to-left override and isolate.
    for (const char* odd : {"\\u001b[2J", "a\\nb", "a\\rb", "\\u007f", "\\u0085", "\\u009b2J", "\\u202e", "\\u2066"}) {
      const std::string text = std::string(R"({"order":"warn",")") + key + R"(":")" + odd + R"("})";
      INFO(text);
      CHECK_THROWS_WITH(read(text), Catch::Contains(std::string("'") + key + "' has a control character"));
    }
  }
  CHECK_NOTHROW(read(R"({"order":"warn","why":"Zug um Zug: \u00e4\u2013\u4e2d"})"));
}

TEST_CASE("every form in the list can be read, and every order of the game is in the list", "[orders]") {
  for (const daemon::OrderForm& form : daemon::order_forms()) {
    INFO(form.name);
    const boost::json::object full{{"order", boost::json::string(form.name.data(), form.name.size())},
                                   {"side", "white"},
                                   {"time_ms", 1000},
                                   {"white_score", 1},
                                   {"black_score", 0},
                                   {"text", "e4"},
                                   {"why", "a test"}};
    CHECK_NOTHROW(read_order(full, "x"));
  }
  for (int i = 0; i <= static_cast<int>(game::OrderKind::report_wrong_start); ++i) {
    const auto name = game::name(static_cast<game::OrderKind>(i));
    const auto& forms = daemon::order_forms();
    INFO(name);
    CHECK(std::any_of(forms.begin(), forms.end(), [&](const auto& form) { return form.name == name; }));
  }
}
