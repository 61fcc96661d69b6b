// faults/game-N.log: the last lines of both sides of a game that an engine spoilt, made from the journal's facts.
#pragma once

#include <map>
#include <string>

#include "referee/record/fact.hpp"
#include "referee/record/journal.hpp"

namespace referee::match {

class FaultLogView : public record::View {
 public:
  explicit FaultLogView(std::string folder) : folder_(std::move(folder)) {}
  void see(const record::Fact& fact) override;

 private:
  std::string folder_;
  std::map<int, int> attempts_;  // of running games
};

}  // namespace referee::match
