#include "plan/order_search.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace burin {
namespace {

size_t at(int index) { return static_cast<size_t>(index); }

using Bits = std::vector<uint64_t>;

bool test(const Bits& bits, int i) { return (bits[at(i) / 64] >> (i % 64)) & 1; }
void set(Bits& bits, int i) { bits[at(i) / 64] |= uint64_t{1} << (i % 64); }

// Live bytes while each node runs, in a given order.
std::vector<int64_t> profile_of(const OrderProblem& problem, const std::vector<int>& order) {
  const size_t steps = order.size();
  std::vector<int> first(problem.sizes.size(), -1);
  std::vector<int> last(problem.sizes.size(), -1);
  for (size_t i = 0; i < steps; ++i) {
    for (const int value : problem.touches[at(order[i])]) {
      if (first[at(value)] < 0) first[at(value)] = static_cast<int>(i);
      last[at(value)] = static_cast<int>(i);
    }
  }
  std::vector<int64_t> change(steps + 1, 0);
  for (size_t v = 0; v < problem.sizes.size(); ++v) {
    if (first[v] < 0) continue;
    change[at(first[v])] += problem.sizes[v];
    change[at(last[v] + 1)] -= problem.sizes[v];
  }
  std::vector<int64_t> profile(steps);
  int64_t live = 0;
  for (size_t i = 0; i < steps; ++i) {
    live += change[i];
    profile[i] = live + problem.extra[at(order[i])];
  }
  return profile;
}

// Ends of the parts of the given order: a node that is before or after every other one ends a part.
std::vector<int> part_ends(const OrderProblem& problem) {
  const int n = problem.nodes;
  const size_t words = at(n + 63) / 64;
  std::vector<Bits> before(at(n), Bits(words, 0));
  std::vector<int> related(at(n), 0);
  for (int node = 0; node < n; ++node) {
    for (const int earlier : problem.after[at(node)]) {
      set(before[at(node)], earlier);
      for (size_t w = 0; w < words; ++w) before[at(node)][w] |= before[at(earlier)][w];
    }
    for (int earlier = 0; earlier < node; ++earlier) {
      if (!test(before[at(node)], earlier)) continue;
      ++related[at(node)];
      ++related[at(earlier)];
    }
  }
  std::vector<int> ends;
  for (int node = 0; node < n; ++node) {
    if (related[at(node)] == n - 1 || node == n - 1) ends.push_back(node + 1);
  }
  return ends;
}

// Orders the nodes [first, end) of a list, everything before them being done.
class PartSearch {
 public:
  // A peak of `floor` costs nothing; one of `bound` or more is no use.
  PartSearch(const OrderProblem& problem, int first, int end, int64_t floor, int64_t bound,
             int64_t budget)
      : p_(problem), first_(first), count_(end - first), floor_(floor), bound_(bound) {
    width_ = std::max<int64_t>(4, budget / std::max(1, count_));
    users_.resize(p_.sizes.size());
    started_.assign(p_.sizes.size(), false);
    for (int node = 0; node < p_.nodes; ++node) {
      for (const int value : p_.touches[at(node)]) {
        if (node < first) started_[at(value)] = true;
        if (node >= first) users_[at(value)].push_back(node);
      }
    }
    for (size_t v = 0; v < p_.sizes.size(); ++v) {
      if (started_[v] && !users_[v].empty()) start_live_ += p_.sizes[v];
    }
    // No order avoids what one node needs by itself.
    for (int node = first; node < end; ++node) {
      int64_t bytes = p_.extra[at(node)];
      for (const int value : p_.touches[at(node)]) bytes += p_.sizes[at(value)];
      floor_ = std::max(floor_, bytes);
    }
  }

  // The order, or empty when none stays below the bound.
  std::vector<int> run() {
    if (floor_ >= bound_) return {};
    std::vector<std::vector<State>> levels(1);
    levels[0].push_back({Bits(at(count_ + 63) / 64, 0), floor_, start_live_, -1, -1});
    for (int level = 0; level < count_; ++level) {
      std::map<Bits, State> next;
      for (size_t i = 0; i < levels.back().size(); ++i) {
        expand(levels.back()[i], static_cast<int>(i), next);
      }
      std::vector<State> states;
      for (auto& [done, state] : next) states.push_back(std::move(state));
      if (static_cast<int64_t>(states.size()) > width_) {
        complete_ = false;
        std::stable_sort(states.begin(), states.end(), [](const State& a, const State& b) {
          return std::pair(a.peak, a.live) < std::pair(b.peak, b.live);
        });
        states.resize(static_cast<size_t>(width_));
      }
      if (states.empty()) return {};
      levels.push_back(std::move(states));
    }
    std::vector<int> order(at(count_));
    int index = 0;
    for (int level = count_; level > 0; --level) {
      const State& state = levels[at(level)][at(index)];
      order[at(level - 1)] = state.node;
      index = state.parent;
    }
    return order;
  }

  bool complete() const { return complete_; }

 private:
  struct State {
    Bits done;
    int64_t peak = 0;
    int64_t live = 0;
    int parent = -1;  // in the level before
    int node = -1;    // that ran last
  };

  bool is_done(const State& state, int node) const {
    return node < first_ || (node < first_ + count_ && test(state.done, node - first_));
  }

  void expand(const State& state, int index, std::map<Bits, State>& next) const {
    std::vector<State> results;
    for (int node = first_; node < first_ + count_; ++node) {
      if (is_done(state, node)) continue;
      const std::vector<int>& needs = p_.after[at(node)];
      if (!std::all_of(needs.begin(), needs.end(), [&](int n) { return is_done(state, n); })) {
        continue;
      }
      State after = state;
      after.parent = index;
      after.node = node;
      set(after.done, node - first_);
      int64_t during = state.live;
      int64_t freed = 0;
      for (const int value : p_.touches[at(node)]) {
        const std::vector<int>& users = users_[at(value)];
        const bool live = started_[at(value)] ||
                          std::any_of(users.begin(), users.end(),
                                      [&](int n) { return n != node && is_done(state, n); });
        if (!live) during += p_.sizes[at(value)];
        if (std::all_of(users.begin(), users.end(),
                        [&](int n) { return n == node || is_done(state, n); })) {
          freed += p_.sizes[at(value)];
        }
      }
      after.live = during - freed;
      after.peak = std::max(state.peak, during + p_.extra[at(node)]);
      if (after.peak >= bound_) continue;
      const bool at_once = after.peak == state.peak && after.live <= state.live;
      if (at_once) results.clear();
      results.push_back(std::move(after));
      if (at_once) break;
    }
    for (State& result : results) {
      const auto [found, is_new] = next.try_emplace(result.done, result);
      if (!is_new && result.peak < found->second.peak) found->second = std::move(result);
    }
  }

  const OrderProblem& p_;
  int first_;
  int count_;
  int64_t floor_;
  int64_t bound_;
  int64_t width_;
  std::vector<std::vector<int>> users_;  // by value: nodes of the part and after it
  std::vector<bool> started_;            // by value: touched before the part
  int64_t start_live_ = 0;
  bool complete_ = true;
};

}  // namespace

int64_t peak_of(const OrderProblem& problem, const std::vector<int>& order) {
  int64_t peak = 0;
  for (const int64_t live : profile_of(problem, order)) peak = std::max(peak, live);
  return peak;
}

OrderSolution search_order(const OrderProblem& problem, int64_t state_budget) {
  OrderSolution solution;
  solution.order.resize(at(problem.nodes));
  std::iota(solution.order.begin(), solution.order.end(), 0);
  const std::vector<int64_t> profile = profile_of(problem, solution.order);
  struct Part {
    int first, end;
    int64_t peak;
  };
  std::vector<Part> parts;
  int first = 0;
  for (const int end : part_ends(problem)) {
    parts.push_back(
        {first, end, *std::max_element(profile.begin() + first, profile.begin() + end)});
    first = end;
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.peak > b.peak; });
  solution.optimal = true;
  for (const Part& part : parts) {
    // What is no higher than the highest part done so far need not change.
    if (part.peak <= solution.peak) break;
    PartSearch search(problem, part.first, part.end, solution.peak, part.peak, state_budget);
    const std::vector<int> order = search.run();
    solution.optimal = solution.optimal && search.complete();
    if (order.empty()) {
      solution.peak = part.peak;
      continue;
    }
    std::copy(order.begin(), order.end(), solution.order.begin() + part.first);
    const std::vector<int64_t> now = profile_of(problem, solution.order);
    solution.peak = std::max(solution.peak,
                             *std::max_element(now.begin() + part.first, now.begin() + part.end));
  }
  solution.peak = peak_of(problem, solution.order);
  return solution;
}

}  // namespace burin
