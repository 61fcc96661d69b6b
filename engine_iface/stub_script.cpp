#include "engine_iface/stub_script.hpp"

#include <limits>
#include <optional>

#include "engine_iface/text.hpp"

namespace referee::engine {

namespace {

void append_utf8(std::string& out, std::uint32_t code) {
  const auto push = [&](std::uint32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (code < 0x80) {
    push(code);
  } else if (code < 0x800) {
    push(0xC0 | (code >> 6));
    push(0x80 | (code & 0x3F));
  } else {
    push(0xE0 | (code >> 12));
    push(0x80 | ((code >> 6) & 0x3F));
    push(0x80 | (code & 0x3F));
  }
}

std::optional<std::uint32_t> hexadecimal(std::string_view digits) noexcept {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (error != std::errc{} || end != digits.data() + digits.size() || digits.empty()) return std::nullopt;
  return value;
}

/// Decodes C escapes; the place of the fault on failure.
std::variant<std::string, std::size_t> unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    const auto start = i;
    if (++i == text.size()) return start;
    switch (text[i]) {
      case 'n':
        out += '\n';
        break;
      case 'r':
        out += '\r';
        break;
      case 't':
        out += '\t';
        break;
      case 'a':
        out += '\a';
        break;
      case 'b':
        out += '\b';
        break;
      case 'f':
        out += '\f';
        break;
      case 'v':
        out += '\v';
        break;
      case 'e':
        out += '\x1b';
        break;
      case '\\':
      case '"':
      case '\'':
      case '?':
        out += text[i];
        break;
      case 'x':
      case 'u': {
        const std::size_t digits = text[i] == 'x' ? 2 : 4;
        const auto code = i + digits < text.size() ? hexadecimal(text.substr(i + 1, digits)) : std::nullopt;
        if (!code) return start;
        if (digits == 2) {
          out += static_cast<char>(static_cast<unsigned char>(*code));
        } else {
          append_utf8(out, *code);
        }
        i += digits;
        break;
      }
      default: {
        if (text[i] < '0' || text[i] > '7') return start;
        unsigned value = 0;
        std::size_t digits = 0;
        for (; digits < 3 && i + digits < text.size() && text[i + digits] >= '0' && text[i + digits] <= '7'; ++digits)
          value = value * 8 + static_cast<unsigned>(text[i + digits] - '0');
        if (value > 255) return start;
        out += static_cast<char>(static_cast<unsigned char>(value));
        i += digits - 1;
      }
    }
  }
  return out;
}

struct NumberedAction {
  std::string_view word;
  StubStep::Kind kind;
  long long least, most;
};
constexpr NumberedAction numbered_actions[] = {
    {"exit", StubStep::Kind::exit, 0, 255},
    {"signal", StubStep::Kind::signal, 1, 64},
    {"sleep", StubStep::Kind::sleep, 0, 86'400'000},
    {"stderr", StubStep::Kind::write_errors, 0, 1'000'000'000},
    {"flood", StubStep::Kind::flood, 0, 1'000'000'000},
};

std::variant<StubStep, std::string> parse_action(std::string_view text) {
  Words words(text);
  const auto word = words.next();
  const auto argument = words.next();
  if (!words.rest().empty()) return "too many words in \"" + std::string(text) + "\"";
  for (const auto& action : numbered_actions) {
    if (word != action.word) continue;
    const auto number = parse_integer<long long>(argument);
    if (!number || *number < action.least || *number > action.most) {
      return std::string(word) + " needs a whole number from " + std::to_string(action.least) + " to " + std::to_string(action.most);
    }
    return StubStep{action.kind, {}, *number};
  }
  if (word == "close") {
    if (argument == "stdin") return StubStep{StubStep::Kind::close_input, {}};
    if (argument == "stdout") return StubStep{StubStep::Kind::close_output, {}};
    return std::string("close needs stdin or stdout");
  }
  if (word == "ignore" && argument.empty()) return StubStep{StubStep::Kind::ignore, {}};
  return "unknown action \"" + std::string(text) + "\" (exit N, signal N, sleep MS, stderr N, flood N, close stdin|stdout, ignore)";
}

}  // namespace

std::variant<StubScript, StubScriptError> parse_stub_script(std::string_view text) {
  StubScript script;
  std::size_t number = 0;
  while (!text.empty()) {
    const auto end = text.find('\n');
    auto line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    ++number;

    if (number == 1) {
      Words words(line);
      const bool marked = words.next() == "#" && words.next() == "protocol";
      const auto protocol = words.next();
      if (!marked || (protocol != "uci" && protocol != "xboard")) {
        return StubScriptError{1, 1, "the first line must be \"# protocol uci\" or \"# protocol xboard\""};
      }
      script.protocol = protocol == "uci" ? ProtocolKind::uci : ProtocolKind::xboard;
      continue;
    }
    if (trimmed(line).empty() || line.front() == '#') continue;

    const bool raw = line.starts_with("<|");
    const char mark = line.front();
    if (mark != '>' && mark != '<' && mark != '!')
      return StubScriptError{number, 1, "a step begins with \"> \", \"< \", \"<| \" or \"! \""};
    const std::size_t content_at = raw ? 2 : 1;
    auto content = line.substr(content_at);
    if (!content.empty() && content.front() == ' ') {
      content.remove_prefix(1);
    } else if (!content.empty()) {
      return StubScriptError{number, content_at + 1, "a blank is expected after " + std::string(line.substr(0, content_at))};
    }
    const std::size_t column = line.size() - content.size() + 1;
    if (raw) {
      auto bytes = unescaped(content);
      if (const auto* fault = std::get_if<std::size_t>(&bytes)) {
        return StubScriptError{number, column + *fault, "unknown escape (\\n \\r \\t \\a \\b \\f \\v \\e \\\\ \\xHH \\uHHHH \\ooo)"};
      }
      script.steps.push_back(StubStep{StubStep::Kind::print, std::move(std::get<std::string>(bytes))});
    } else if (mark == '<') {
      script.steps.push_back(StubStep{StubStep::Kind::print, std::string(content) + '\n'});
    } else if (mark == '>') {
      script.steps.push_back(StubStep{StubStep::Kind::wait, std::string(content)});
    } else {
      auto action = parse_action(trimmed(content));
      if (const auto* why = std::get_if<std::string>(&action)) return StubScriptError{number, column, *why};
      script.steps.push_back(std::move(std::get<StubStep>(action)));
    }
  }
  if (number == 0) return StubScriptError{1, 1, "the first line must be \"# protocol uci\" or \"# protocol xboard\""};
  return script;
}

}  // namespace referee::engine
