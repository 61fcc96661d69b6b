#include "engine_iface/protocol_base.hpp"

#include <algorithm>
#include <csignal>
#include <utility>

#include "engine_iface/text.hpp"
#include "engine_iface/uci_option.hpp"

namespace referee::engine {

std::string_view name(ProtocolKind kind) noexcept { return kind == ProtocolKind::uci ? "uci" : "xboard"; }

namespace {

std::string_view signal_name(int number) noexcept {
  switch (number) {
    case SIGHUP:
      return "SIGHUP";
    case SIGINT:
      return "SIGINT";
    case SIGQUIT:
      return "SIGQUIT";
    case SIGILL:
      return "SIGILL";
    case SIGTRAP:
      return "SIGTRAP";
    case SIGABRT:
      return "SIGABRT";
    case SIGBUS:
      return "SIGBUS";
    case SIGFPE:
      return "SIGFPE";
    case SIGKILL:
      return "SIGKILL";
    case SIGSEGV:
      return "SIGSEGV";
    case SIGPIPE:
      return "SIGPIPE";
    case SIGALRM:
      return "SIGALRM";
    case SIGTERM:
      return "SIGTERM";
    case SIGXCPU:
      return "SIGXCPU";
    case SIGXFSZ:
      return "SIGXFSZ";
    case SIGSYS:
      return "SIGSYS";
    default:
      return {};
  }
}

std::size_t bytes_of(const EngineIdentity::DeclaredOption& option) noexcept {
  std::size_t bytes = sizeof option + option.name.size() + option.default_value.size();
  for (const std::string& choice : option.choices) bytes += sizeof(std::string) + choice.size();
  return bytes;
}

std::string signal_text(int number) {
  std::string text = "signal " + std::to_string(number);
  if (const auto known = signal_name(number); !known.empty()) text.append(" (").append(known).append(")");
  return text;
}

}  // namespace

std::string describe(const ExitStatus& status) {
  if (status.signal) return "was killed by " + signal_text(*status.signal);
  if (!status.code) return "ended with an unknown status";
  std::string text = "exited with status " + std::to_string(*status.code);
  // A shell or a wrapper reports a child killed by signal N as 128 + N.
  if (*status.code > 128 && !signal_name(*status.code - 128).empty()) text += ", as after " + signal_text(*status.code - 128);
  return text;
}

std::string describe(Duration duration) {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
  return ms % 1000 == 0 ? std::to_string(ms / 1000) + " s" : std::to_string(ms) + " ms";
}

std::string excerpt(std::string_view line) {
  constexpr std::size_t longest = 200;
  if (line.size() <= longest) return std::string(line);
  return std::string(line.substr(0, longest)) + "...";
}

ProtocolBase::ProtocolBase(ProtocolSettings settings) : settings_(std::move(settings)) { identity_.name = settings_.fallback_name; }

void ProtocolBase::fail(FailureKind kind, std::string detail, Instant at, Effects& out) {
  if (over()) return;
  life_ = Life::over;
  for (const auto limit : {Limit::start, Limit::ready, Limit::stop, Limit::quit, Limit::exit}) clear_limit(limit, out);
  out.kill = true;
  out.messages.emplace_back(Failure{kind, std::move(detail), at});
}

void ProtocolBase::complain_of_options(const std::vector<std::string>& unknown, Effects& out) {
  if (unknown.empty()) return;
  if (unknown.size() == 1) return complain("the engine has no option " + unknown.front() + "; it is not set", out);
  std::string names;
  for (const std::string& name : unknown) names += (names.empty() ? "" : ", ") + name;
  complain("the engine has none of the options " + names + "; they are not set", out);
}

void ProtocolBase::lenient(const char* what, std::string_view line, Effects& out) {
  if (std::find(told_.begin(), told_.end(), what) != told_.end()) return;
  told_.push_back(what);
  out.messages.emplace_back(Leniency{what, excerpt(line)});
}

void ProtocolBase::declare(EngineIdentity::DeclaredOption option, Redeclared again, Effects& out) {
  // A hostile engine may declare options for ever, of any length.
  constexpr std::size_t most_options = 2000, most_bytes = std::size_t{4} << 20, most_bytes_of_one = std::size_t{256} << 10;
  const std::size_t bytes = bytes_of(option);
  if (bytes > most_bytes_of_one) return lenient("an option longer than is kept", option.name, out);
  std::string comparable = comparable_option_name(option.name);
  const auto known = option_places_.find(comparable);
  const std::size_t freed = known == option_places_.end() ? 0 : bytes_of(identity_.options[known->second]);
  if (known != option_places_.end() && again == Redeclared::first_counts) return lenient("an option declared twice", option.name, out);
  // What the user wants set must not get lost among the others. There are as many exceptions as names in his file, each of bounded length.
  const bool is_wanted = std::any_of(settings_.options.begin(), settings_.options.end(),
                                     [&](const EngineOption& wanted) { return is_same_option(wanted.name, option.name); });
  const bool is_one_more = known == option_places_.end() && identity_.options.size() >= most_options;
  if (!is_wanted && (is_one_more || option_bytes_ - freed + bytes > most_bytes))
    return lenient("more options than are kept", option.name, out);
  option_bytes_ += bytes - freed;
  if (known != option_places_.end()) {
    identity_.options[known->second] = std::move(option);
    return;
  }
  option_places_.emplace(std::move(comparable), identity_.options.size());
  identity_.options.push_back(std::move(option));
}

void ProtocolBase::forget_options() {
  identity_.options.clear();
  option_places_.clear();
  option_bytes_ = 0;
}

void ProtocolBase::set_limit(Limit limit, Instant deadline, Effects& out) {
  limits_set_.set(static_cast<std::size_t>(limit));
  out.limits.push_back(Effects::LimitChange{limit, deadline});
}

void ProtocolBase::clear_limit(Limit limit, Effects& out) {
  if (!limits_set_.test(static_cast<std::size_t>(limit))) return;
  limits_set_.reset(static_cast<std::size_t>(limit));
  out.limits.push_back(Effects::LimitChange{limit, std::nullopt});
}

std::string_view ProtocolBase::without_line_end(std::string_view text, Effects& out) {
  if (text.empty() || text.back() != '\r') return text;
  while (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  lenient("lines end in CR LF", text, out);
  return text;
}

std::string_view ProtocolBase::tidy(std::string_view text, Effects& out) {
  const std::string_view whole = text;
  if (constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF"; text.starts_with(byte_order_mark)) {
    lenient("a byte order mark in front of a line", whole, out);
    text.remove_prefix(byte_order_mark.size());
  }
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  const auto control = [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\t'; };
  if (std::any_of(text.begin(), text.end(), control)) {
    lenient("control characters in a line", whole, out);
    scratch_.clear();
    std::copy_if(text.begin(), text.end(), std::back_inserter(scratch_), [&](char c) { return !control(c); });
    text = scratch_;
  }
  return text;
}

// The end of a process ----------------------------------------------------------------------------------------------------

void ProtocolBase::quit(Instant now, Effects& out) {
  if (over() || quitting()) return;
  life_ = Life::quitting;
  for (const auto limit : {Limit::start, Limit::ready, Limit::stop, Limit::exit}) clear_limit(limit, out);
  prepare_quit(out);
  out.to_send += "quit\n";
  if (exit_) return set_limit(Limit::exit, now + settings_.timeouts.exit, out);
  quit_deadline_ = now + settings_.timeouts.quit;
  const auto first = terminate_after_quit() ? std::min(now + settings_.timeouts.terminate, quit_deadline_) : quit_deadline_;
  set_limit(Limit::quit, first, out);
}

void ProtocolBase::end_of_file(Instant at, Effects& out) {
  if (over() || end_of_file_seen_) return;
  end_of_file_seen_ = true;
  if (exit_) return conclude(first_sign_of_end_, out);
  first_sign_of_end_ = at;
  if (!quitting()) set_limit(Limit::exit, at + settings_.timeouts.exit, out);
}

void ProtocolBase::exited(const ExitStatus& status, Instant at, Effects& out) {
  if (over() || exit_) return;
  exit_ = status;
  // The last lines may still be in the pipe: they count.
  if (end_of_file_seen_) return conclude(first_sign_of_end_, out);
  first_sign_of_end_ = at;
  set_limit(Limit::exit, at + settings_.timeouts.exit, out);
}

void ProtocolBase::limit_expired(Limit limit, Instant at, Effects& out) {
  if (over()) return;
  limits_set_.reset(static_cast<std::size_t>(limit));
  switch (limit) {
    case Limit::write:
      if (end_of_file_seen_) return limit_expired(Limit::exit, at, out);
      return fail(FailureKind::stall, "does not read its input (" + describe(settings_.timeouts.write) + ")", at, out);
    case Limit::exit:
      if (exit_) return conclude(first_sign_of_end_, out);  // a descendant keeps the pipe open
      return fail(FailureKind::disconnect, "closed its output while it still ran, " + occupation(), first_sign_of_end_, out);
    case Limit::quit:
      if (exit_) return conclude(first_sign_of_end_, out);
      if (terminate_after_quit() && !terminate_sent_ && at < quit_deadline_) {
        terminate_sent_ = true;
        out.terminate = true;
        set_limit(Limit::quit, quit_deadline_, out);
        return;
      }
      return fail(FailureKind::stall, "did not exit within " + describe(settings_.timeouts.quit) + " of quit", at, out);
    default:
      // Nothing more can come: what it owes is no matter of patience.
      if (end_of_file_seen_) return limit_expired(Limit::exit, at, out);
      return protocol_limit_expired(limit, at, out);
  }
}

void ProtocolBase::conclude(Instant at, Effects& out) {
  if (quitting()) {
    const bool as_told = exit_->code == 0 || (terminate_after_quit() && (exit_->signal == SIGTERM || exit_->signal == SIGINT));
    if (!as_told) lenient("did not end cleanly after quit", describe(*exit_), out);
    life_ = Life::over;
    clear_limit(Limit::quit, out);
    clear_limit(Limit::exit, out);
    out.messages.emplace_back(Bye{});
    return;
  }
  const auto kind = exit_->code == 0 ? FailureKind::disconnect : FailureKind::crash;
  fail(kind, describe(*exit_) + ", " + occupation(), at, out);
}

}  // namespace referee::engine
