// `elo` and `sprt`: statistics from counts.
#include <boost/json.hpp>
#include <charconv>
#include <iomanip>
#include <iostream>

#include "referee/cli/registry.hpp"
#include "referee/stats/elo.hpp"
#include "referee/stats/sprt.hpp"

namespace referee::cli {

namespace {

namespace json = boost::json;

struct Counts {
  std::optional<stats::GameCounts> games;
  std::optional<stats::PairCounts> pairs;
};

[[nodiscard]] std::int64_t count(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0 || value > 1'000'000'000'000) {
    throw UsageError("'" + text + "' is no count (expected a whole number, 0 or more)");
  }
  return value;
}

[[nodiscard]] Counts read_counts(const Arguments& arguments) {
  std::vector<std::int64_t> numbers;
  for (const auto& operand : arguments.operands()) numbers.push_back(count(operand));
  const bool wdl = arguments.has("wdl");
  if (wdl == arguments.has("pairs")) throw UsageError("give the results once (expected --wdl W D L or --pairs LL LD WL DD WD WW)");
  Counts counts;
  if (wdl) {
    if (numbers.size() != 3) throw UsageError("--wdl takes three numbers (expected wins, draws, losses)");
    counts.games = stats::GameCounts{numbers[0], numbers[1], numbers[2]};
  } else if (numbers.size() == 6) {
    counts.pairs = stats::PairCounts{numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]};
  } else if (numbers.size() == 5) {
    counts.pairs = stats::PairCounts{numbers[0], numbers[1], numbers[2], 0, numbers[3], numbers[4], false};
  } else {
    throw UsageError("--pairs takes six numbers, or five where level pairs are one (expected LL LD WL DD WD WW)");
  }
  return counts;
}

[[nodiscard]] json::value number_or_null(const std::optional<double>& value) { return value ? json::value(*value) : json::value(nullptr); }

void put_estimate(json::object& out, const char* name, const stats::Estimate& estimate) {
  out[name] = number_or_null(estimate.value);
  out[std::string(name) + "_error"] = number_or_null(estimate.error);
  if (estimate.bound != stats::Bound::none) out["bound"] = estimate.bound == stats::Bound::lower ? "lower" : "upper";
}

[[nodiscard]] std::string fixed(double value, int digits) {
  std::ostringstream out;
  out << std::showpos << std::fixed << std::setprecision(digits) << value;
  return out.str();
}

[[nodiscard]] std::string text_of(const stats::Estimate& estimate) {
  if (!estimate.value)
    return estimate.bound == stats::Bound::lower   ? "no upper bound (all points won)"
           : estimate.bound == stats::Bound::upper ? "no lower bound (no point won)"
                                                   : "unknown";
  return fixed(*estimate.value, 2) + (estimate.error ? " +- " + fixed(*estimate.error, 2).substr(1) : "");
}

int run_elo(const Arguments& arguments) {
  const Counts counts = read_counts(arguments);
  const stats::EloReport report = counts.games ? stats::elo_report(*counts.games) : stats::elo_report(*counts.pairs);
  if (!arguments.has("json")) {
    std::cout << "games      " << report.games << (report.pairs > 0 ? " in " + std::to_string(report.pairs) + " pairs" : "") << '\n';
    if (report.score) std::cout << "score      " << std::fixed << std::setprecision(4) << *report.score << '\n';
    std::cout << "Elo        " << text_of(report.elo) << "\nnormalised " << text_of(report.normalized_elo) << '\n';
    if (report.los) std::cout << "LOS        " << std::fixed << std::setprecision(4) << *report.los << '\n';
    if (report.draw_ratio) std::cout << "draws      " << std::fixed << std::setprecision(4) << *report.draw_ratio << '\n';
    return exit_done;
  }
  json::object out;
  put_estimate(out, "elo", report.elo);
  put_estimate(out, "nelo", report.normalized_elo);
  out["los"] = number_or_null(report.los);
  out["score"] = number_or_null(report.score);
  out["games"] = report.games;
  out["pairs"] = report.pairs;
  out["draw_ratio"] = number_or_null(report.draw_ratio);
  json::array pentanomial;
  if (counts.pairs) {
    for (const double n : stats::distribution(*counts.pairs).counts) pentanomial.push_back(static_cast<std::int64_t>(n));
  }
  out["ptnml"] = pentanomial;
  std::cout << json::serialize(out) << '\n';
  return exit_done;
}

int run_sprt(const Arguments& arguments) {
  const Counts counts = read_counts(arguments);
  stats::SprtParameters parameters;
  if (const auto model = arguments.value("model")) parameters.model = *stats::parse_elo_model(*model);
  parameters.elo0 = arguments.number("elo0").value_or(parameters.elo0);
  parameters.elo1 = arguments.number("elo1").value_or(parameters.elo1);
  parameters.alpha = arguments.number("alpha").value_or(parameters.alpha);
  parameters.beta = arguments.number("beta").value_or(parameters.beta);
  if (parameters.elo0 >= parameters.elo1) throw UsageError("option --elo0 must be below --elo1");
  for (const double risk : {parameters.alpha, parameters.beta}) {
    if (risk <= 0 || risk >= 0.5) throw UsageError("options --alpha and --beta are risks (expected above 0 and below 0.5)");
  }
  if (parameters.model == stats::EloModel::bayesian && counts.pairs && !counts.pairs->level_pairs_told_apart) {
    throw UsageError("the bayesian model counts games: five pair numbers do not tell draws from exchanged wins (expected six, or --wdl)");
  }
  const stats::SprtReport report = counts.games ? stats::sprt(*counts.games, parameters) : stats::sprt(*counts.pairs, parameters);
  const std::int64_t pairs = counts.pairs ? counts.pairs->pairs() : counts.games->games() / 2;
  std::optional<double> pairs_left = report.expected_trials_left;
  if (pairs_left && counts.games) *pairs_left /= 2;
  if (!arguments.has("json")) {
    std::cout << "LLR   " << fixed(report.llr, 4) << " in (" << fixed(report.lower, 3) << ", " << fixed(report.upper, 3) << "), "
              << stats::name(parameters.model) << " Elo [" << parameters.elo0 << ", " << parameters.elo1 << "]\nstate "
              << stats::name(report.state) << '\n';
    if (report.state == stats::SprtState::undecided && pairs_left) {
      std::cout << "about " << std::llround(*pairs_left) << " more pairs if play goes on as it went\n";
    }
    return exit_done;
  }
  std::cout << json::serialize(json::object{{"llr", report.llr},
                                            {"lower", report.lower},
                                            {"upper", report.upper},
                                            {"state", std::string(stats::name(report.state))},
                                            {"pairs", pairs},
                                            {"expected_pairs_left", number_or_null(pairs_left)},
                                            {"model", std::string(stats::name(parameters.model))}})
            << '\n';
  return exit_done;
}

const OptionDefinition wdl_option{"wdl", "", "the numbers are wins, draws and losses of the first player", false, {}};
const OptionDefinition pairs_option{
    "pairs", "", "the numbers are pairs of games: LL LD WL DD WD WW (five numbers when WL and DD are one)", false, {}};
const OptionDefinition json_option{"json", "", "JSON alone on standard output", false, {}};

}  // namespace

CommandDefinition elo_command() {
  return {"elo",
          "Elo, normalised Elo and likelihood of superiority from counts",
          "NUMBER...",
          "Errors are half the 95 % interval. A clean sweep has no finite Elo: it is given as a bound.",
          {wdl_option, pairs_option, json_option},
          {"referee elo --wdl 520 1010 470", "referee elo --pairs 365 16618 36029 200 16974 390 --json"},
          run_elo,
          false};
}

CommandDefinition sprt_command() {
  return {"sprt",
          "sequential probability ratio test from counts",
          "NUMBER...",
          "Decides between two Elo hypotheses on the scale of the model. An outcome not yet seen counts as a thousandth of one.",
          {wdl_option,
           pairs_option,
           {"model", "MODEL", "scale of the Elo bounds, default normalized", false, {"logistic", "normalized", "bayesian"}},
           {"elo0", "ELO", "hypothesis H0, default 0", false, {}},
           {"elo1", "ELO", "hypothesis H1, default 2", false, {}},
           {"alpha", "RISK", "of accepting H1 wrongly, default 0.05", false, {}},
           {"beta", "RISK", "of accepting H0 wrongly, default 0.05", false, {}},
           json_option},
          {"referee sprt --pairs 365 16618 36029 200 16974 390 --elo0 0 --elo1 2"},
          run_sprt,
          false};
}

}  // namespace referee::cli
