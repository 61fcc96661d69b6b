#include "referee/daemon/registry.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <stdexcept>

#include "tests/match/support.hpp"

using namespace referee;
using daemon::fault_of_name;
using daemon::Registry;
using test::ScratchFolder;

TEST_CASE("a name is one line of text that can stand in a path", "[registry]") {
  for (const char* good : {"Stockfish 17", "a..b", "Zug\xC3\xA4\xE2\x80\x93\xE4\xB8\xAD", "%41", "x:y"}) {
    INFO(good);
    CHECK_FALSE(fault_of_name(good));
  }
  // Bytes that are no UTF-8; U+F7FF, by which JSON tells of the byte 0xFF.
  for (const char* bad : {"\xff", "a\xC3", "\xC0\xAF", "\xED\xA0\x80", "\xEF\x9F\xBF"}) {
    INFO(bad);
    REQUIRE(fault_of_name(bad));
    CHECK(fault_of_name(bad)->find("UTF-8") != std::string::npos);
  }
}

TEST_CASE("names that could be kept once and cannot now are replaced, each by one of its own", "[registry]") {
  const ScratchFolder folder;
  Registry registry(folder.file("referee.sqlite"));
  const std::vector<std::string> odd = {"a/b", "a\nb", "..", ".", "\xff", "\xEF\x9F\xBF", "a\x1b[2J", std::string(99, 'x') + "\xC3\xA4"};
  for (const std::string& name : odd)
    registry.put_engine({.name = name, .keys = "{}", .command = "/" + name, .sha256 = "0", .added = {}, .who = "", .report = ""});
  for (const char* name : {"a_b", "plain"})
    registry.put_engine({.name = name, .keys = "{}", .command = name, .sha256 = "0", .added = {}, .who = "", .report = ""});
  registry.put_token({.name = "a/b", .role = daemon::Role::arbiter, .sha256 = "1", .created = {}});
  registry.put_token({.name = "olga", .role = daemon::Role::viewer, .sha256 = "2", .created = {}});
  CHECK(registry.mend_names().size() == odd.size() + 1);
  std::set<std::string> names;
  for (const daemon::EngineRecord& engine : registry.engines()) {
    INFO(engine.name);
    CHECK_FALSE(fault_of_name(engine.name));
    names.insert(engine.name);
    if (engine.command == "/a/b") CHECK(engine.name == "a_b-2");
    if (engine.command == "a_b" || engine.command == "plain") CHECK(engine.name == engine.command);
  }
  CHECK(names.size() == odd.size() + 2);
  const auto tokens = registry.tokens();
  REQUIRE(tokens.size() == 2);
  CHECK((tokens[0].name == "a_b" && tokens[0].role == daemon::Role::arbiter && tokens[0].sha256 == "1"));
  CHECK(tokens[1].name == "olga");
  CHECK(registry.mend_names().empty());
  for (const std::string& name : names) CHECK(registry.remove_engine(name));
}

TEST_CASE("what is written at once is written whole or not at all", "[registry]") {
  const ScratchFolder folder;
  Registry registry(folder.file("referee.sqlite"));
  daemon::MatchRecord added;
  added.event = "Test";
  const int id = registry.add_match(added);
  daemon::MatchRecord changed = registry.matches().front();
  changed.priority = 5;
  CHECK_THROWS(registry.at_once([&] {
    registry.audit("olga", "priority", "5");
    registry.update_match(changed);
    throw std::runtime_error("the disk is full");
  }));
  CHECK(registry.matches().front().priority == 0);
  CHECK(registry.audit_since(1, 10).empty());
  registry.at_once([&] {
    registry.audit("olga", "priority", "5");
    registry.update_match(changed);
  });
  CHECK(registry.matches().front().id == id);
  CHECK(registry.matches().front().priority == 5);
  CHECK(registry.audit_since(1, 10).size() == 1);
}
