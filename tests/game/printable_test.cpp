#include "referee/game/printable.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace referee::game;

TEST_CASE("what a terminal obeys and what is no UTF-8 never reaches people") {
  struct Line {
    std::string text, shown, escaped;
  };
  for (const Line& line : {
           Line{"Kramnik, plain", "Kramnik, plain", "Kramnik, plain"},
           Line{"Väljund ♔ 象", "Väljund ♔ 象", "Väljund ♔ 象"},
           Line{"a\x1B[2Jb", "a [2Jb", "a\\x1B[2Jb"},
           Line{"bell\a, del\x7F", "bell , del ", "bell\\x07, del\\x7F"},
           Line{"csi \xC2\x9B"
                "2J",
                "csi  2J",
                "csi \\xC2\\x9B"
                "2J"},                                                                        // U+009B
           Line{"turned \xE2\x80\xAE evil", "turned   evil", "turned \\xE2\\x80\\xAE evil"},  // U+202E
           Line{"isolated \xE2\x81\xA7.", "isolated  .", "isolated \\xE2\\x81\\xA7."},        // U+2067
           Line{"Latin-1 \xE4", "Latin-1 ?", "Latin-1 \\xE4"},
           Line{"overlong \xC0\xAF", "overlong ??", "overlong \\xC0\\xAF"},
           Line{"half \xE2\x99", "half ??", "half \\xE2\\x99"},
           Line{"", "", ""},
       }) {
    INFO(line.text);
    CHECK(printable(line.text) == line.shown);
    CHECK(with_escapes(line.text) == line.escaped);
    CHECK(is_printable(line.text) == (line.shown == line.text));
    CHECK(is_printable(printable(line.text)));
  }
  // A log keeps its lines.
  CHECK(with_escapes("> go\n< a\tb\n") == "> go\n< a\tb\n");
  CHECK(printable("two\nlines") == "two lines");
}
