// What stands in a journal: any text is a fact or is refused, and a fact that was read is written and read again as the same.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "referee/record/fact.hpp"

namespace {

using namespace referee::record;

void require(bool holds) {
  if (!holds) std::abort();
}

void check_fact(std::string_view text) {
  std::string first;
  try {
    append_json(first, parse_fact(text));
  } catch (const FactError& error) {
    require(error.what()[0] != '\0');
    return;
  }
  std::string second;
  append_json(second, parse_fact(first));
  require(first == second);
}

void check_events(std::string_view text) {
  std::vector<EventJudged> events;
  try {
    events = parse_events(text, 1);
  } catch (const FactError&) { return; }
  std::string first = "[";
  for (const EventJudged& event : events) {
    if (first.size() > 1) first += ',';
    append_event(first, event);
  }
  first += ']';
  require(parse_events(first, 1).size() == events.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_fact(text);
  check_events(text);
  return 0;
}
