// Help, man page and completions, all made from the command definitions.
#include <algorithm>

#include "referee/cli/command.hpp"

namespace referee::cli {

namespace {

constexpr std::string_view version = REFEREE_VERSION;
constexpr std::string_view purpose = "launches chess engines, enforces the Laws of Chess, keeps the clocks and the record";

[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string out;
  std::size_t column = 0;
  const std::string margin(indent, ' ');
  std::size_t i = 0;
  while (i < text.size()) {
    if (text[i] == '\n') {
      out += '\n';
      column = 0;
      ++i;
      continue;
    }
    if (text[i] == ' ') {
      ++i;
      continue;
    }
    const std::size_t end = std::min(text.find_first_of(" \n", i), text.size());
    const std::size_t length = end - i;
    if (column == 0) {
      out += margin;
      column = indent;
    } else if (column + 1 + length > width) {
      out += '\n' + margin;
      column = indent;
    } else {
      out += ' ';
      ++column;
    }
    out.append(text.substr(i, length));
    column += length;
    i = end;
  }
  if (out.empty() || out.back() != '\n') out += '\n';
  return out;
}

[[nodiscard]] std::string synopsis(const CommandDefinition& command) {
  std::string text = "referee " + command.name;
  if (!command.options.empty()) text += " [OPTIONS]";
  if (!command.positional.empty()) text += " " + command.positional;
  return text;
}

[[nodiscard]] std::string option_head(const OptionDefinition& option) {
  return "--" + option.name + (option.argument.empty() ? "" : " " + option.argument);
}

[[nodiscard]] std::string option_help(const OptionDefinition& option) {
  std::string help = option.help;
  if (!option.choices.empty()) {
    std::string list;
    for (const auto& choice : option.choices) list += (list.empty() ? "" : ", ") + choice;
    help += " (" + list + ")";
  }
  if (option.repeatable) help += " (may be given several times)";
  return help;
}

/// roff: a leading dot or quote would be a request, a backslash an escape, a hyphen a dash.
[[nodiscard]] std::string roff(std::string_view text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    line_start = c == '\n';
  }
  return out;
}

[[nodiscard]] std::vector<OptionDefinition> with_help(const CommandDefinition& command) {
  std::vector<OptionDefinition> options = command.options;
  if (std::none_of(options.begin(), options.end(), [](const auto& option) { return option.name == "help"; })) {
    options.push_back({"help", "", "print this help", false, {}});
  }
  return options;
}

[[nodiscard]] std::string shell_words(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

[[nodiscard]] std::string bash_completion() {
  std::vector<std::string> names;
  for (const auto& command : commands()) names.push_back(command.name);
  std::string out =
      "_referee() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} options=\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W '" +
      shell_words(names) + " --help --version' -- \"$word\")); return\n  fi\n  case ${COMP_WORDS[1]}:$previous in\n";
  for (const auto& command : commands()) {
    for (const auto& option : command.options) {
      if (!option.choices.empty()) {
        out += "    " + command.name + ":--" + option.name + ") COMPREPLY=($(compgen -W '" + shell_words(option.choices) +
               "' -- \"$word\")); return;;\n";
      }
    }
  }
  out += "  esac\n  case ${COMP_WORDS[1]} in\n";
  for (const auto& command : commands()) {
    std::vector<std::string> words;
    for (const auto& option : with_help(command)) words.push_back("--" + option.name);
    out += "    " + command.name + ") options='" + shell_words(words) + "';;\n";
  }
  out +=
      "  esac\n  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
      "  else COMPREPLY=($(compgen -f -- \"$word\")); fi\n}\ncomplete -o filenames -F _referee referee\n";
  return out;
}

[[nodiscard]] std::string single_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

[[nodiscard]] std::string zsh_completion() {
  std::string out = "#compdef referee\n_referee() {\n  local -a names\n  names=(\n";
  for (const auto& command : commands()) {
    std::string summary = command.summary;
    std::replace(summary.begin(), summary.end(), ':', ',');
    out += "    " + single_quoted(command.name + ":" + summary) + "\n";
  }
  out += "  )\n  if (( CURRENT == 2 )); then _describe command names; return; fi\n  case $words[2] in\n";
  for (const auto& command : commands()) {
    out += "    " + command.name + ") _arguments";
    for (const auto& option : with_help(command)) {
      std::string help = option.help;
      for (char& c : help) {
        if (c == '[' || c == ']' || c == ':') c = ' ';
      }
      std::string spec = (option.repeatable ? "*--" : "--") + option.name + "[" + help + "]";
      if (!option.argument.empty()) {
        spec += ":" + option.argument + ":";
        spec += option.choices.empty() ? "_files" : "(" + shell_words(option.choices) + ")";
      }
      out += " " + single_quoted(spec);
    }
    out += " '*:file:_files';;\n";
  }
  return out + "  esac\n}\n_referee \"$@\"\n";
}

[[nodiscard]] std::string fish_completion() {
  std::string out;
  for (const auto& command : commands()) {
    out += "complete -c referee -n __fish_use_subcommand -a " + command.name + " -d " + single_quoted(command.summary) + "\n";
    for (const auto& option : with_help(command)) {
      out += "complete -c referee -n '__fish_seen_subcommand_from " + command.name + "' -l " + option.name;
      if (!option.argument.empty()) out += option.choices.empty() ? " -r" : " -x -a " + single_quoted(shell_words(option.choices));
      out += " -d " + single_quoted(option.help) + "\n";
    }
  }
  return out;
}

}  // namespace

std::string help_text(const CommandDefinition& command) {
  std::string out = "usage: " + synopsis(command) + "\n\n" + wrapped(command.summary, 0, 100);
  if (!command.description.empty()) out += "\n" + wrapped(command.description, 0, 100);
  out += "\noptions:\n";
  std::size_t column = 0;
  const auto options = with_help(command);
  for (const auto& option : options) column = std::max(column, option_head(option).size());
  column = std::min<std::size_t>(column, 26) + 4;
  for (const auto& option : options) {
    std::string line = "  " + option_head(option);
    const std::string help = wrapped(option_help(option), column, 100);
    if (line.size() + 2 <= column) {
      line.resize(column, ' ');
      out += line + help.substr(column);
    } else {
      out.append(line).append("\n").append(help);
    }
  }
  if (!command.examples.empty()) {
    out += "\nexamples:\n";
    for (const auto& example : command.examples) out += "  " + example + "\n";
  }
  return out;
}

std::string overview_text() {
  std::string out = "referee " + std::string(version) + ": " + std::string(purpose) + "\n\nusage: referee COMMAND [OPTIONS] [OPERANDS]\n\n";
  std::size_t column = 0;
  for (const auto& command : commands()) column = std::max(column, command.name.size());
  for (const auto& command : commands()) {
    std::string line = "  " + command.name;
    line.resize(column + 4, ' ');
    out += line + command.summary + '\n';
  }
  return out + "\n`referee COMMAND --help` tells the options; `referee --version` the version.\n";
}

std::string man_page() {
  std::string out = ".TH REFEREE 1 \"\" \"referee " + std::string(version) + "\" \"User commands\"\n.SH NAME\nreferee \\- " +
                    roff(purpose) + "\n.SH SYNOPSIS\n.B referee\n.I COMMAND\n[OPTIONS] [OPERANDS]\n.SH COMMANDS\n";
  for (const auto& command : commands()) {
    out += ".SS " + roff(synopsis(command)) + "\n" + roff(command.summary) + ".\n";
    if (!command.description.empty()) out += ".PP\n" + roff(command.description) + "\n";
    for (const auto& option : with_help(command)) {
      out += ".TP\n.B " + roff(option_head(option)) + "\n" + roff(option_help(option)) + "\n";
    }
    if (!command.examples.empty()) {
      out += ".PP\nExamples:\n.nf\n";
      for (const auto& example : command.examples) out += roff(example) + "\n";
      out += ".fi\n";
    }
  }
  out +=
      ".SH EXIT STATUS\n0 done; 1 the work found a fault; 2 bad usage or configuration; 130 and 143 stopped by a signal, resumable.\n"
      ".SH FILES\nA match file (YAML) describes a match; its journal (SQLite) is the record of it.\n";
  return out;
}

std::string completion_script(std::string_view shell) {
  if (shell == "bash") return bash_completion();
  if (shell == "zsh") return zsh_completion();
  if (shell == "fish") return fish_completion();
  throw UsageError("no completion for '" + std::string(shell) + "' (expected bash, zsh or fish)");
}

}  // namespace referee::cli
