// By which other paths can a file be reached? Bind mounts give a folder further names that no symbolic link tells of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace referee::engine {

struct Mount {
  std::string device;      // "8:1"
  std::string root;        // what of that file system is mounted
  std::string mounted_on;  // absolute
  std::string type;        // of the file system: "ext4"
};

/// From the text of /proc/PID/mountinfo (proc(5)), in its order; lines that cannot be read are passed over.
[[nodiscard]] std::vector<Mount> read_mounts(std::string_view mountinfo);
[[nodiscard]] std::vector<Mount> mounts_of_this_process();

/// Other names of `path` (absolute, without links): of itself, or of a part of it that is mounted somewhere by itself. What another mount
/// lies over is none.
[[nodiscard]] std::vector<std::string> other_names(const std::vector<Mount>& mounts, const std::string& path);

}  // namespace referee::engine
