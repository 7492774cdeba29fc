#include "plan/order/order_part.h"

#include <algorithm>
#include <unordered_map>

#include "support/at.h"

namespace burin {
namespace {

using Bits = std::vector<uint64_t>;

// Nodes that the search of one part looks at: the sets it keeps, times the part's length.
constexpr int64_t kMostLooks = 50'000'000;

bool test(const Bits& bits, int i) { return (bits[at(i) / 64] >> (i % 64)) & 1; }
void set(Bits& bits, int i) { bits[at(i) / 64] |= uint64_t{1} << (i % 64); }

// Whether `bits` and one more are `other`.
bool is_with(const Bits& bits, int i, const Bits& other) {
  for (size_t w = 0; w < bits.size(); ++w) {
    const uint64_t more = w == at(i) / 64 ? uint64_t{1} << (i % 64) : 0;
    if ((bits[w] | more) != other[w]) return false;
  }
  return true;
}

// A set's hash is the exclusive or of its members' marks.
uint64_t mark_of(int i) {
  uint64_t mark = (static_cast<uint64_t>(i) + 1) * 0x9e3779b97f4a7c15ull;
  mark = (mark ^ (mark >> 30)) * 0xbf58476d1ce4e5b9ull;
  return mark ^ (mark >> 31);
}

// Orders the nodes [first, end) of a list, everything before them being done.
class PartSearch {
 public:
  PartSearch(const OrderProblem& problem, const PartTask& task)
      : p_(problem),
        sizes_(problem.sizes[task.point]),
        extra_(problem.extra[task.point]),
        first_(task.first),
        count_(task.end - task.first),
        floor_(task.floor),
        bound_(task.bound) {
    const int first = task.first;
    const int end = task.end;
    const int64_t steps = std::max(1, count_);
    width_ = std::min(std::max<int64_t>(4, task.budget / steps), kMostLooks / steps / steps);
    later_.assign(sizes_.size(), 0);
    users_.assign(sizes_.size(), 0);
    started_.assign(sizes_.size(), 0);
    for (int node = 0; node < p_.nodes; ++node) {
      for (const int value : p_.touches[at(node)]) {
        if (node < first) started_[at(value)] = 1;
        if (node >= first) ++users_[at(value)];
        if (node >= end) ++later_[at(value)];
      }
    }
    for (size_t v = 0; v < sizes_.size(); ++v) {
      if (started_[v] != 0 && users_[v] > 0) start_live_ += sizes_[v];
    }
    // No order avoids what one node needs by itself.
    for (int node = first; node < end; ++node) {
      int64_t bytes = extra_[at(node)];
      for (const int value : p_.touches[at(node)]) bytes += sizes_[at(value)];
      floor_ = std::max(floor_, bytes);
    }
  }

  // The order, or empty when none stays below the bound, or the part is too long to be searched.
  std::vector<int> run() {
    if (floor_ >= bound_) return {};
    if (width_ == 0) {
      complete_ = false;
      return {};
    }
    std::vector<std::vector<State>> levels(1);
    levels[0].push_back({Bits(at(count_ + 63) / 64, 0), 0, floor_, start_live_, -1, -1});
    for (int level = 0; level < count_; ++level) {
      std::vector<Candidate> next;
      for (size_t i = 0; i < levels.back().size(); ++i) {
        expand(levels.back()[i], static_cast<int>(i), next);
      }
      std::vector<State> states = best_of(levels.back(), std::move(next));
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
    uint64_t hash = 0;  // of done
    int64_t peak = 0;
    int64_t live = 0;
    int parent = -1;  // in the level before
    int node = -1;    // that ran last
  };

  struct Candidate {
    int64_t peak, live;
    int parent, node;
  };

  // The sets that the candidates give, each once and as cheaply as it is reached; no more than the
  // width allows, the best of them. Sets are made only for those that are kept.
  std::vector<State> best_of(const std::vector<State>& from, std::vector<Candidate> all) {
    std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
      return a.peak != b.peak ? a.peak < b.peak : a.live < b.live;
    });
    std::unordered_multimap<uint64_t, size_t> seen;  // states by hash
    std::vector<State> states;
    for (const Candidate& one : all) {
      const State& before = from[at(one.parent)];
      const int added = one.node - first_;
      const uint64_t hash = before.hash ^ mark_of(added);
      const auto [same, last] = seen.equal_range(hash);
      if (std::any_of(same, last, [&](const auto& entry) {
            return is_with(before.done, added, states[entry.second].done);
          }))
        continue;
      if (static_cast<int64_t>(states.size()) == width_) {
        complete_ = false;
        return states;
      }
      seen.emplace(hash, states.size());
      states.push_back({before.done, hash, one.peak, one.live, one.parent, one.node});
      set(states.back().done, added);
    }
    std::sort(states.begin(), states.end(),
              [](const State& a, const State& b) { return a.done < b.done; });
    return states;
  }

  bool is_done(const State& state, int node) const {
    return node < first_ || (node < first_ + count_ && test(state.done, node - first_));
  }

  bool is_ready(const State& state, int node) const {
    for (const int earlier : p_.after[at(node)]) {
      if (!is_done(state, earlier)) return false;
    }
    return true;
  }

  void expand(const State& state, int index, std::vector<Candidate>& next) const {
    const size_t before = next.size();
    std::vector<int> left = later_;  // by value: nodes that are not done and touch it
    for (int node = first_; node < first_ + count_; ++node) {
      if (is_done(state, node)) continue;
      for (const int value : p_.touches[at(node)]) ++left[at(value)];
    }
    for (int node = first_; node < first_ + count_; ++node) {
      if (is_done(state, node)) continue;
      if (!is_ready(state, node)) continue;
      int64_t during = state.live;
      int64_t freed = 0;
      for (const int value : p_.touches[at(node)]) {
        const bool live = started_[at(value)] != 0 || left[at(value)] < users_[at(value)];
        if (!live) during += sizes_[at(value)];
        if (left[at(value)] == 1) freed += sizes_[at(value)];
      }
      const int64_t peak = std::max(state.peak, during + extra_[at(node)]);
      if (peak >= bound_) continue;
      const bool at_once = peak == state.peak && during - freed <= state.live;
      if (at_once) next.resize(before);
      next.push_back({peak, during - freed, index, node});
      if (at_once) break;
    }
  }

  const OrderProblem& p_;
  const std::vector<int64_t>& sizes_;
  const std::vector<int64_t>& extra_;
  int first_;
  int count_;
  int64_t floor_;
  int64_t bound_;
  int64_t width_;
  std::vector<int> users_, later_;  // by value: nodes of the part and after it; only after it
  std::vector<char> started_;       // by value: whether touched before the part
  int64_t start_live_ = 0;
  bool complete_ = true;
};

}  // namespace

PartOrder order_part(const OrderProblem& problem, const PartTask& task) {
  PartSearch search(problem, task);
  PartOrder result;
  result.order = search.run();
  result.complete = search.complete();
  return result;
}

}  // namespace burin
