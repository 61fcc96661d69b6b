// The script of a stub engine: one step a line (DESIGN section 6).
//
//   # protocol uci
//   > go                     wait for a line that begins with "go"
//   ! sleep 50               do
//   < info string hello      print the line
//   <| best                  print with C escapes and without a line end
//   <| move e2e4\n
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine_iface/protocol.hpp"

namespace referee::engine {

struct StubStep {
  enum class Kind : std::uint8_t {
    wait,          // text = how the line begins
    print,         // text = bytes, line end included where there is one
    exit,          // number = status, 0..255
    signal,        // number = signal, 1..64
    sleep,         // number = milliseconds
    write_errors,  // number = bytes to stderr
    flood,         // number = search reports to stdout
    close_input,
    close_output,
    ignore,  // reacts to nothing any more: no line, no end of file, no SIGTERM
  };
  Kind kind;
  std::string text;
  long long number = 0;
};

struct StubScript {
  ProtocolKind protocol = ProtocolKind::uci;
  std::vector<StubStep> steps;
};

struct StubScriptError {
  std::size_t line;  // 1-based
  std::size_t column;
  std::string message;  // what is wrong and what was expected
};

/// Blank lines, and lines that begin with # after the first, are comments.
[[nodiscard]] std::variant<StubScript, StubScriptError> parse_stub_script(std::string_view text);

}  // namespace referee::engine
