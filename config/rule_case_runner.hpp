// Plays a rule case on the judge, in every edition it names, and compares what was ruled with what is right.
//
//   for (const CaseResult& result : run_rule_case(rule_case, "matches/cases")) if (!result.pass) ...
#pragma once

#include <string>
#include <vector>

#include "config/rule_cases.hpp"

namespace referee::config {

/// One thing the case expects: a key of its expectation, and what came of it.
struct CaseField {
  std::string name;
  std::string expected;
  std::string ruled;  // "" = nothing
  bool holds = false;
};

/// One event put to the judge, in words, with its rulings and their articles.
struct CaseStep {
  std::string event;
  std::vector<std::string> rulings;
};

struct CaseResult {
  std::string id;
  std::string edition;
  bool pass = false;
  std::vector<CaseField> fields;
  std::string problem;  // why the case could not be run; empty otherwise
  std::string start;    // diagram of the position in which the event happens
  std::string start_fen;
  std::vector<CaseStep> steps;
  std::string end;  // diagram afterwards, where the position changed
};

/// One result an edition named, in the order of the file. `only_edition`: no other than this; empty = all. Editions that are files are
/// looked up from `base_folder`. Never throws for what is wrong in the case: that is a result with a `problem`.
[[nodiscard]] std::vector<CaseResult> run_rule_case(const RuleCase& rule_case, const std::string& base_folder,
                                                    const std::string& only_edition = {});

}  // namespace referee::config
