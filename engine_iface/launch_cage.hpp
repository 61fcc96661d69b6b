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

#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace referee::engine::cage {

inline constexpr std::size_t most_paths = 256;

/// Absolute paths as the engine knows them; what does not exist is passed over.
struct Paths {
  const char* items[most_paths];
  std::size_t count = 0;

  [[nodiscard]] bool add(const char* path) {
    if (count == most_paths) return false;
    items[count++] = path;
    return true;
  }
};

struct Place {
  char* target;  // in the engine's view
  char* source;  // in the host's, without symbolic links
  bool writable;
};

struct Places {
  Place items[2 * most_paths + 8];
  std::size_t count = 0;
  Paths hidden;               // without symbolic links
  const char* own = nullptr;  // the folder that the engine may write
};

class Text {
 public:
  Text(const char* head, const char* tail) { (void)std::snprintf(text_, sizeof text_, "%s%s", head, tail); }
  operator const char*() const { return text_; }  // NOLINT(google-explicit-constructor): stands for a path
  [[nodiscard]] char* data() { return text_; }

 private:
  char text_[PATH_MAX];
};

/// `path` is `folder` or lies in it.
inline bool covers(const char* folder, const char* path) {
  const std::size_t length = std::strlen(folder);
  if (std::strcmp(folder, "/") == 0) return true;
  return std::strncmp(folder, path, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

inline constexpr const char* system_folders[] = {"/usr",    "/bin", "/sbin", "/lib",       "/lib32",     "/lib64",
                                                 "/libx32", "/etc", "/opt",  "/nix/store", "/gnu/store", "/sys/devices/system"};

inline bool in_the_system(const char* path) {
  for (const char* folder : system_folders) {
    if (covers(folder, path)) return true;
  }
  return false;
}

inline int make_folders(const char* path) {
  Text parents(path, "");
  for (char* at = parents.data() + 1; *at != '\0'; ++at) {
    if (*at != '/') continue;
    *at = '\0';
    if (mkdir(parents, 0755) != 0 && errno != EEXIST && errno != EROFS) return errno;
    *at = '/';
  }
  return mkdir(path, 0755) == 0 || errno == EEXIST || errno == EROFS ? 0 : errno;
}

/// Something of the source's kind to mount on.
inline int make_target(const char* path, bool folder) {
  struct stat status {};
  if (stat(path, &status) == 0) return 0;
  if (folder) return make_folders(path);
  Text parent(path, "");
  if (char* slash = std::strrchr(parent.data(), '/'); slash != nullptr) *slash = '\0';
  if (const int error = make_folders(parent); error != 0) return error;
  const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) return errno;
  close(file);
  return 0;
}

inline int restrict_mount(const char* path, std::uint64_t attributes) {
  mount_attr change{};
  change.attr_set = attributes;
  return mount_setattr(AT_FDCWD, path, AT_RECURSIVE, &change, sizeof change) == 0 ? 0 : errno;
}

inline int show(const char* source, const char* target, std::uint64_t attributes) {
  struct stat status {};
  // A link in a folder that is seen already: what it leads to is shown under its own name.
  if (lstat(target, &status) == 0 && S_ISLNK(status.st_mode)) return 0;
  if (stat(source, &status) != 0) return errno;
  if (const int error = make_target(target, S_ISDIR(status.st_mode)); error != 0) return error;
  if (mount(source, target, nullptr, MS_BIND | MS_REC, nullptr) != 0) return errno;
  return restrict_mount(target, attributes);
}

inline int mount_empty(const char* target, unsigned long flags, const char* options) {
  if (const int error = make_folders(target); error != 0) return error;
  return mount("tmpfs", target, "tmpfs", MS_NOSUID | MS_NODEV | flags, options) == 0 ? 0 : errno;
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

inline int add_place(Places& places, const char* target, const char* source, bool writable) {
  if (std::strcmp(target, "/") == 0 || in_the_system(target)) return 0;
  if (places.count == sizeof places.items / sizeof places.items[0]) return E2BIG;
  Place& place = places.items[places.count++];
  place = {strdup(target), strdup(source), writable};
  return place.target != nullptr && place.source != nullptr ? 0 : ENOMEM;
}

/// Under the name it is given by and under its real one. A link in the folder that the engine may write could be its own work, and is not
/// followed: what such a link led to before any engine ran is named by itself (match/engine_spec).
inline int add_path(Places& places, const char* path, bool writable = false) {
  char real[PATH_MAX];
  if (realpath(path, real) == nullptr) return 0;
  if (places.own != nullptr && covers(places.own, path) && !covers(places.own, real)) return 0;
  if (const int error = add_place(places, real, real, writable); error != 0 || std::strcmp(path, real) == 0) return error;
  return add_place(places, path, real, writable);
}

inline int add_folder_of(Places& places, const char* path) {
  Text folder(path, "");
  char* slash = std::strrchr(folder.data(), '/');
  if (slash == nullptr || slash == folder.data()) return 0;
  *slash = '\0';
  return add_path(places, folder);
}

inline int compare_places(const void* a, const void* b) {
  const std::size_t left = std::strlen(static_cast<const Place*>(a)->target), right = std::strlen(static_cast<const Place*>(b)->target);
  return left < right ? -1 : left > right ? 1 : 0;
}

/// The place is seen through an earlier one already, with the same rights.
inline bool is_seen(const Places& places, std::size_t index) {
  const Place& place = places.items[index];
  for (std::size_t i = index; i-- > 0;) {
    const Place& earlier = places.items[i];
    if (!covers(earlier.target, place.target)) continue;  // the nearest one above counts: parents come first
    const char* rest = place.target + std::strlen(earlier.target);
    return std::strcmp(Text(earlier.source, rest), place.source) == 0 && (earlier.writable || !place.writable);
  }
  return false;
}

inline int show_system() {
  for (const char* folder : system_folders) {
    const Text source("/old", folder), target("/new", folder);
    struct stat status {};
    if (lstat(source, &status) != 0) continue;
    if (S_ISLNK(status.st_mode)) {
      char to[PATH_MAX] = {};
      if (readlink(source, to, sizeof to - 1) < 0 || symlink(to, target) != 0) return errno;
    } else if (const int error = show(source, target, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV); error != 0) {
      return error;
    }
  }
  return 0;
}

inline int make_devices() {
  if (const int error = mount_empty("/new/dev", MS_NOEXEC, "mode=755,size=64k"); error != 0) return error;
  for (const char* name : {"/null", "/zero", "/full", "/random", "/urandom"}) {
    if (const int error = show(Text("/old/dev", name), Text("/new/dev", name), MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC); error != 0)
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

/// An empty folder over a folder, a device that cannot be opened over a file. A folder that holds what the engine needs stays.
inline int cover_hidden(const Places& places) {
  const Paths& hidden = places.hidden;
  for (std::size_t i = 0; i < hidden.count; ++i) {
    const Text path("/new", hidden.items[i]);
    struct stat status {};
    if (stat(path, &status) != 0) continue;
    if (!S_ISDIR(status.st_mode)) {
      if (mount("/old/dev/null", path, nullptr, MS_BIND, nullptr) != 0) return errno;
      if (const int error = restrict_mount(path, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NODEV); error != 0) return error;
      continue;
    }
    bool needed = false;
    for (std::size_t k = 0; k < places.count; ++k) needed = needed || covers(hidden.items[i], places.items[k].target);
    if (needed) continue;
    if (mount("tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, "mode=755,size=4k") != 0) return errno;
  }
  return 0;
}

inline int build(Places& places, const char* folder) {
  if (const int error = mount_empty("/new", 0, "mode=755,size=4m"); error != 0) return error;
  if (const int error = show_system(); error != 0) return error;
  for (const char* empty : {"/new/home", "/new/root", "/new/run", "/new/var"}) {
    if (mkdir(empty, 0755) != 0) return errno;
  }
  if (symlink("/tmp", "/new/var/tmp") != 0) return errno;
  if (const int error = mount_empty("/new/tmp", 0, "mode=1777,size=256m,nr_inodes=16k"); error != 0) return error;
  if (const int error = make_devices(); error != 0) return error;
  if (const int error = show("/old/proc", "/new/proc", MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC); error != 0) return error;

  std::qsort(places.items, places.count, sizeof(Place), compare_places);
  for (std::size_t i = 0; i < places.count; ++i) {
    const Place& place = places.items[i];
    if (is_seen(places, i)) continue;
    const std::uint64_t attributes = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | (place.writable ? 0 : MOUNT_ATTR_RDONLY);
    if (const int error = show(Text("/old", place.source), Text("/new", place.target), attributes); error != 0) return error;
  }
  if (const int error = cover_hidden(places); error != 0) return error;
  if (mount(nullptr, "/new", nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, nullptr) != 0) return errno;

  if (chdir("/new") != 0 || syscall(SYS_pivot_root, ".", ".") != 0 || umount2(".", MNT_DETACH) != 0) return errno;
  return chdir(folder) == 0 ? 0 : errno;
}

/// Where the way into the cage ended: `error` is 0 when the engine is in it; else it is as before, or (half_way) nowhere.
struct Entry {
  int error = 0;
  bool half_way = false;
};

/// The working folder is the current one; a `command` that is a script's or a program's path. /proc is to be the namespace's own by now.
inline Entry enter(const char* command, const Paths& readable, const Paths& hidden) {
  char folder[PATH_MAX], real_command[PATH_MAX];
  if (getcwd(folder, sizeof folder) == nullptr) return {errno};
  const std::unique_ptr<Places, decltype(&std::free)> places(static_cast<Places*>(std::calloc(1, sizeof(Places))), &std::free);
  if (places == nullptr) return {ENOMEM};
  int error = add_path(*places, folder, true);
  places->own = folder;
  if (error == 0) error = add_folder_of(*places, command);
  const bool followed = realpath(command, real_command) != nullptr && (!covers(folder, command) || covers(folder, real_command));
  if (error == 0 && followed) error = add_folder_of(*places, real_command);
  for (std::size_t i = 0; error == 0 && i < readable.count; ++i) error = add_path(*places, readable.items[i]);
  for (std::size_t i = 0; i < hidden.count; ++i) {
    char real[PATH_MAX];
    const char* path = realpath(hidden.items[i], real) == nullptr ? nullptr : strdup(real);
    if (error == 0 && path != nullptr && !places->hidden.add(path)) error = E2BIG;
  }
  if (error == 0) error = step_aside();
  if (error != 0) return {error};
  return {build(*places, folder), true};
}

}  // namespace referee::engine::cage
