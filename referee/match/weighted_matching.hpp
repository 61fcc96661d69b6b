// Maximum weight matching in a general graph: Edmonds' blossom method with dual variables, in O(n^3) steps (Galil 1986). Weights are
// any ordered integers that can be added and halved, so that many criteria can be packed into one weight, the most important in front.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <vector>

namespace referee::match {

template <class Weight>
class WeightedMatching {
 public:
  /// Vertices 0 .. vertices-1, no edges.
  explicit WeightedMatching(std::size_t vertices)
      : count_(static_cast<int>(vertices)), all_(2 * count_ + 1), weight_(size(count_ + 1) * size(count_ + 1)) {}

  /// Needs: a != b, weight > 0.
  void add_edge(std::size_t a, std::size_t b, const Weight& weight) {
    edge(static_cast<int>(a) + 1, static_cast<int>(b) + 1) = weight;
    edge(static_cast<int>(b) + 1, static_cast<int>(a) + 1) = weight;
  }

  /// By vertex: whom it is matched with, or itself.
  [[nodiscard]] std::vector<std::size_t> solve() {
    prepare();
    while (search()) {}
    std::vector<std::size_t> partner(size(count_));
    for (int v = 1; v <= count_; ++v) partner[size(v - 1)] = size((mate_[size(v)] != 0 ? mate_[size(v)] : v) - 1);
    return partner;
  }

 private:
  // Vertices count from 1, blossoms from count_ + 1; 0 is nobody. `top_` of a vertex is the outermost blossom it is in.
  enum class Label : signed char { free = -1, even = 0, odd = 1 };
  struct Ends {
    int from = 0, to = 0;  // vertices; from == 0: there is no edge
  };

  static std::size_t size(int i) noexcept { return static_cast<std::size_t>(i); }
  [[nodiscard]] Weight& edge(int a, int b) { return weight_[size(a) * size(count_ + 1) + size(b)]; }
  [[nodiscard]] const Weight& edge(int a, int b) const { return weight_[size(a) * size(count_ + 1) + size(b)]; }
  [[nodiscard]] Ends& ends(int a, int b) { return ends_[size(a) * size(all_) + size(b)]; }
  [[nodiscard]] int& member(int blossom, int vertex) { return member_[size(blossom) * size(count_ + 1) + size(vertex)]; }
  [[nodiscard]] Weight slack_of(const Ends& e) const { return dual_[size(e.from)] + dual_[size(e.to)] - edge(e.from, e.to) * 2; }

  void prepare() {
    used_ = count_;
    ends_.assign(size(all_) * size(all_), Ends{});
    member_.assign(size(all_) * size(count_ + 1), 0);
    dual_.assign(size(all_), Weight(0));
    mate_.assign(size(all_), 0);
    nearest_.assign(size(all_), 0);
    top_.assign(size(all_), 0);
    parent_.assign(size(all_), 0);
    label_.assign(size(all_), Label::free);
    seen_.assign(size(all_), 0);
    inside_.assign(size(all_), {});
    Weight most(0);
    for (const Weight& w : weight_) most = std::max(most, w);
    for (int u = 1; u <= count_; ++u) {
      top_[size(u)] = u;
      dual_[size(u)] = most;
      member(u, u) = u;
      for (int v = 1; v <= count_; ++v) {
        if (edge(u, v) > 0) ends(u, v) = {u, v};
      }
    }
  }

  void offer(int vertex, int to) {
    int& best = nearest_[size(to)];
    if (best == 0 || slack_of(ends(vertex, to)) < slack_of(ends(best, to))) best = vertex;
  }
  void find_nearest(int x) {
    nearest_[size(x)] = 0;
    for (int u = 1; u <= count_; ++u) {
      if (ends(u, x).from != 0 && top_[size(u)] != x && label_[size(top_[size(u)])] == Label::even) offer(u, x);
    }
  }
  void enqueue(int x) {
    if (x <= count_) return queue_.push_back(x);
    for (const int part : inside_[size(x)]) enqueue(part);
  }
  void set_top(int x, int blossom) {
    top_[size(x)] = blossom;
    if (x <= count_) return;
    for (const int part : inside_[size(x)]) set_top(part, blossom);
  }
  /// Turns the blossom so that the way from its base to `part` has an even number of steps; that number.
  int steps_to(int blossom, int part) {
    auto& ring = inside_[size(blossom)];
    const auto at = static_cast<int>(std::find(ring.begin(), ring.end(), part) - ring.begin());
    if (at % 2 == 0) return at;
    std::reverse(ring.begin() + 1, ring.end());
    return static_cast<int>(ring.size()) - at;
  }
  void match(int u, int v) {
    const Ends e = ends(u, v);
    mate_[size(u)] = e.to;
    if (u <= count_) return;
    const int entry = member(u, e.from);
    const int steps = steps_to(u, entry);
    auto& ring = inside_[size(u)];
    for (int i = 0; i < steps; ++i) match(ring[size(i)], ring[size(i ^ 1)]);
    match(entry, v);
    std::rotate(ring.begin(), ring.begin() + steps, ring.end());
  }
  void augment(int u, int v) {
    for (;;) {
      const int next = top_[size(mate_[size(u)])];
      match(u, v);
      if (next == 0) return;
      const int above = top_[size(parent_[size(next)])];
      match(next, above);
      u = above;
      v = next;
    }
  }
  int common_root(int u, int v) {
    ++round_;
    for (; u != 0 || v != 0; std::swap(u, v)) {
      if (u == 0) continue;
      if (seen_[size(u)] == round_) return u;
      seen_[size(u)] = round_;
      u = top_[size(mate_[size(u)])];
      if (u != 0) u = top_[size(parent_[size(u)])];
    }
    return 0;
  }
  void gather(std::vector<int>& ring, int from, int root) {
    for (int x = from; x != root;) {
      const int y = top_[size(mate_[size(x)])];
      ring.push_back(x);
      ring.push_back(y);
      enqueue(y);
      x = top_[size(parent_[size(y)])];
    }
  }
  void shrink(int u, int root, int v) {
    int b = count_ + 1;
    while (b <= used_ && top_[size(b)] != 0) ++b;
    used_ = std::max(used_, b);
    dual_[size(b)] = Weight(0);
    label_[size(b)] = Label::even;
    mate_[size(b)] = mate_[size(root)];
    auto& ring = inside_[size(b)];
    ring.assign(1, root);
    gather(ring, u, root);
    std::reverse(ring.begin() + 1, ring.end());
    gather(ring, v, root);
    set_top(b, b);
    for (int x = 1; x <= used_; ++x) ends(b, x) = ends(x, b) = Ends{};
    for (int x = 1; x <= count_; ++x) member(b, x) = 0;
    for (const int part : ring) {
      for (int x = 1; x <= used_; ++x) {
        if (ends(part, x).from == 0) continue;
        if (ends(b, x).from == 0 || slack_of(ends(part, x)) < slack_of(ends(b, x))) {
          ends(b, x) = ends(part, x);
          ends(x, b) = ends(x, part);
        }
      }
      for (int x = 1; x <= count_; ++x) {
        if (member(part, x) != 0) member(b, x) = part;
      }
    }
    find_nearest(b);
  }
  void expand(int b) {
    auto& ring = inside_[size(b)];
    for (const int part : ring) set_top(part, part);
    const int entry = member(b, ends(b, parent_[size(b)]).from);
    const int steps = steps_to(b, entry);
    for (int i = 0; i < steps; i += 2) {
      const int odd = ring[size(i)];
      const int even = ring[size(i + 1)];
      parent_[size(odd)] = ends(even, odd).from;
      label_[size(odd)] = Label::odd;
      label_[size(even)] = Label::even;
      nearest_[size(odd)] = 0;
      find_nearest(even);
      enqueue(even);
    }
    label_[size(entry)] = Label::odd;
    parent_[size(entry)] = parent_[size(b)];
    for (std::size_t i = size(steps) + 1; i < ring.size(); ++i) {
      label_[size(ring[i])] = Label::free;
      find_nearest(ring[i]);
    }
    top_[size(b)] = 0;
  }
  /// A tight edge; true when it led to a larger matching.
  bool use(const Ends e) {
    const int u = top_[size(e.from)];
    const int v = top_[size(e.to)];
    if (label_[size(v)] == Label::free) {
      parent_[size(v)] = e.from;
      label_[size(v)] = Label::odd;
      const int next = top_[size(mate_[size(v)])];
      nearest_[size(v)] = nearest_[size(next)] = 0;
      label_[size(next)] = Label::even;
      enqueue(next);
    } else if (label_[size(v)] == Label::even) {
      const int root = common_root(u, v);
      if (root == 0) {
        augment(u, v);
        augment(v, u);
        return true;
      }
      shrink(u, root, v);
    }
    return false;
  }
  [[nodiscard]] bool is_top(int x) const { return top_[size(x)] == x; }

  /// One more augmenting path; false when there is none that gains.
  bool search() {
    std::fill(label_.begin(), label_.end(), Label::free);
    std::fill(nearest_.begin(), nearest_.end(), 0);
    queue_.clear();
    for (int x = 1; x <= used_; ++x) {
      if (!is_top(x) || mate_[size(x)] != 0) continue;
      parent_[size(x)] = 0;
      label_[size(x)] = Label::even;
      enqueue(x);
    }
    if (queue_.empty()) return false;
    for (;;) {
      while (!queue_.empty()) {
        const int u = queue_.front();
        queue_.pop_front();
        if (label_[size(top_[size(u)])] == Label::odd) continue;
        for (int v = 1; v <= count_; ++v) {
          if (ends(u, v).from == 0 || top_[size(u)] == top_[size(v)]) continue;
          if (slack_of(ends(u, v)) == 0) {
            if (use(ends(u, v))) return true;
          } else {
            offer(u, top_[size(v)]);
          }
        }
      }
      if (!change_duals()) return false;
      queue_.clear();
      for (int x = 1; x <= used_; ++x) {
        const int u = nearest_[size(x)];
        if (!is_top(x) || u == 0 || top_[size(u)] == x || slack_of(ends(u, x)) != 0) continue;
        if (use(ends(u, x))) return true;
      }
      for (int b = count_ + 1; b <= used_; ++b) {
        if (is_top(b) && label_[size(b)] == Label::odd && dual_[size(b)] == 0) expand(b);
      }
    }
  }
  bool change_duals() {
    bool bounded = false;
    Weight step(0);
    const auto at_most = [&](const Weight& w) {
      if (!bounded || w < step) step = w;
      bounded = true;
    };
    for (int b = count_ + 1; b <= used_; ++b) {
      if (is_top(b) && label_[size(b)] == Label::odd) at_most(dual_[size(b)] / 2);
    }
    for (int x = 1; x <= used_; ++x) {
      if (!is_top(x) || nearest_[size(x)] == 0) continue;
      const Weight slack = slack_of(ends(nearest_[size(x)], x));
      if (label_[size(x)] == Label::free) at_most(slack);
      if (label_[size(x)] == Label::even) at_most(slack / 2);
    }
    for (int u = 1; u <= count_; ++u) {
      // A free vertex whose dual is used up stays free in a matching of greatest weight.
      if (label_[size(top_[size(u)])] == Label::even && (!bounded || dual_[size(u)] <= step)) return false;
    }
    for (int u = 1; u <= count_; ++u) {
      if (label_[size(top_[size(u)])] == Label::even) dual_[size(u)] -= step;
      if (label_[size(top_[size(u)])] == Label::odd) dual_[size(u)] += step;
    }
    for (int b = count_ + 1; b <= used_; ++b) {
      if (!is_top(b)) continue;
      if (label_[size(b)] == Label::even) dual_[size(b)] += step * 2;
      if (label_[size(b)] == Label::odd) dual_[size(b)] -= step * 2;
    }
    return true;
  }

  int count_;
  int all_;
  int used_ = 0;
  int round_ = 0;
  std::vector<Weight> weight_;  // of vertices
  std::vector<Ends> ends_;      // the best edge between two vertices or blossoms
  std::vector<int> member_;     // of a blossom, the part that holds a vertex
  std::vector<Weight> dual_;
  std::vector<int> mate_, nearest_, top_, parent_, seen_;
  std::vector<Label> label_;
  std::vector<std::vector<int>> inside_;
  std::deque<int> queue_;
};

}  // namespace referee::match
