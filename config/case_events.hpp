// The kinds of events of rule cases, read from YAML; part of rule_cases.
#pragma once

#include <string>

#include "config/rule_cases.hpp"
#include "config/yaml.hpp"

namespace referee::config {

/// Throws ConfigException.
[[nodiscard]] CaseEvent read_case_event(const YamlValue& value, const std::string& file);

// Words and values that events and expectations share.
[[nodiscard]] Color read_color(const YamlValue& value, const std::string& file);
/// Milliseconds with decimals; may be negative (time used inside a margin).
[[nodiscard]] clock::Duration read_milliseconds(const YamlValue& value, const std::string& file);
[[nodiscard]] ClockTimes read_clock_times(const YamlValue& value, const std::string& file);
[[nodiscard]] ByColor read_by_color(const YamlValue& value, const std::string& file);

}  // namespace referee::config
