// Whole cores for engines, on machines that are described here.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "referee/match/cpu_plan.hpp"

using namespace referee;
using match::Core;
using match::CpuPlan;

namespace {

/// Two packages, a node each, of two cores with two hardware threads: CPUs 0-3 and their siblings 4-7.
std::string two_packages(const std::string& path) {
  static const std::map<std::string, std::string> files{{"node/node0/cpulist", "0-1,4-5"},  {"node/node1/cpulist", "2-3,6-7"},
                                                        {"cpu/cpu0/topology/core_id", "0"}, {"cpu/cpu0/topology/physical_package_id", "0"},
                                                        {"cpu/cpu1/topology/core_id", "1"}, {"cpu/cpu1/topology/physical_package_id", "0"},
                                                        {"cpu/cpu2/topology/core_id", "0"}, {"cpu/cpu2/topology/physical_package_id", "1"},
                                                        {"cpu/cpu3/topology/core_id", "1"}, {"cpu/cpu3/topology/physical_package_id", "1"},
                                                        {"cpu/cpu4/topology/core_id", "0"}, {"cpu/cpu4/topology/physical_package_id", "0"},
                                                        {"cpu/cpu5/topology/core_id", "1"}, {"cpu/cpu5/topology/physical_package_id", "0"},
                                                        {"cpu/cpu6/topology/core_id", "0"}, {"cpu/cpu6/topology/physical_package_id", "1"},
                                                        {"cpu/cpu7/topology/core_id", "1"}, {"cpu/cpu7/topology/physical_package_id", "1"}};
  const auto found = files.find(path);
  return found == files.end() ? "" : found->second;
}

}  // namespace

TEST_CASE("hardware threads of one core are one core", "[pin]") {
  const auto cores = match::cores_of({0, 1, 2, 3, 4, 5, 6, 7}, two_packages);
  CHECK(cores == std::vector<Core>{{0, 0, {0, 4}}, {0, 0, {1, 5}}, {1, 1, {2, 6}}, {1, 1, {3, 7}}});
  // What the process may not use is not there.
  CHECK(match::cores_of({1, 4, 6}, two_packages) == std::vector<Core>{{0, 0, {4}}, {0, 0, {1}}, {1, 1, {6}}});
  // Without /sys every CPU is a core of its own.
  CHECK(match::cores_of({0, 3}, [](const std::string&) { return std::string(); }).size() == 2);
}

TEST_CASE("no two takers share a core, and a taker stays on one node where it fits", "[pin]") {
  CpuPlan plan(match::cores_of({0, 1, 2, 3, 4, 5, 6, 7}, two_packages));
  CHECK(plan.all_cores() == 4);
  const auto one = plan.take(1);
  REQUIRE(one == std::vector<int>{0});
  const auto two = plan.take(2);  // node 0 has one core left
  REQUIRE(two == std::vector<int>{2, 3});
  CHECK(plan.take(2) == std::nullopt);
  CHECK(plan.free_cores() == 1);
  plan.give_back(*two);
  CHECK(plan.take(1) == std::vector<int>{1});  // fills node 0 before it opens node 1
  plan.give_back(*one);
  CHECK(plan.take(3) == std::vector<int>{0, 2, 3});
}
