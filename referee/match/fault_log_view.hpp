// faults/game-N.log (config::fault_folder says where): the last lines of both sides of a game that an engine spoilt, made from the
// journal's facts.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "referee/record/fact.hpp"
#include "referee/record/journal.hpp"

namespace referee::match {

/// "game-N.log", "start-NAME.log".
[[nodiscard]] std::string fault_log_name(const record::EngineFault& fault);

class FaultLogView : public record::View {
 public:
  using Tell = std::function<void(const std::string&)>;
  /// `tell` hears once that a log could not be written. The match goes on: the journal keeps what the log would say.
  FaultLogView(std::string folder, Tell tell) : folder_(std::move(folder)), tell_(std::move(tell)) {}
  void see(const record::Fact& fact) override;

 private:
  enum class Attempt { first, later };
  void write(const std::string& name, std::string_view text, Attempt attempt);

  std::string folder_;
  Tell tell_;
  bool told_ = false;
  std::map<int, int> attempts_;  // of running games
};

}  // namespace referee::match
