// What both protocols share because it is about processes and reports, not about chess: start, end of file, exit status, quit, limits that
// are set and cleared in pairs, and each leniency told once.
#pragma once

#include <bitset>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine_iface/protocol.hpp"

namespace referee::engine {

class ProtocolBase : public Protocol {
 public:
  [[nodiscard]] const EngineIdentity& identity() const noexcept final { return identity_; }
  void set_info_interest(InfoInterest interest) noexcept final { interest_ = interest; }

  void quit(Instant now, Effects& out) final;
  void end_of_file(Instant at, Effects& out) final;
  void exited(const ExitStatus& status, Instant at, Effects& out) final;
  void limit_expired(Limit limit, Instant at, Effects& out) final;

 protected:
  explicit ProtocolBase(ProtocolSettings settings);

  /// What the engine was doing, for the text of a failure: "before uciok", "while it thought".
  [[nodiscard]] virtual std::string occupation() const = 0;
  /// start, ready or stop has expired; the others are dealt with here.
  virtual void protocol_limit_expired(Limit limit, Instant at, Effects& out) = 0;
  /// Does SIGTERM follow quit (XBoard sigterm=1)?
  [[nodiscard]] virtual bool terminate_after_quit() const noexcept { return false; }

  /// Just before `quit` is sent.
  virtual void prepare_quit(Effects& out) { static_cast<void>(out); }

  /// Nothing the engine says or does matters any more.
  [[nodiscard]] bool over() const noexcept { return life_ == Life::over; }
  [[nodiscard]] bool quitting() const noexcept { return life_ == Life::quitting; }
  /// The handshake is done: failures are no longer failures to start.
  void started() noexcept {
    if (life_ == Life::starting) life_ = Life::running;
  }

  /// Says it once; the process is given up.
  void fail(FailureKind kind, std::string detail, Instant at, Effects& out);
  /// `what` must be a literal: it is told once for each address.
  void lenient(const char* what, std::string_view line, Effects& out);
  /// What becomes of an option that is declared once more.
  enum class Redeclared : std::uint8_t { first_counts, last_counts };
  /// Adds to the identity's options, as many and as long ones as are kept; of those the user named, each once in any case.
  void declare(EngineIdentity::DeclaredOption option, Redeclared again, Effects& out);
  void forget_options();
  static void complain(std::string what, Effects& out) { out.messages.emplace_back(Complaint{std::move(what)}); }
  /// One complaint for all options that the engine does not have.
  static void complain_of_options(const std::vector<std::string>& unknown, Effects& out);
  void set_limit(Limit limit, Instant deadline, Effects& out);
  /// Says nothing when the limit is not set.
  void clear_limit(Limit limit, Effects& out);

  [[nodiscard]] std::string_view without_line_end(std::string_view text, Effects& out);
  /// Takes off trailing blanks and control characters that carry no meaning (BEL); the result lives until the next call.
  [[nodiscard]] std::string_view tidy(std::string_view text, Effects& out);

  ProtocolSettings settings_;
  EngineIdentity identity_;
  InfoInterest interest_ = InfoInterest::each_depth;

 private:
  enum class Life : std::uint8_t { starting, running, quitting, over };

  void conclude(Instant at, Effects& out);

  Life life_ = Life::starting;
  bool end_of_file_seen_ = false;
  bool terminate_sent_ = false;
  std::optional<ExitStatus> exit_;
  Instant first_sign_of_end_{};
  Instant quit_deadline_{};
  std::bitset<8> limits_set_;
  std::vector<const char*> told_;
  std::unordered_map<std::string, std::size_t> option_places_;  // in the identity, by comparable name
  std::size_t option_bytes_ = 0;                                // of those
  std::string scratch_;
};

/// "exited with status 3", "was killed by signal 11 (SIGSEGV)".
[[nodiscard]] std::string describe(const ExitStatus& status);
/// "5 s", "300 ms".
[[nodiscard]] std::string describe(Duration duration);
/// At most 200 bytes of a line, for a message.
[[nodiscard]] std::string excerpt(std::string_view line);

}  // namespace referee::engine
