#include "engine_iface/stub.hpp"

#include <algorithm>
#include <utility>

#include "engine_iface/text.hpp"

namespace referee::engine {

Stub::Stub(StubScript script, StubWorld& world) : script_(std::move(script)), world_(world), player_(script_.protocol) {}

void Stub::start() { run_to_next_wait(); }

const StubStep* Stub::awaited() const noexcept { return next_ < script_.steps.size() ? &script_.steps[next_] : nullptr; }

void Stub::line(std::string_view text) {
  if (ended_) return;
  const bool asked = player_.follow(text);
  if (const auto* step = awaited(); step != nullptr) {
    bool met = text.starts_with(step->text);
    if (!met && asked && Words(step->text).next() == Words(text).next()) {
      world_.write_errors("stub: took \"" + std::string(text) + "\" for \"" + step->text + "\"\n");
      met = true;
    }
    if (met) {
      player_.answered_by_script();
      ++next_;
      return run_to_next_wait();
    }
  }
  if (text == "quit" || text.starts_with("quit ")) {
    ended_ = true;
    return world_.exit(0);
  }
  if (const auto reply = player_.reply(text, asked); !reply.empty()) world_.write_output(reply);
}

void Stub::end_of_file() {
  if (ended_) return;
  ended_ = true;
  world_.exit(0);
}

void Stub::run_to_next_wait() {
  while (!ended_ && next_ < script_.steps.size() && script_.steps[next_].kind != StubStep::Kind::wait) act(script_.steps[next_++]);
}

void Stub::act(const StubStep& step) {
  switch (step.kind) {
    case StubStep::Kind::wait:
      break;
    case StubStep::Kind::print:
      player_.printed_by_script(step.text);
      world_.write_output(step.text);
      break;
    case StubStep::Kind::exit:
      ended_ = true;
      world_.exit(static_cast<int>(step.number));
      break;
    case StubStep::Kind::signal:
      ended_ = true;
      world_.raise_signal(static_cast<int>(step.number));
      break;
    case StubStep::Kind::sleep:
      world_.sleep(step.number);
      break;
    case StubStep::Kind::write_errors: {
      std::string line(99, 'e');
      line += '\n';
      for (auto left = step.number; left > 0;) {
        const auto size = std::min<long long>(left, static_cast<long long>(line.size()));
        world_.write_errors(std::string_view(line).substr(0, static_cast<std::size_t>(size)));
        left -= size;
      }
      break;
    }
    case StubStep::Kind::flood:
      flood(step.number);
      break;
    case StubStep::Kind::close_input:
      world_.close_input();
      break;
    case StubStep::Kind::close_output:
      world_.close_output();
      break;
    case StubStep::Kind::ignore:
      ended_ = true;
      world_.ignore_everything();
      break;
  }
}

/// Search reports as fast as they can be written, in blocks of 64 KiB.
void Stub::flood(long long count) {
  const std::string move = player_.first_move().value_or("a1a1");
  std::string block;
  for (long long i = 0; i < count; ++i) {
    const auto number = [&](long long value) { append_number(block, value); };
    if (script_.protocol == ProtocolKind::uci) {
      block += "info depth ";
      number(i % 50 + 1);
      block += " score cp ";
      number(i % 100);
      block += " nodes ";
      number(i);
      block += " pv ";
    } else {
      number(i % 50 + 1);
      block += ' ';
      number(i % 100);
      block += " 0 ";
      number(i);
      block += ' ';
    }
    block += move;
    block += '\n';
    if (block.size() >= 64 * 1024) {
      world_.write_output(block);
      block.clear();
    }
  }
  if (!block.empty()) world_.write_output(block);
}

}  // namespace referee::engine
