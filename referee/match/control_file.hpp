// Orders to a running match from another process: a file beside its journal (config::control_path) that is there while the match is played.
// Whoever gives one (`referee control`) holds the file, adds a line and waits for the match to write its answer there.
//
//   pause            running games are finished, no new one starts
//   resume
//   concurrency N    games at once from now on
//   stop             running games are finished, the match can go on later
//   stop now         running games are dropped
//
// "#SIGN pause" asks for the answer "#SIGN: obeyed" or "#SIGN: refused WHY"; a line without a sign is obeyed and not answered.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "config/match_file.hpp"
#include "referee/record/append_file.hpp"

namespace referee::match {

struct PauseOrder {};
struct ResumeOrder {};
struct ConcurrencyOrder {
  int games = 1;
};
struct StopOrder {
  bool now = false;
};
using ControlOrder = std::variant<PauseOrder, ResumeOrder, ConcurrencyOrder, StopOrder>;

/// One line; nullopt when it is no order.
[[nodiscard]] std::optional<ControlOrder> parse_order(std::string_view line);

/// Where a match takes its orders. All members throw record::JournalError.
class OrderBox {
 public:
  /// Needs: this process owns the journal.
  explicit OrderBox(const config::Output& output);
  /// Refuses what has not been taken. The file goes, if every answer in it has been read.
  ~OrderBox();
  OrderBox(const OrderBox&) = delete;
  OrderBox& operator=(const OrderBox&) = delete;

  /// Why an order is refused; nullopt: it is obeyed.
  using Obey = std::function<std::optional<std::string>(const ControlOrder&)>;
  /// Hands over the orders that are there, as they were given, and writes the answers.
  void take(const Obey& obey);

 private:
  record::AppendFile file_;
};

/// What a match that is played no more has left of orders. Needs: nobody owns the journal.
void drop_orders(const config::Output& output);

/// The empty file of a match that is over: it stays when the last answer was read while the match ended. Throws record::JournalError.
void take_away_empty_box(const config::Output& output);

/// Puts an order there, for the match to take; its sign. nullopt when no match takes orders there now. Throws record::JournalError.
[[nodiscard]] std::optional<std::string> give_order(const config::Output& output, std::string_view line);

struct ControlAnswer {
  enum class State { waiting, obeyed, refused, gone /* nobody will say what became of it */ };
  State state = State::gone;
  std::string why;  // it was refused
};
/// Is an order that has not been taken left there, or taken back, so that nobody takes it from then on?
enum class Patience { wait, take_back };
/// The answer, which is taken away. Throws record::JournalError.
[[nodiscard]] ControlAnswer answer_to(const config::Output& output, const std::string& sign, Patience patience);

}  // namespace referee::match
