// Control groups, in a folder that stands for the kernel's: few hosts give a test one of their own.
#include "engine_iface/control_groups.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "process_survey.hpp"

using namespace referee::engine;
using namespace referee::engine::test;

namespace {

namespace fs = std::filesystem;

struct Hierarchy {
  explicit Hierarchy(const std::string& controllers) {
    std::string name = (fs::temp_directory_path() / "referee-test-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder = name;
    std::ofstream(folder / "cgroup.procs").flush();
    std::ofstream(folder / "cgroup.controllers") << controllers << "\n";
  }
  ~Hierarchy() { fs::remove_all(folder); }
  Hierarchy(const Hierarchy&) = delete;
  Hierarchy& operator=(const Hierarchy&) = delete;
  fs::path folder;
};

}  // namespace

TEST_CASE("a group holds the limits that its host has controllers for", "[groups]") {
  const Hierarchy all("cpuset cpu io memory pids"), memory_alone("memory");
  ControlGroups groups(all.folder.string(), "referee-x");
  REQUIRE(groups.available());
  CHECK(read_whole(all.folder / "cgroup.subtree_control") == "+memory +pids +cpu");
  const fs::path group = groups.make({1ULL << 30, 64, 3});
  CHECK(group.parent_path() == all.folder);
  CHECK(read_whole(group / "memory.max") == "1073741824");
  CHECK(read_whole(group / "pids.max") == "65");            // and the init of its namespace
  CHECK(read_whole(group / "cpu.max") == "300000 100000");  // of three processors, in microseconds of a tenth of a second
  CHECK(groups.limits_processors());
  CHECK(groups.make({}) != group.string());
  groups.end(group.string());
  CHECK(read_whole(group / "cgroup.kill") == "1");

  ControlGroups less(memory_alone.folder.string(), "referee-x");
  REQUIRE(less.available());
  const fs::path plain = less.make({std::nullopt, 64, 2});
  CHECK(fs::exists(plain));
  CHECK_FALSE(fs::exists(plain / "pids.max"));
  CHECK_FALSE(fs::exists(plain / "memory.max"));
  CHECK_FALSE(fs::exists(plain / "cpu.max"));
  CHECK_FALSE(less.limits_processors());
}

TEST_CASE("why a host gives no groups is said", "[groups]") {
  const Hierarchy bare("hugetlb");
  const ControlGroups groups(bare.folder.string(), "referee-x");
  CHECK_FALSE(groups.available());
  CHECK_THAT(groups.why_not(), Catch::Contains("not given the controllers"));
  CHECK_FALSE(fs::exists(bare.folder / "cgroup.subtree_control"));
  CHECK_THAT(ControlGroups("", "x").why_not(), Catch::Contains("no group of cgroup version 2"));
  CHECK_THAT(ControlGroups("/no/such/folder", "x").why_not(), Catch::Contains("No such file or directory"));
}

TEST_CASE("the group of a process is found where it is mounted", "[groups]") {
  const std::string unified = "24 18 0:21 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
  const std::string hybrid =
      "30 18 0:25 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n31 18 0:26 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
  const std::string container = "40 18 0:21 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n";
  CHECK(control_group_folder("0::/user.slice/run-7.scope\n", unified) == "/sys/fs/cgroup/user.slice/run-7.scope");
  CHECK(control_group_folder("4:memory:/x\n0::/\n", hybrid) == "/sys/fs/cgroup/unified");
  CHECK(control_group_folder("0::/docker/abc\n", container) == "/sys/fs/cgroup");
  CHECK(control_group_folder("0::/\n", "24 18 0:21 / /mnt/a\\040b rw - cgroup2 cgroup2 rw\n") == "/mnt/a b");  // blanks as proc(5) has them
  CHECK(control_group_folder("0::/docker/abc/work\n", container) == "/sys/fs/cgroup/work");
  CHECK(control_group_folder("0::/docker/abcd\n", container).empty());
  CHECK(control_group_folder("4:memory:/x\n", hybrid).empty());
  CHECK(control_group_folder("0::/\n", "").empty());
}

TEST_CASE("empty groups of a run are removed, those of others are not", "[groups]") {
  const Hierarchy all("memory");
  for (const char* name : {"referee-a", "referee-a-1", "referee-a-2", "referee-ab", "referee-b-1"}) fs::create_directory(all.folder / name);
  std::ofstream(all.folder / "referee-a-2/busy") << "a folder that cannot be removed stands for a group with a process";
  remove_empty_groups(all.folder.string(), "referee-a");
  CHECK_FALSE(fs::exists(all.folder / "referee-a"));
  CHECK_FALSE(fs::exists(all.folder / "referee-a-1"));
  CHECK(fs::exists(all.folder / "referee-a-2"));
  CHECK(fs::exists(all.folder / "referee-ab"));
  CHECK(fs::exists(all.folder / "referee-b-1"));
}
