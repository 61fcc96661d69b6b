#include "referee/stats/groups.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace referee::stats {

namespace {

/// Edges of a graph by their start.
struct Graph {
  std::vector<std::uint32_t> first;  // of each player, and one more
  std::vector<PlayerId> to;
};

template <class Joined>
[[nodiscard]] Graph graph_of(std::size_t players, const std::vector<Meeting>& meetings, Joined joined) {
  Graph graph;
  graph.first.assign(players + 1, 0);
  for (const Meeting& m : meetings) {
    if (joined(m, true)) ++graph.first[m.first + 1];
    if (joined(m, false)) ++graph.first[m.second + 1];
  }
  std::partial_sum(graph.first.begin(), graph.first.end(), graph.first.begin());
  graph.to.resize(graph.first.back());
  std::vector<std::uint32_t> at(graph.first.begin(), graph.first.end() - 1);
  for (const Meeting& m : meetings) {
    if (joined(m, true)) graph.to[at[m.first]++] = m.second;
    if (joined(m, false)) graph.to[at[m.second]++] = m.first;
  }
  return graph;
}

/// Strongly connected components (Tarjan 1972, without recursion), numbered in the order in which they are closed.
[[nodiscard]] std::vector<std::uint32_t> components(std::size_t players, const Graph& graph) {
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> component(players, none);
  std::vector<std::uint32_t> order(players, none);
  std::vector<std::uint32_t> low(players, 0);
  std::vector<std::uint32_t> edge(graph.first.begin(), graph.first.end() - 1);
  std::vector<PlayerId> open;
  std::vector<PlayerId> path;
  std::uint32_t counter = 0;
  std::uint32_t closed = 0;
  for (PlayerId root = 0; root < players; ++root) {
    if (order[root] != none) continue;
    path.push_back(root);
    while (!path.empty()) {
      const PlayerId at = path.back();
      if (order[at] == none) {
        order[at] = low[at] = counter++;
        open.push_back(at);
      }
      bool descended = false;
      while (edge[at] < graph.first[at + 1]) {
        const PlayerId next = graph.to[edge[at]];
        if (order[next] == none) {
          path.push_back(next);
          descended = true;
          break;
        }
        if (component[next] == none) low[at] = std::min(low[at], low[next]);
        ++edge[at];
      }
      if (descended) continue;
      if (low[at] == order[at]) {
        for (PlayerId member = none; member != at;) {
          member = open.back();
          open.pop_back();
          component[member] = closed;
        }
        ++closed;
      }
      path.pop_back();
    }
  }
  return component;
}

/// Numbers components by size, then games, then their first player.
[[nodiscard]] std::vector<std::uint32_t> ranked(std::vector<std::uint32_t> component, const std::vector<Meeting>& meetings) {
  struct Size {
    std::size_t players = 0;
    std::int64_t games = 0;
    std::size_t first = 0;
  };
  std::vector<Size> sizes;
  for (std::size_t player = 0; player < component.size(); ++player) {
    if (component[player] >= sizes.size()) sizes.resize(component[player] + 1);
    Size& size = sizes[component[player]];
    if (size.players++ == 0) size.first = player;
  }
  for (const Meeting& m : meetings) {
    sizes[component[m.first]].games += m.games();
    if (component[m.second] != component[m.first]) sizes[component[m.second]].games += m.games();
  }
  std::vector<std::uint32_t> by_size(sizes.size());
  std::iota(by_size.begin(), by_size.end(), 0U);
  std::sort(by_size.begin(), by_size.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (sizes[a].players != sizes[b].players) return sizes[a].players > sizes[b].players;
    if (sizes[a].games != sizes[b].games) return sizes[a].games > sizes[b].games;
    return sizes[a].first < sizes[b].first;
  });
  std::vector<std::uint32_t> rank(sizes.size());
  for (std::uint32_t i = 0; i < by_size.size(); ++i) rank[by_size[i]] = i;
  for (std::uint32_t& number : component) number = rank[number];
  return component;
}

}  // namespace

std::vector<std::uint32_t> comparable_groups(std::size_t players, const std::vector<Meeting>& meetings) {
  const auto scored = [](const Meeting& m, bool first) { return m.draws() > 0 || (first ? m.first_wins() : m.second_wins()) > 0; };
  return ranked(components(players, graph_of(players, meetings, scored)), meetings);
}

std::vector<PlayerId> without_sweeps(std::size_t players, const std::vector<Meeting>& meetings) {
  struct Standing {
    std::vector<std::pair<PlayerId, const Meeting*>> met;
    std::size_t took = 0, gave = 0;  // opponents from whom something was taken, and to whom it was given
    bool out = false;
  };
  std::vector<Standing> standings(players);
  const auto scored = [](const Meeting& m, PlayerId player) {
    return m.draws() > 0 || (m.first == player ? m.first_wins() : m.second_wins()) > 0;
  };
  for (const Meeting& m : meetings) {
    for (const auto& [one, other] : {std::pair{m.first, m.second}, {m.second, m.first}}) {
      standings[one].met.emplace_back(other, &m);
      standings[one].took += scored(m, one) ? 1 : 0;
      standings[one].gave += scored(m, other) ? 1 : 0;
    }
  }
  const auto is_sweep = [&standings](PlayerId p) { return !standings[p].out && (standings[p].took == 0) != (standings[p].gave == 0); };
  std::vector<PlayerId> leaving;
  for (PlayerId p = 0; p < players; ++p)
    if (is_sweep(p)) leaving.push_back(p);
  while (!leaving.empty()) {  // those of one round leave together
    for (const PlayerId p : leaving) standings[p].out = true;
    std::vector<PlayerId> touched;
    for (const PlayerId p : leaving) {
      for (const auto& [other, meeting] : standings[p].met) {
        standings[other].took -= scored(*meeting, other) ? 1 : 0;
        standings[other].gave -= scored(*meeting, p) ? 1 : 0;
        touched.push_back(other);
      }
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    leaving.clear();
    std::copy_if(touched.begin(), touched.end(), std::back_inserter(leaving), is_sweep);
  }
  std::vector<PlayerId> left;
  for (PlayerId p = 0; p < players; ++p)
    if (!standings[p].out && !standings[p].met.empty()) left.push_back(p);
  return left;
}

std::vector<std::uint32_t> connected_groups(std::size_t players, const std::vector<Meeting>& meetings) {
  return ranked(components(players, graph_of(players, meetings, [](const Meeting&, bool) { return true; })), meetings);
}

}  // namespace referee::stats
