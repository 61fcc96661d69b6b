#include <catch2/catch.hpp>

#include "referee/record/json.hpp"

using namespace referee::record;

namespace {
std::string decimal(std::int64_t value, int digits) {
  std::string text;
  append_decimal(text, value, digits);
  return text;
}
}  // namespace

TEST_CASE("decimals have no trailing zeros and lose nothing") {
  CHECK(decimal(1500000, 6) == "1.5");
  CHECK(decimal(0, 6) == "0");
  CHECK(decimal(-1, 6) == "-0.000001");
  CHECK(decimal(50, 2) == "0.5");
  CHECK(decimal(100, 2) == "1");
  CHECK(decimal(INT64_MIN, 6) == "-9223372036854.775808");
}

TEST_CASE("objects") {
  std::string text;
  JsonObject object(text);
  object.add<"a">(1);
  object.add<"b">("x\"y");
  object.add<"c">(true);
  object.add<"d">(std::optional<int>());
  object.add_text<"e">("");
  object.add_score<"f">(50);
  object.close();
  CHECK(text == R"({"a":1,"b":"x\"y","c":true,"f":0.5})");
  std::string empty;
  JsonObject(empty).close();
  CHECK(empty == "{}");
}

TEST_CASE("stored text is valid UTF-8 and comes back") {
  CHECK(valid_utf8("\xE2\x99\x98 and \xFF") == "\xE2\x99\x98 and \xEF\x9F\xBF");
  CHECK(restore_bytes(valid_utf8("\xE2\x99\x98 and \xFF \xEF\x9F\xBF")) == "\xE2\x99\x98 and \xFF \xEF\x9F\xBF");
}

TEST_CASE("JSON holds nothing that a terminal obeys") {  // RFC 8259, 7: any character may be escaped
  std::string out;
  append_json_string(out, "a\x1B\x7F\xC2\x9B\xE2\x80\xAE\xC3\xA9\xE2\x99\x9E");
  CHECK(out == "\"a\\u001b\\u007f\\u009b\\u202e\xC3\xA9\xE2\x99\x9E\"");
  // What stands for a byte already is not put in its place once more, and a bare byte is.
  CHECK(for_output("[\"\xEF\x9F\xBC\xFC\"]") == "[\"\xEF\x9F\xBC\xEF\x9F\xBC\"]");
  CHECK(for_output("[\"\x7F\xC2\x9B\xE2\x80\xAE\xC3\xA9\"]") == "[\"\\u007f\\u009b\\u202e\xC3\xA9\"]");
}
