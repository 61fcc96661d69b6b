#include "referee/match/fault_log_view.hpp"

#include <variant>

#include "config/used_files.hpp"
#include "referee/game/outcome.hpp"
#include "referee/game/printable.hpp"
#include "referee/record/append_file.hpp"

namespace referee::match {

std::string fault_log_name(const record::EngineFault& fault) {
  return (fault.game == 0 ? "start-" + config::file_name_of(fault.engine) : "game-" + std::to_string(fault.game)) + ".log";
}

void FaultLogView::see(const record::Fact& fact) {
  if (const auto* started = std::get_if<record::GameStarted>(&fact)) attempts_[started->game] = started->attempt;
  if (const auto* ended = std::get_if<record::GameEnded>(&fact)) attempts_.erase(ended->game);
  const auto* fault = std::get_if<record::EngineFault>(&fact);
  if (fault == nullptr || (fault->log.empty() && fault->game == 0)) return;
  const auto attempt = attempts_.find(fault->game);
  const bool again = attempt != attempts_.end() && attempt->second > 1;
  std::string text = fault->game == 0 ? "start" : "game " + std::to_string(fault->game);
  if (again) text += ", attempt " + std::to_string(attempt->second);
  text.append(": ").append(fault->engine).append(": ").append(game::code(fault->reason)).append(": ");
  text += game::with_escapes(fault->detail);
  text += "\nthe last lines (> to the engine, < from it, ! its error stream, - notes):\n" + game::with_escapes(fault->log);
  write(fault_log_name(*fault), text, again ? Attempt::later : Attempt::first);
}

void FaultLogView::write(const std::string& name, std::string_view text, Attempt attempt) {
  const std::string path = folder_ + "/" + name;
  try {
    if (attempt == Attempt::first)
      record::replace_file(path, text, record::Durability::in_time);
    else
      record::AppendFile(path).append(text);
  } catch (const record::JournalError& error) {
    if (!std::exchange(told_, true)) tell_(std::string(error.what()) + "; the journal has what the fault log would say");
  }
}

}  // namespace referee::match
