// `elo` and `sprt`: statistics of a match, from counts or from its games.
#include <algorithm>
#include <cmath>
#include <iostream>

#include "referee/cli/json_text.hpp"
#include "referee/cli/match_results.hpp"
#include "referee/cli/registry.hpp"
#include "referee/stats/table.hpp"

namespace referee::cli {

namespace {

namespace json = boost::json;
using stats::fixed;

constexpr std::size_t openings_shown = 20;

[[nodiscard]] std::string with_sign(double value, int decimals) {
  const std::string text = fixed(value, decimals);
  return text.starts_with('-') ? text : "+" + text;
}

[[nodiscard]] std::string in_words(const stats::GameCounts& counts) {
  return "+" + std::to_string(counts.wins) + " =" + std::to_string(counts.draws) + " -" + std::to_string(counts.losses);
}

void print_details(const GameDetails& details, bool openings) {
  std::cout << "as White   " << in_words(details.as_white) << "\nas Black   " << in_words(details.as_black) << '\n';
  if (!details.reasons.empty()) {
    std::cout << "endings   ";
    std::vector<std::pair<std::string, std::int64_t>> reasons(details.reasons.begin(), details.reasons.end());
    std::stable_sort(reasons.begin(), reasons.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    for (std::size_t i = 0; i < reasons.size(); ++i) std::cout << (i > 0 ? ", " : " ") << reasons[i].first << ' ' << reasons[i].second;
    std::cout << '\n';
  }
  if (!openings || details.openings.empty()) return;
  using Align = stats::Column::Align;
  stats::Table table{{{"opening", Align::left},
                      {"games", Align::right},
                      {"won", Align::right},
                      {"drawn", Align::right},
                      {"lost", Align::right},
                      {"score %", Align::right}},
                     {}};
  std::vector<std::pair<std::string, stats::GameCounts>> rows(details.openings.begin(), details.openings.end());
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.second.games() > b.second.games(); });
  for (std::size_t i = 0; i < std::min(rows.size(), openings_shown); ++i) {
    const auto& [opening, counts] = rows[i];
    const double points = static_cast<double>(counts.wins) + static_cast<double>(counts.draws) / 2;
    table.rows.push_back({opening, std::to_string(counts.games()), std::to_string(counts.wins), std::to_string(counts.draws),
                          std::to_string(counts.losses), fixed(100 * points / static_cast<double>(counts.games()), 1)});
  }
  std::cout << '\n' << stats::to_text(table);
  if (rows.size() > openings_shown) std::cout << "and " << rows.size() - openings_shown << " more openings\n";
}

int run_elo(const Arguments& arguments) {
  const MatchResults results = read_match_results(arguments);
  const stats::EloReport report = results.games ? stats::elo_report(*results.games) : stats::elo_report(*results.pairs);
  write_chart(arguments, results, std::nullopt);
  if (!arguments.has("json")) {
    if (results.details) {
      std::cout << "engine     " << results.details->engine << "\nagainst    "
                << (results.details->against.empty() ? "all others" : results.details->against) << '\n';
    }
    std::cout << "games      " << report.games << (report.pairs > 0 ? " in " + std::to_string(report.pairs) + " pairs" : "") << '\n';
    if (report.score) std::cout << "score      " << fixed(*report.score, 4) << '\n';
    std::cout << "Elo        " << stats::to_text(report.elo, 2) << "\nnormalised " << stats::to_text(report.normalized_elo, 2) << '\n';
    if (report.los) std::cout << "LOS        " << fixed(*report.los, 4) << '\n';
    if (report.draw_ratio) std::cout << "draws      " << fixed(*report.draw_ratio, 4) << '\n';
    if (results.pairs) {
      const auto& p = *results.pairs;
      std::cout << "pairs      LL " << p.loss_loss << ", LD " << p.loss_draw << ", WL " << p.win_loss << ", DD " << p.draw_draw << ", WD "
                << p.win_draw << ", WW " << p.win_win << '\n';
    }
    if (results.details) print_details(*results.details, arguments.has("openings"));
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
  if (results.pairs) {
    for (const double n : stats::distribution(*results.pairs).counts) pentanomial.push_back(static_cast<std::int64_t>(n));
  }
  out["ptnml"] = pentanomial;
  put_details(out, results);
  std::cout << json_text(out) << '\n';
  return exit_done;
}

[[nodiscard]] stats::SprtParameters read_parameters(const Arguments& arguments) {
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
  return parameters;
}

struct Verdict {
  stats::SprtReport report;
  std::int64_t pairs = 0;
  std::optional<std::int64_t> decided_after;  // pairs or games
};

/// With games in order the test is what it was at its first crossing of a bound: what was played later does not undo it.
[[nodiscard]] Verdict judge(const MatchResults& results, const stats::SprtParameters& parameters) {
  Verdict out;
  out.report = results.games ? stats::sprt(*results.games, parameters) : stats::sprt(*results.pairs, parameters);
  out.pairs = results.pairs ? results.pairs->pairs() : results.games->games() / 2;
  if (!results.details) return out;
  std::vector<stats::Trial> trials = results.pairs ? results.details->pairs : results.details->games;
  if (results.pairs && results.details->pairs_without_gap < trials.size()) {
    // Later pairs wait until the one that is still being played has ended: else the verdict would depend on the order of ends.
    trials.resize(results.details->pairs_without_gap);
    stats::PairCounts counts;
    for (const stats::Trial trial : trials) stats::add(counts, trial);
    out.report = stats::sprt(counts, parameters);
    out.pairs = counts.pairs();
  }
  if (const auto decision = stats::first_decision(trials, parameters)) {
    out.report = decision->report;
    out.decided_after = static_cast<std::int64_t>(decision->trials);
    out.pairs = results.pairs ? *out.decided_after : *out.decided_after / 2;
  }
  return out;
}

int run_sprt(const Arguments& arguments) {
  const stats::SprtParameters parameters = read_parameters(arguments);
  const MatchResults results = read_match_results(arguments);
  if (parameters.model == stats::EloModel::bayesian && results.pairs && !results.pairs->level_pairs_told_apart) {
    throw UsageError("the bayesian model counts games: five pair numbers do not tell draws from exchanged wins (expected six, or --wdl)");
  }
  const Verdict verdict = judge(results, parameters);
  const stats::SprtReport& report = verdict.report;
  write_chart(arguments, results, parameters);
  std::optional<double> pairs_left = report.expected_trials_left;
  if (pairs_left && results.games) *pairs_left /= 2;
  if (!arguments.has("json")) {
    std::cout << "LLR   " << with_sign(report.llr, 4) << " in (" << with_sign(report.lower, 3) << ", " << with_sign(report.upper, 3)
              << "), " << stats::name(parameters.model) << " Elo [" << parameters.elo0 << ", " << parameters.elo1 << "]\nstate "
              << stats::words(report.state) << '\n';
    if (verdict.decided_after) std::cout << "decided after " << *verdict.decided_after << (results.pairs ? " pairs" : " games") << '\n';
    // Steps so small that they end on the bound, as far as these digits show, need no word.
    if (report.lower_corrected && (with_sign(*report.lower_corrected, 3) != with_sign(report.lower, 3) ||
                                   with_sign(*report.upper_corrected, 3) != with_sign(report.upper, 3)))
      std::cout << "bounds corrected for overshoot (" << with_sign(*report.lower_corrected, 3) << ", "
                << with_sign(*report.upper_corrected, 3) << ")\n";
    const std::string left = report.state == stats::SprtState::undecided ? stats::pairs_left_text(pairs_left) : "";
    if (!left.empty()) std::cout << left << " if play goes on as it went\n";
    return exit_done;
  }
  json::object out{{"llr", report.llr},
                   {"lower", report.lower},
                   {"upper", report.upper},
                   {"state", std::string(stats::name(report.state))},
                   {"pairs", verdict.pairs},
                   {"expected_pairs_left", number_or_null(pairs_left)},
                   {"model", std::string(stats::name(parameters.model))},
                   {"elo0", parameters.elo0},
                   {"elo1", parameters.elo1},
                   {"lower_corrected", number_or_null(report.lower_corrected)},
                   {"upper_corrected", number_or_null(report.upper_corrected)},
                   {"decided_after", verdict.decided_after ? json::value(*verdict.decided_after) : json::value(nullptr)}};
  put_details(out, results);
  std::cout << json_text(out) << '\n';
  return exit_done;
}

}  // namespace

CommandDefinition elo_command() {
  CommandDefinition command;
  command.name = "elo";
  command.summary = "Elo, normalised Elo and likelihood of superiority of a match";
  command.positional = "FILE... | NUMBER...";
  command.description =
      "From PGN files (plain, .gz) and journals, or from numbers. Games of a pair (the plan's in a journal; in PGN those that share an "
      "opening, else a round, with "
      "colours swapped) are counted as pairs when nearly all games are in one. Errors are half the 95 % interval. A clean sweep has no "
      "finite Elo: it is given as "
      "a bound.";
  command.options = match_result_options();
  command.options.insert(command.options.end() - 1, {"openings", "", "list the score by opening", false, {}});
  command.examples = {"referee elo results/match.sqlite --chart elo.svg", "referee elo games.pgn.gz --engine New --against Old --json",
                      "referee elo --wdl 520 1010 470", "referee elo --pairs 365 16618 36029 200 16974 390 --json"};
  command.run = run_elo;
  return command;
}

CommandDefinition sprt_command() {
  CommandDefinition command;
  command.name = "sprt";
  command.summary = "sequential probability ratio test of a match";
  command.positional = "FILE... | NUMBER...";
  command.description =
      "Decides between two Elo hypotheses on the scale of the model, from files or numbers as `elo` does. Of files the test ends at the "
      "first pair (in the plan's "
      "order) at which a bound was reached. An outcome not yet seen counts as a thousandth of one. The corrected bounds take into account "
      "that the ratio moves in "
      "steps.";
  command.options = {{"model", "MODEL", "scale of the Elo bounds, default normalized", false, {"logistic", "normalized", "bayesian"}},
                     {"elo0", "ELO", "hypothesis H0, default 0", false, {}},
                     {"elo1", "ELO", "hypothesis H1, default 2", false, {}},
                     {"alpha", "RISK", "of accepting H1 wrongly, default 0.05", false, {}},
                     {"beta", "RISK", "of accepting H0 wrongly, default 0.05", false, {}}};
  for (OptionDefinition& option : match_result_options()) command.options.push_back(std::move(option));
  command.examples = {"referee sprt --pairs 365 16618 36029 200 16974 390 --elo0 0 --elo1 2",
                      "referee sprt results/match.sqlite --elo0 0 --elo1 5 --chart llr.svg"};
  command.run = run_sprt;
  return command;
}

}  // namespace referee::cli
