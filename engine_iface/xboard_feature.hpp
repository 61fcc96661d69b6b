// Features and options that XBoard engines declare (PROTOCOLS 1.2, 1.3).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine_iface/protocol.hpp"

namespace referee::engine {

struct XboardSetting {
  std::string name, value;
};
/// `text` is what follows the word `feature`: NAME=VALUE pairs, values bare or in double quotes. What is no pair is skipped.
[[nodiscard]] std::vector<XboardSetting> parse_features(std::string_view text);

/// The value of an `option` feature: "NAME -type ...", split at the first ` -type ` that is known, as names hold blanks. Types are told as
/// button, save, reset, check, string, file, path, spin, slider, combo. nullopt = not in the form.
///
///   parse_xboard_option("Contempt -spin 0 -100 100")
[[nodiscard]] std::optional<EngineIdentity::DeclaredOption> parse_xboard_option(std::string_view text);

/// What the engine has asked for; every default is the protocol's, so an engine of version 1 has them all.
struct XboardFeatures {
  bool ping = false, setboard = false, playother = false, san = false, usermove = false;
  bool time = true, draw = true, sigint = true, sigterm = true, reuse = true, analyze = true, colors = true;
  bool ics = false, name = false, pause = false, debug = false, memory = false, smp = false, exclude = false, setscore = false,
       highlight = false;
  std::optional<bool> nps;
  std::optional<std::string> variants;  // as listed; unset = all
  std::string endgame_tables;           // formats, comma-separated

  /// False = not known or not in its form: to be rejected. `option`, `done` and `myname` are not dealt with here.
  [[nodiscard]] bool set(const XboardSetting& setting);
  /// Is the variant listed (a board-size prefix is looked through)?
  [[nodiscard]] bool plays(std::string_view variant) const noexcept;
};

}  // namespace referee::engine
