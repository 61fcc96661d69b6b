// Names that bind mounts give, by texts in the form that proc(5) describes.
#include "engine_iface/mounts.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace referee::engine;

namespace {

using Names = std::vector<std::string>;

constexpr const char* root = "20 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n";

Names names_of(const std::string& mountinfo, const std::string& path) { return other_names(read_mounts(mountinfo), path); }

}  // namespace

TEST_CASE("without bind mounts a file has one name", "[mounts]") {
  CHECK(names_of(root, "/data/results").empty());
  CHECK(names_of(std::string(root) + "21 20 0:5 / /proc rw - proc proc rw\n22 20 8:2 / /home rw - ext4 /dev/sda2 rw\n", "/data").empty());
  CHECK(names_of("", "/data").empty());
}

TEST_CASE("a bind mount of a folder, of one above it, of one in it", "[mounts]") {
  const std::string text = std::string(root) + "30 20 8:1 /data/results /srv/all rw - ext4 /dev/sda1 rw\n" +
                           "31 20 8:1 /data /mnt/w\\040x rw shared:3 - ext4 /dev/sda1 rw\n" +
                           "32 20 8:1 /data/results/deep /mnt/part rw - ext4 /dev/sda1 rw\n" +
                           "33 20 8:1 /database /mnt/other rw - ext4 /dev/sda1 rw\n";
  CHECK(names_of(text, "/data/results") == Names{"/srv/all", "/mnt/w x/results", "/mnt/part"});
  CHECK(names_of(text, "/data/results/match.sqlite") == Names{"/srv/all/match.sqlite", "/mnt/w x/results/match.sqlite"});
  // From the other side: the path is itself seen through a bind mount.
  CHECK(names_of(text, "/srv/all/match.sqlite") == Names{"/data/results/match.sqlite", "/mnt/w x/results/match.sqlite"});
}

TEST_CASE("a file system that is mounted twice, and what another mount lies over", "[mounts]") {
  const std::string text = std::string(root) + "40 20 8:2 / /data rw - ext4 /dev/sda2 rw\n41 20 8:2 / /backup ro - ext4 /dev/sda2 rw\n";
  CHECK(names_of(text, "/data/results") == Names{"/backup/results"});
  const std::string covered = text + "42 41 0:9 / /backup/results rw - tmpfs none rw\n";
  CHECK(names_of(covered, "/data/results/match.sqlite").empty());
}

TEST_CASE("lines that are no mounts are passed over", "[mounts]") {
  CHECK(read_mounts("rubbish\n50 20 0:4 net:[4026531840] /run/netns/x rw - nsfs nsfs rw\n\n").empty());
  // The type stands behind the tags, of which there may be none or several.
  CHECK(read_mounts(root).front().type == "ext4");
  CHECK(read_mounts("24 18 0:21 / /sys/fs/cgroup rw,nosuid shared:4 master:1 - cgroup2 cgroup2 rw\n").front().type == "cgroup2");
  REQUIRE(read_mounts("20 1 8:1 / /a\\134b\\011c\\9 rw - ext4 x rw").size() == 1);
  CHECK(read_mounts("20 1 8:1 / /a\\134b\\011c\\9 rw - ext4 x rw").front().mounted_on == "/a\\b\tc\\9");
}
