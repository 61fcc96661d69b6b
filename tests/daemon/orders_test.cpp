#include "referee/daemon/orders.hpp"

#include <boost/json.hpp>
#include <catch2/catch.hpp>

using namespace referee;
using daemon::OrderError;
using daemon::read_order;

namespace {

/// All that its form takes, with brackets and without.
boost::json::object full_order(const daemon::OrderForm& form, int white_score) {
  const boost::json::object values{{"side", "white"},  {"time_ms", 1000}, {"white_score", white_score},
                                   {"black_score", 0}, {"text", "e4"},    {"flag", false}};
  boost::json::object full{{"order", boost::json::string(form.name.data(), form.name.size())}, {"why", "a test"}};
  for (const auto& value : values)
    if (form.takes.find(std::string_view(value.key().data(), value.key().size())) != std::string_view::npos)
      full[value.key()] = value.value();
  return full;
}

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
    const boost::json::object full = full_order(form, 0);
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
    const boost::json::object full = full_order(form, 1);
    CHECK_NOTHROW(read_order(full, "x"));
  }
  for (int i = 0; i <= static_cast<int>(game::OrderKind::report_wrong_start); ++i) {
    const auto name = game::name(static_cast<game::OrderKind>(i));
    const auto& forms = daemon::order_forms();
    INFO(name);
    CHECK(std::any_of(forms.begin(), forms.end(), [&](const auto& form) { return form.name == name; }));
  }
}

// By the list of forms, too: a slip of a member's name would otherwise be passed over.
TEST_CASE("an order that has a member which its form does not take is refused", "[orders]") {
  for (const auto& [text, expected] : std::vector<std::pair<std::string, std::string>>{
           {R"({"order":"override_result","white_score":1,"black_score":0,"why":"x","side":"white","time_ms":55})",
            "says nothing in 'override_result' (expected order, white_score, black_score, why)"},
           {R"({"order":"pause","flag":false})", "'flag' says nothing in 'pause' (expected order, why)"},
           {R"({"order":"resign","side":"white","text":"e4"})", "'text' says nothing in 'resign' (expected order, side, why)"},
           {R"({"order":"warn","colour":"white"})", "'colour' says nothing in 'warn' (expected order, side, text, why)"}}) {
    INFO(text);
    CHECK_THROWS_WITH(read(text), Catch::Contains(expected));
  }
  for (const daemon::OrderForm& form : daemon::order_forms()) {
    const boost::json::object right = full_order(form, 0);
    for (const auto& [member, value] : std::vector<std::pair<const char*, boost::json::value>>{
             {"side", "white"}, {"time_ms", 1}, {"white_score", 0}, {"black_score", 0}, {"text", "e4"}, {"flag", true}}) {
      if (right.contains(member)) continue;
      boost::json::object more = right;
      more[member] = value;
      INFO(form.name << " with " << member);
      CHECK_THROWS_AS(read_order(more, "x"), OrderError);
    }
  }
}
