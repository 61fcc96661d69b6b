#include "referee/match/fault_log_view.hpp"

#include <filesystem>
#include <fstream>
#include <system_error>
#include <variant>

#include "referee/game/outcome.hpp"
#include "referee/game/printable.hpp"
#include "referee/match/engine_log.hpp"

namespace referee::match {

std::string fault_log_name(const record::EngineFault& fault) {
  return (fault.game == 0 ? "start-" + file_name_of(fault.engine) : "game-" + std::to_string(fault.game)) + ".log";
}

void FaultLogView::see(const record::Fact& fact) {
  if (const auto* started = std::get_if<record::GameStarted>(&fact)) attempts_[started->game] = started->attempt;
  if (const auto* ended = std::get_if<record::GameEnded>(&fact)) attempts_.erase(ended->game);
  const auto* fault = std::get_if<record::EngineFault>(&fact);
  if (fault == nullptr || (fault->log.empty() && fault->game == 0)) return;
  std::error_code ignored;
  std::filesystem::create_directories(folder_, ignored);
  const auto attempt = attempts_.find(fault->game);
  const bool again = attempt != attempts_.end() && attempt->second > 1;
  std::ofstream file(folder_ + "/" + fault_log_name(*fault), std::ios::binary | (again ? std::ios::app : std::ios::trunc));
  file << (fault->game == 0 ? "start" : "game " + std::to_string(fault->game));
  if (again) file << ", attempt " << attempt->second;
  file << ": " << fault->engine << ": " << game::code(fault->reason) << ": " << game::with_escapes(fault->detail) << "\n"
       << "the last lines (> to the engine, < from it, ! its error stream, - notes):\n"
       << game::with_escapes(fault->log);
}

}  // namespace referee::match
