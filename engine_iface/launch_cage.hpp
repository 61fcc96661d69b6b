// What an engine under `isolation: strict` sees of the file system: the system's folders read-only, a /tmp and a /dev of its own, its
// working folder, and what it was told of by name. Home folders, /run, /var and the match's records are not there. Part of the trampoline:
// it runs in the first process of the namespace, which needs CAP_SYS_ADMIN in it. Each function returns 0 or an errno.
//
// First the host's root moves aside, to /old in an empty file system; /new is built from it, and becomes the root when it is complete.
#pragma once

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "engine_iface/path_text.hpp"

namespace referee::engine::cage {

/// Absolute paths as the engine knows them; what does not exist is passed over.
using Paths = std::vector<std::string>;

struct Place {
  std::string target;  // in the engine's view
  std::string source;  // in the host's, without symbolic links
  enum class Right : std::uint8_t { read, write } right = Right::read;
  enum class Shown : std::uint8_t { here, with_the_system } shown = Shown::here;
};

struct Places {
  std::vector<Place> items;
  Paths hidden;     // without symbolic links
  std::string own;  // the folder that the engine may write
};

inline constexpr const char* system_folders[] = {"/usr",    "/bin", "/sbin", "/lib",       "/lib32",     "/lib64",
                                                 "/libx32", "/etc", "/opt",  "/nix/store", "/gnu/store", "/sys/devices/system"};

inline bool in_the_system(std::string_view path) {
  return std::any_of(std::begin(system_folders), std::end(system_folders), [path](const char* folder) { return covers(folder, path); });
}

/// Empty if there is no such file.
inline std::string real_path(const std::string& path) {
  char real[PATH_MAX];
  return realpath(path.c_str(), real) == nullptr ? std::string() : std::string(real);
}

inline int make_folders(const std::string& path) {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    if (mkdir(path.substr(0, slash).c_str(), 0755) != 0 && errno != EEXIST && errno != EROFS) return errno;
  }
  return mkdir(path.c_str(), 0755) == 0 || errno == EEXIST || errno == EROFS ? 0 : errno;
}

/// Something of the source's kind to mount on.
inline int make_target(const std::string& path, bool folder) {
  struct stat status {};
  if (stat(path.c_str(), &status) == 0) return 0;
  if (folder) return make_folders(path);
  if (const int error = make_folders(path.substr(0, path.rfind('/'))); error != 0) return error;
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) return errno;
  close(file);
  return 0;
}

inline int restrict_mount(const std::string& path, std::uint64_t attributes) {
  mount_attr change{};
  change.attr_set = attributes;
  return mount_setattr(AT_FDCWD, path.c_str(), AT_RECURSIVE, &change, sizeof change) == 0 ? 0 : errno;
}

inline int show(const std::string& source, const std::string& target, std::uint64_t attributes) {
  struct stat status {};
  // A link in a folder that is seen already: what it leads to is shown under its own name.
  if (lstat(target.c_str(), &status) == 0 && S_ISLNK(status.st_mode)) return 0;
  if (stat(source.c_str(), &status) != 0) return errno;
  if (const int error = make_target(target, S_ISDIR(status.st_mode)); error != 0) return error;
  if (mount(source.c_str(), target.c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0) return errno;
  return restrict_mount(target, attributes);
}

inline int mount_empty(const std::string& target, unsigned long flags, const char* options) {
  if (const int error = make_folders(target); error != 0) return error;
  return mount("tmpfs", target.c_str(), "tmpfs", MS_NOSUID | MS_NODEV | flags, options) == 0 ? 0 : errno;
}

/// The host's root goes to /old. Nothing has changed if this fails.
inline int step_aside() {
  constexpr const char* stage = "/tmp";
  if (mount("tmpfs", stage, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=4m") != 0) return errno;
  int error = restrict_mount(stage, MOUNT_ATTR_NOSUID);  // is there mount_setattr()?
  if (error == 0 && mkdir("/tmp/old", 0755) != 0) error = errno;
  if (error == 0 && syscall(SYS_pivot_root, stage, "/tmp/old") != 0) error = errno;
  if (error != 0) umount2(stage, MNT_DETACH);
  return error;
}

inline void add_place(Places& places, const std::string& target, const std::string& source, Place::Right right) {
  if (target == "/") return;
  const bool seen = right == Place::Right::read && in_the_system(target) && target == source;
  // A name in the system that leads elsewhere is a link of the system's.
  if (right == Place::Right::read && in_the_system(target) && target != source) return;
  places.items.push_back({target, source, right, seen ? Place::Shown::with_the_system : Place::Shown::here});
}

/// Under the name it is given by and under its real one. A link in the folder that the engine may write could be its own work, and is not
/// followed: what such a link led to before any engine ran is named by itself (match/engine_spec).
inline void add_path(Places& places, const std::string& path, Place::Right right = Place::Right::read) {
  const std::string real = real_path(path);
  if (real.empty()) return;
  if (!places.own.empty() && covers(places.own, path) && !covers(places.own, real)) return;
  add_place(places, real, real, right);
  if (path != real) add_place(places, path, real, right);
}

/// The folder that a program lies in; of the root folder the program alone.
inline void add_home_of(Places& places, const std::string& program) {
  const std::size_t slash = program.rfind('/');
  if (slash == std::string::npos) return;
  add_path(places, slash == 0 ? program : program.substr(0, slash));
}

/// The place is seen through an earlier one already, with the same rights.
inline bool is_seen(const Places& places, std::size_t index) {
  const Place& place = places.items[index];
  if (place.shown == Place::Shown::with_the_system) return true;
  for (std::size_t i = index; i-- > 0;) {
    const Place& earlier = places.items[i];
    if (!covers(earlier.target, place.target)) continue;  // the nearest one above counts: parents come first
    return moved(place.target, earlier.target, earlier.source) == place.source &&
           (earlier.right == Place::Right::write || place.right == Place::Right::read);
  }
  return false;
}

inline int show_system() {
  for (const char* folder : system_folders) {
    const std::string source = std::string("/old") + folder, target = std::string("/new") + folder;
    struct stat status {};
    if (lstat(source.c_str(), &status) != 0) continue;
    if (S_ISLNK(status.st_mode)) {
      char to[PATH_MAX] = {};
      if (readlink(source.c_str(), to, sizeof to - 1) < 0 || symlink(to, target.c_str()) != 0) return errno;
    } else if (const int error = show(source, target, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV); error != 0) {
      return error;
    }
  }
  return 0;
}

inline int make_devices() {
  if (const int error = mount_empty("/new/dev", MS_NOEXEC, "mode=755,size=64k"); error != 0) return error;
  for (const char* name : {"/null", "/zero", "/full", "/random", "/urandom"}) {
    if (const int error = show(std::string("/old/dev") + name, std::string("/new/dev") + name, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC);
        error != 0)
      return error;
  }
  struct Link {
    const char *to, *name;
  };
  for (const Link& link : {Link{"/proc/self/fd", "/new/dev/fd"}, Link{"/proc/self/fd/0", "/new/dev/stdin"},
                           Link{"/proc/self/fd/1", "/new/dev/stdout"}, Link{"/proc/self/fd/2", "/new/dev/stderr"}}) {
    if (symlink(link.to, link.name) != 0) return errno;
  }
  if (const int error = mount_empty("/new/dev/shm", MS_NOEXEC, "mode=1777,size=1g,nr_inodes=4k"); error != 0) return error;
  constexpr unsigned long sealed = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC;
  return mount(nullptr, "/new/dev", nullptr, sealed, nullptr) == 0 ? 0 : errno;
}

/// Where in the engine's view a file of the host's may be seen: under its own name, and wherever a place shows it.
inline Paths views_of(const Places& places, const std::string& path) {
  Paths views{path};
  for (const Place& place : places.items) {
    if (covers(place.source, path)) views.push_back(moved(path, place.source, place.target));
  }
  return views;
}

inline std::uint64_t attributes_of(const Place& place) {
  return MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | (place.right == Place::Right::write ? 0 : MOUNT_ATTR_RDONLY);
}

/// Over `folder` as it is seen at `path`: nothing but the places in it that the engine needs.
inline int cover_folder(const Places& places, const std::string& folder, const std::string& path) {
  if (mount("tmpfs", path.c_str(), "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=755,size=64k") != 0) return errno;
  for (const Place& place : places.items) {  // parents come first
    if (!covers(folder, place.source)) continue;
    if (const int error = show("/old" + place.source, path + place.source.substr(folder.size()), attributes_of(place)); error != 0)
      return error;
  }
  constexpr unsigned long sealed = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC;
  return mount(nullptr, path.c_str(), nullptr, sealed, nullptr) == 0 ? 0 : errno;
}

/// A device that cannot be opened over a file.
inline int cover_file(const std::string& path) {
  if (mount("/old/dev/null", path.c_str(), nullptr, MS_BIND, nullptr) != 0) return errno;
  return restrict_mount(path, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NODEV);
}

/// A folder that is itself what the engine needs stays.
inline int cover_hidden(const Places& places) {
  for (const std::string& hidden : places.hidden) {
    struct stat original {};
    if (stat(("/old" + hidden).c_str(), &original) != 0) continue;
    const bool folder = S_ISDIR(original.st_mode);
    const bool needed = std::any_of(places.items.begin(), places.items.end(), [&](const Place& place) { return place.source == hidden; });
    if (folder && needed) continue;
    for (const std::string& view : views_of(places, hidden)) {
      struct stat seen {};
      const std::string path = "/new" + view;
      // Another file: it is covered already, or was never shown.
      if (stat(path.c_str(), &seen) != 0 || seen.st_dev != original.st_dev || seen.st_ino != original.st_ino) continue;
      if (const int error = folder ? cover_folder(places, hidden, path) : cover_file(path); error != 0) return error;
    }
  }
  return 0;
}

inline int build(Places& places, const std::string& folder) {
  if (const int error = mount_empty("/new", 0, "mode=755,size=4m"); error != 0) return error;
  if (const int error = show_system(); error != 0) return error;
  for (const char* empty : {"/new/home", "/new/root", "/new/run", "/new/var"}) {
    if (mkdir(empty, 0755) != 0) return errno;
  }
  if (symlink("/tmp", "/new/var/tmp") != 0) return errno;
  if (const int error = mount_empty("/new/tmp", 0, "mode=1777,size=256m,nr_inodes=16k"); error != 0) return error;
  if (const int error = make_devices(); error != 0) return error;
  if (const int error = show("/old/proc", "/new/proc", MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC); error != 0) return error;

  std::stable_sort(places.items.begin(), places.items.end(),
                   [](const Place& a, const Place& b) { return a.target.size() < b.target.size(); });
  for (std::size_t i = 0; i < places.items.size(); ++i) {
    const Place& place = places.items[i];
    if (is_seen(places, i)) continue;
    if (const int error = show("/old" + place.source, "/new" + place.target, attributes_of(place)); error != 0) return error;
  }
  if (const int error = cover_hidden(places); error != 0) return error;
  if (mount(nullptr, "/new", nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, nullptr) != 0) return errno;

  if (chdir("/new") != 0 || syscall(SYS_pivot_root, ".", ".") != 0 || umount2(".", MNT_DETACH) != 0) return errno;
  return chdir(folder.c_str()) == 0 ? 0 : errno;
}

/// Where the way into the cage ended: `error` is 0 when the engine is in it; else it is as before, or (half_way) nowhere.
struct Entry {
  int error = 0;
  bool half_way = false;
};

/// The working folder is the current one; a `command` that is a script's or a program's path. /proc is to be the namespace's own by now.
inline Entry enter(const std::string& command, const Paths& readable, const Paths& hidden) {
  char current[PATH_MAX];
  if (getcwd(current, sizeof current) == nullptr) return {errno};
  const std::string folder = current;
  Places places;
  add_path(places, folder, Place::Right::write);
  places.own = folder;
  add_home_of(places, command);
  const std::string program = real_path(command);
  if (!program.empty() && (!covers(folder, command) || covers(folder, program))) add_home_of(places, program);
  for (const std::string& path : readable) add_path(places, path);
  for (const std::string& path : hidden) {
    if (std::string real = real_path(path); !real.empty()) places.hidden.push_back(std::move(real));
  }
  if (const int error = step_aside(); error != 0) return {error};
  return {build(places, folder), true};
}

}  // namespace referee::engine::cage
