#include "engine_iface/mounts.hpp"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <sstream>

#include "engine_iface/path_text.hpp"

namespace referee::engine {

namespace {

/// Blanks, tabs, line ends and backslashes stand as \040 and so on.
std::string without_escapes(std::string_view text) {
  constexpr std::size_t digits = 3;
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view code = text.substr(std::min(i + 1, text.size()), digits);
    const bool is_code =
        text[i] == '\\' && code.size() == digits && std::ranges::all_of(code, [](char digit) { return digit >= '0' && digit <= '7'; });
    plain += is_code ? static_cast<char>((code[0] - '0') * 64 + (code[1] - '0') * 8 + (code[2] - '0')) : text[i];
    if (is_code) i += digits;
  }
  return plain;
}

/// The mount that a path is seen through: the longest, and of those the last. nullptr if there is none.
const Mount* mount_of(const std::vector<Mount>& mounts, std::string_view path) {
  const Mount* found = nullptr;
  for (const Mount& mount : mounts) {
    if (covers(mount.mounted_on, path) && (found == nullptr || mount.mounted_on.size() >= found->mounted_on.size())) found = &mount;
  }
  return found;
}

}  // namespace

std::vector<Mount> read_mounts(std::string_view mountinfo) {
  std::vector<Mount> mounts;
  std::istringstream lines{std::string(mountinfo)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string number, parent, device, root, mounted_on;
    if (!(words >> number >> parent >> device >> root >> mounted_on)) continue;
    if (root.front() != '/' || mounted_on.front() != '/') continue;  // a namespace's file: "net:[4026531840]"
    // Behind a single "-", after any number of tags: the type.
    std::string word, type;
    while (words >> word && word != "-") {}
    words >> type;
    mounts.push_back({device, without_escapes(root), without_escapes(mounted_on), type});
  }
  return mounts;
}

std::vector<Mount> mounts_of_this_process() {
  std::ifstream file("/proc/self/mountinfo");
  return read_mounts(std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()));
}

std::vector<std::string> other_names(const std::vector<Mount>& mounts, const std::string& path) {
  std::vector<std::string> names;
  const Mount* own = mount_of(mounts, path);
  if (own == nullptr) return names;
  const std::string inside = moved(path, own->mounted_on, own->root);
  for (const Mount& other : mounts) {
    if (&other == own || other.device != own->device) continue;
    std::string name;
    if (covers(other.root, inside)) {
      name = moved(inside, other.root, other.mounted_on);
    } else if (covers(inside, other.root)) {
      name = other.mounted_on;
    } else {
      continue;
    }
    if (name != path && mount_of(mounts, name) == &other) names.push_back(std::move(name));
  }
  return names;
}

}  // namespace referee::engine
