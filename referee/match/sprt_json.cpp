#include "referee/match/sprt_json.hpp"

#include <cstdint>
#include <string_view>
#include <utility>

#include "referee/stats/elo.hpp"

namespace referee::match {

namespace json = boost::json;

json::object sprt_json(const stats::SprtParameters& parameters, const stats::PairCounts& counts, const stats::SprtReport& report) {
  const std::string_view state = stats::name(report.state);
  const std::string_view model = stats::name(parameters.model);
  json::array pentanomial;
  for (const double count : stats::distribution(counts).counts) pentanomial.push_back(static_cast<std::int64_t>(count));
  return {{"llr", report.llr},
          {"lower", report.lower},
          {"upper", report.upper},
          {"state", json::string(state.data(), state.size())},
          {"pairs", counts.pairs()},
          {"expected_pairs_left", report.expected_trials_left ? json::value(*report.expected_trials_left) : json::value(nullptr)},
          {"model", json::string(model.data(), model.size())},
          {"elo0", parameters.elo0},
          {"elo1", parameters.elo1},
          {"ptnml", std::move(pentanomial)}};
}

}  // namespace referee::match
