// Editions of the Laws from config/editions/*.yaml (built into the binary) or from a user's file that may extend one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "config/error.hpp"
#include "referee/laws/edition.hpp"

namespace referee::config {

/// Ids of the editions and practice presets that ship, in order of age.
[[nodiscard]] const std::vector<std::string>& edition_ids();
/// `id_or_path`: an id, or a path (contains a slash or ends in .yaml) relative to `base_folder`. Throws ConfigException that lists the ids.
[[nodiscard]] std::shared_ptr<const laws::Edition> load_edition(const std::string& id_or_path, const std::string& base_folder = ".");
/// Throws ConfigException. `extends: fide-2023` takes over every key the text does not give.
[[nodiscard]] std::shared_ptr<const laws::Edition> parse_edition(const std::string& yaml, const std::string& file_name);

/// The whole edition, with nothing left to another file: parse_edition() reads it back to the same value.
[[nodiscard]] std::string to_yaml(const laws::Edition& edition);

}  // namespace referee::config
