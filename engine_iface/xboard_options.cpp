// XboardProtocol: the user's options, told by `option`, `memory`, `cores` and `egtpath` (PROTOCOLS 1.3).
#include <variant>
#include <vector>

#include "engine_iface/text.hpp"
#include "engine_iface/uci_option.hpp"
#include "engine_iface/xboard.hpp"

namespace referee::engine {

void XboardProtocol::send_user_options(Effects& out) {
  // Options go before memory and cores; a -save button wants all others sent before it.
  std::vector<const EngineOption*> last;
  std::vector<std::string> unknown;
  for (const auto& wanted : settings_.options) {
    const auto* declared = find_option(identity_, wanted.name);
    if (declared == nullptr || declared->type == "save") {
      last.push_back(&wanted);
      continue;
    }
    if (!send_option(wanted, out)) unknown.push_back(wanted.name);
  }
  for (const auto* wanted : last) {
    if (!send_option(*wanted, out)) unknown.push_back(wanted->name);
  }
  complain_of_options(unknown, out);
}

/// False if there is no way to say it; a refused value is complained of here.
bool XboardProtocol::send_option(const EngineOption& wanted, Effects& out) {
  if (const auto* declared = find_option(identity_, wanted.name); declared != nullptr) {
    const auto checked = checked_option_value(*declared, wanted.value);
    if (const auto* refused = std::get_if<RefusedValue>(&checked)) {
      complain("option " + declared->name + " = " + wanted.value + " " + refused->reason + "; it is not set", out);
      return true;
    }
    out.to_send.append("option ").append(declared->name);
    if (declared->type != "button" && declared->type != "save") {
      const auto& value = std::get<std::string>(checked);
      out.to_send.append("=").append(declared->type == "check" ? (value == "true" ? "1" : "0") : value);
    }
    out.to_send += '\n';
    return true;
  }
  // What UCI engines call Hash and Threads has commands of its own here.
  const auto number_command = [&](std::string_view command) {
    const auto number = parse_integer<int>(trimmed(wanted.value));
    if (!number || *number < 1) {
      complain("option " + wanted.name + " = " + wanted.value + " must be a whole number above 0; it is not set", out);
      return;
    }
    out.to_send.append(command).append(" ").append(std::to_string(*number)).append("\n");
  };
  if (features_.memory && (equal_ignoring_case(wanted.name, "Hash") || equal_ignoring_case(wanted.name, "memory"))) {
    number_command("memory");
    return true;
  }
  if (features_.smp && (equal_ignoring_case(wanted.name, "Threads") || equal_ignoring_case(wanted.name, "cores"))) {
    number_command("cores");
    return true;
  }
  if (wanted.name.size() > 8 && equal_ignoring_case(std::string_view(wanted.name).substr(0, 8), "egtpath ")) {
    const auto format = trimmed(std::string_view(wanted.name).substr(8));
    if ((',' + features_.endgame_tables + ',').find(',' + std::string(format) + ',') == std::string::npos) return false;
    out.to_send.append("egtpath ").append(format).append(" ").append(wanted.value).append("\n");
    return true;
  }
  return false;
}

}  // namespace referee::engine
