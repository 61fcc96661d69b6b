#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "engine_iface/stub_script.hpp"

using namespace referee::engine;

namespace {

StubScript parsed(std::string_view text) {
  auto read = parse_stub_script(text);
  REQUIRE(std::holds_alternative<StubScript>(read));
  return std::get<StubScript>(read);
}
StubScriptError error(std::string_view text) {
  auto read = parse_stub_script(text);
  REQUIRE(std::holds_alternative<StubScriptError>(read));
  return std::get<StubScriptError>(read);
}

}  // namespace

TEST_CASE("stub scripts: every kind of step") {
  const auto read = parsed(
      "# protocol xboard\n\n# a remark\n> usermove e7e5\n< Illegal move: e7e5\n<|  two\\tparts\\n\n! exit 3\n! signal 11\n! sleep 20000\n"
      "! stderr 7\n! flood 8\n! close stdin\n! close stdout\n! ignore\n<\n>\n");
  CHECK(read.protocol == ProtocolKind::xboard);
  using Kind = StubStep::Kind;
  const std::pair<Kind, std::string_view> steps[] = {{Kind::wait, "usermove e7e5"},
                                                     {Kind::print, "Illegal move: e7e5\n"},
                                                     {Kind::print, " two\tparts\n"},
                                                     {Kind::exit, ""},
                                                     {Kind::signal, ""},
                                                     {Kind::sleep, ""},
                                                     {Kind::write_errors, ""},
                                                     {Kind::flood, ""},
                                                     {Kind::close_input, ""},
                                                     {Kind::close_output, ""},
                                                     {Kind::ignore, ""},
                                                     {Kind::print, "\n"},
                                                     {Kind::wait, ""}};
  REQUIRE(read.steps.size() == std::size(steps));
  for (std::size_t i = 0; i < std::size(steps); ++i) {
    CHECK(read.steps[i].kind == steps[i].first);
    CHECK(read.steps[i].text == steps[i].second);
  }
  CHECK(read.steps[3].number == 3);
  CHECK(read.steps[5].number == 20000);
}

TEST_CASE("stub scripts: escapes") {
  CHECK(parsed("# protocol uci\n<| \\x07\\101\\\\\\r\\n\\u20ac\\\"").steps.at(0).text == "\aA\\\r\n\xe2\x82\xac\"");
  CHECK(parsed("# protocol uci\n<| no end").steps.at(0).text == "no end");
  CHECK(parsed("# protocol uci\r\n< crlf script\r\n").steps.at(0).text == "crlf script\n");
}

TEST_CASE("stub scripts: faults are named with their place") {
  const std::tuple<std::string_view, std::size_t, std::size_t> faults[] = {
      {"", 1, 1},
      {"> go\n", 1, 1},
      {"# protocol usi\n", 1, 1},
      {"# protocol uci\n> go\nbestmove e2e4\n", 3, 1},
      {"# protocol uci\n>go\n", 2, 2},
      {"# protocol uci\n! explode\n", 2, 3},
      {"# protocol uci\n! exit\n", 2, 3},
      {"# protocol uci\n! exit 256\n", 2, 3},
      {"# protocol uci\n! sleep -1\n", 2, 3},
      {"# protocol uci\n! close door\n", 2, 3},
      {"# protocol uci\n! exit 1 2\n", 2, 3},
      {"# protocol uci\n<| ab\\q\n", 2, 6},
      {"# protocol uci\n<| \\x1\n", 2, 4},
      {"# protocol uci\n<| ab\\", 2, 6},
  };
  for (const auto& [text, line, column] : faults) {
    INFO(text);
    const auto fault = error(text);
    CHECK(fault.line == line);
    CHECK(fault.column == column);
    CHECK_FALSE(fault.message.empty());
  }
}

TEST_CASE("stub scripts: the whole library reads") {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(REFEREE_SOURCE_FOLDER "/tests/engines")) {
    if (entry.path().extension() != ".txt") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    INFO(entry.path());
    CHECK(std::holds_alternative<StubScript>(parse_stub_script(text)));
    ++count;
  }
  CHECK(count >= 40);
}
