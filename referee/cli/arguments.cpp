#include <algorithm>
#include <boost/program_options.hpp>
#include <charconv>
#include <cmath>

#include "referee/cli/command.hpp"

namespace referee::cli {

namespace po = boost::program_options;

namespace {

[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

[[nodiscard]] const OptionDefinition* find_option(const CommandDefinition& command, std::string_view name) {
  const auto found = std::find_if(command.options.begin(), command.options.end(), [&](const auto& option) { return option.name == name; });
  return found == command.options.end() ? nullptr : &*found;
}

[[nodiscard]] std::string quoted_list(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

[[nodiscard]] std::string unknown_option_message(const CommandDefinition& command, const std::string& token) {
  const std::string written = token.substr(0, token.find('='));
  const std::string name = written.substr(std::min(written.find_first_not_of('-'), written.size()));
  std::vector<std::string> names{"help"};
  for (const auto& option : command.options) names.push_back(option.name);
  std::string message = "unknown option " + written;
  if (const auto guess = nearest(name, names)) message += " (did you mean --" + *guess + "?)";
  return message + "; see `referee " + command.name + " --help`";
}

/// A value that was given as `--switch=value`, or a dash that Program_options would read as an option.
[[nodiscard]] po::options_description describe(const CommandDefinition& command) {
  po::options_description description;
  auto add = description.add_options();
  add("help", "");
  for (const auto& option : command.options) {
    if (option.name == "help") continue;
    if (option.argument.empty()) {
      add(option.name.c_str(), "");
    } else {
      add(option.name.c_str(), po::value<std::vector<std::string>>()->composing(), "");
    }
  }
  return description;
}

}  // namespace

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& names) {
  const std::size_t limit = std::max<std::size_t>(1, word.size() / 3);
  std::optional<std::string> best;
  std::size_t best_distance = limit + 1;
  for (const auto& name : names) {
    // A beginning of the name is a guess as good as one wrong letter.
    const bool begins = word.size() >= 2 && std::string_view(name).substr(0, word.size()) == word;
    const std::size_t distance = begins ? 1 : edit_distance(word.substr(0, 64), std::string_view(name).substr(0, 64));
    if (distance < best_distance) {
      best_distance = distance;
      best = name;
    }
  }
  return best;
}

Arguments parse_arguments(const CommandDefinition& command, const std::vector<std::string>& words) {
  Arguments arguments;
  std::vector<std::string> own = words;
  if (const auto dashes = std::find(own.begin(), own.end(), "--"); dashes != own.end()) {
    arguments.rest_.assign(dashes + 1, own.end());
    own.erase(dashes, own.end());
    if (!command.takes_rest) {
      // Elsewhere `--` only ends the options: what follows are operands, whatever they begin with.
      arguments.operands_ = std::move(arguments.rest_);
      arguments.rest_.clear();
    }
  }

  // The engine's own arguments must never be read as ours: with takes_rest everything from the first operand on is left alone.
  po::options_description description = describe(command);
  po::positional_options_description positional;
  positional.add("operands", -1);
  description.add_options()("operands", po::value<std::vector<std::string>>(), "");
  namespace style = po::command_line_style;
  const int strict = style::allow_long | style::long_allow_adjacent | style::long_allow_next;

  try {
    const auto parsed = po::command_line_parser(own).options(description).positional(positional).style(strict).allow_unregistered().run();
    std::vector<std::string> operands;
    for (const auto& option : parsed.options) {
      if (option.position_key >= 0) {
        operands.insert(operands.end(), option.value.begin(), option.value.end());
        continue;
      }
      if (option.unregistered) {
        throw UsageError(
            unknown_option_message(command, option.original_tokens.empty() ? "--" + option.string_key : option.original_tokens.front()));
      }
      const OptionDefinition* definition = find_option(command, option.string_key);
      auto& values = arguments.options_[option.string_key];
      if (definition == nullptr || definition->argument.empty()) {
        if (values.empty()) values.emplace_back();
        continue;
      }
      if (!values.empty() && !definition->repeatable) throw UsageError("option --" + option.string_key + " is given more than once");
      for (const auto& value : option.value) {
        if (!definition->choices.empty() &&
            std::find(definition->choices.begin(), definition->choices.end(), value) == definition->choices.end()) {
          throw UsageError("option --" + option.string_key + ": '" + value + "' is not known (expected one of " +
                           quoted_list(definition->choices) + ")");
        }
        values.push_back(value);
      }
    }
    arguments.operands_.insert(arguments.operands_.begin(), operands.begin(), operands.end());
  } catch (const po::error_with_option_name& error) {
    throw UsageError(std::string(error.what()) + "; see `referee " + command.name + " --help`");
  } catch (const po::error& error) { throw UsageError(std::string(error.what()) + "; see `referee " + command.name + " --help`"); }
  for (const auto& operand : arguments.operands_) {
    if (operand.size() > 1 && operand.front() == '-' && operand[1] != '-' && std::find(words.begin(), words.end(), "--") == words.end()) {
      throw UsageError(unknown_option_message(command, operand));
    }
  }
  return arguments;
}

bool Arguments::has(std::string_view option) const { return options_.find(option) != options_.end(); }

std::optional<std::string> Arguments::value(std::string_view option) const {
  const auto found = options_.find(option);
  if (found == options_.end() || found->second.empty()) return std::nullopt;
  return found->second.front();
}

std::vector<std::string> Arguments::values(std::string_view option) const {
  const auto found = options_.find(option);
  return found == options_.end() ? std::vector<std::string>{} : found->second;
}

std::optional<long long> Arguments::integer(std::string_view option, long long at_least, long long at_most) const {
  const auto text = value(option);
  if (!text) return std::nullopt;
  long long number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc{} || end != text->data() + text->size() || number < at_least || number > at_most) {
    throw UsageError("option --" + std::string(option) + ": '" + *text + "' (expected a whole number from " + std::to_string(at_least) +
                     " to " + std::to_string(at_most) + ")");
  }
  return number;
}

std::optional<double> Arguments::number(std::string_view option) const {
  const auto text = value(option);
  if (!text) return std::nullopt;
  double number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc{} || end != text->data() + text->size() || !std::isfinite(number)) {
    throw UsageError("option --" + std::string(option) + ": '" + *text + "' (expected a number)");
  }
  return number;
}

}  // namespace referee::cli
