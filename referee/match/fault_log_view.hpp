// faults/game-N.log (side_files.hpp says in which folder): the last lines of both sides of a game that an engine spoilt, made from the
// journal's facts.
#pragma once

#include <map>
#include <string>

#include "referee/record/fact.hpp"
#include "referee/record/journal.hpp"

namespace referee::match {

/// "game-N.log", "start-NAME.log".
[[nodiscard]] std::string fault_log_name(const record::EngineFault& fault);

class FaultLogView : public record::View {
 public:
  explicit FaultLogView(std::string folder) : folder_(std::move(folder)) {}
  void see(const record::Fact& fact) override;

 private:
  std::string folder_;
  std::map<int, int> attempts_;  // of running games
};

}  // namespace referee::match
