// Any text is the script of a stub engine or an error with a place in it, and no step has a number beyond its bounds.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "engine_iface/stub_script.hpp"

using namespace referee::engine;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const StubStep& step) {
  switch (step.kind) {
    case StubStep::Kind::exit:
      return require(step.number >= 0 && step.number <= 255);
    case StubStep::Kind::signal:
      return require(step.number >= 1 && step.number <= 64);
    case StubStep::Kind::wait:
      return require(step.text.find('\n') == std::string::npos);
    default:
      return require(step.number >= 0);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto read = parse_stub_script(text);
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
  if (const auto* error = std::get_if<StubScriptError>(&read)) {
    require(error->line >= 1 && error->line <= lines);
    require(error->column >= 1 && error->column <= size + 1);
    require(!error->message.empty());
    return 0;
  }
  const auto& script = std::get<StubScript>(read);
  require(script.steps.size() <= lines);
  for (const StubStep& step : script.steps) check(step);
  return 0;
}
