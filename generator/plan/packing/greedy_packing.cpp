// Greedy packing: one pass over the buffers in some order, each into a gap between those already
// placed that are live at the same time.
#include <algorithm>
#include <numeric>
#include <tuple>

#include "plan/packing/buffer_packing.h"
#include "support/at.h"

namespace burin {
namespace {

int64_t duration(const LiveBuffer& buffer) {
  int64_t positions = 0;
  for (const Interval& live : buffer.live) positions += live.last - live.first + 1;
  return positions;
}

// Sum of live sizes at every position.
std::vector<int64_t> live_sums(const std::vector<LiveBuffer>& buffers) {
  int end = 0;
  for (const LiveBuffer& buffer : buffers) {
    for (const Interval& live : buffer.live) end = std::max(end, live.last + 1);
  }
  std::vector<int64_t> change(at(end + 1), 0);
  for (const LiveBuffer& buffer : buffers) {
    for (const Interval& live : buffer.live) {
      change[at(live.first)] += buffer.size;
      change[at(live.last + 1)] -= buffer.size;
    }
  }
  std::partial_sum(change.begin(), change.end(), change.begin());
  return change;
}

// How far the buffer is from `position`; 0 when it is live there.
int64_t distance(const LiveBuffer& buffer, int position) {
  int64_t nearest = std::numeric_limits<int>::max();
  for (const Interval& live : buffer.live) {
    const int gap = std::max({live.first - position, position - live.last, 0});
    nearest = std::min<int64_t>(nearest, gap);
  }
  return nearest;
}

using Order = std::vector<size_t>;

// Buffers by ascending key, then by number.
template <class Key>
Order ordered_by(const std::vector<LiveBuffer>& buffers, const Key& key) {
  Order order(buffers.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return key(buffers[a]) < key(buffers[b]); });
  return order;
}

enum class Fit { best, first };  // the smallest gap that is large enough, or the lowest

std::vector<int64_t> place(const std::vector<LiveBuffer>& buffers,
                           const std::vector<std::vector<size_t>>& conflicts, const Order& order,
                           Fit fit) {
  std::vector<int64_t> offsets(buffers.size(), -1);
  std::vector<std::pair<int64_t, int64_t>> taken;  // [from, to) of placed neighbours
  for (const size_t b : order) {
    taken.clear();
    for (const size_t other : conflicts[b]) {
      if (offsets[other] >= 0) {
        taken.emplace_back(offsets[other], offsets[other] + buffers[other].size);
      }
    }
    std::sort(taken.begin(), taken.end());
    int64_t free_from = 0;
    int64_t chosen = -1;
    int64_t chosen_gap = std::numeric_limits<int64_t>::max();
    for (const auto& [from, to] : taken) {
      const int64_t gap = from - free_from;
      if (gap >= buffers[b].size && gap < chosen_gap) {
        chosen = free_from;
        chosen_gap = gap;
        if (fit == Fit::first) break;
      }
      free_from = std::max(free_from, to);
    }
    offsets[b] = chosen >= 0 ? chosen : free_from;
  }
  return offsets;
}

int64_t height_of(const std::vector<LiveBuffer>& buffers, const std::vector<int64_t>& offsets) {
  int64_t height = 0;
  for (size_t b = 0; b < buffers.size(); ++b) {
    height = std::max(height, offsets[b] + buffers[b].size);
  }
  return height;
}

}  // namespace

bool lives_overlap(const std::vector<Interval>& a, const std::vector<Interval>& b) {
  size_t i = 0;
  size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i].last < b[j].first) {
      ++i;
    } else if (b[j].last < a[i].first) {
      ++j;
    } else {
      return true;
    }
  }
  return false;
}

int64_t live_sum_bound(const std::vector<LiveBuffer>& buffers) {
  const std::vector<int64_t> sums = live_sums(buffers);
  return std::max<int64_t>(0, *std::max_element(sums.begin(), sums.end()));
}

namespace {

// The greedy rules for one problem; what they share is worked out once.
class Greedy {
 public:
  explicit Greedy(const std::vector<LiveBuffer>& buffers)
      : buffers_(buffers), conflicts_(buffers.size()) {
    find_conflicts();
    const std::vector<int64_t> sums = live_sums(buffers);
    const auto peak = std::max_element(sums.begin(), sums.end());
    peak_ = static_cast<int>(peak - sums.begin());
    bound_ = std::max<int64_t>(0, *peak);
  }

  static constexpr int kRules = 5;

  BufferPacking solve(int rule, Fit fit) const {
    static constexpr const char* kNames[kRules] = {"by size", "from the peak", "by area",
                                                   "by lifetime", "in time"};
    BufferPacking solution;
    solution.offsets = place(buffers_, conflicts_, order(rule), fit);
    solution.height = height_of(buffers_, solution.offsets);
    solution.lower_bound = bound_;
    solution.optimal = solution.height == bound_;
    solution.method = std::string(fit == Fit::best ? "best fit " : "first fit ") + kNames[rule];
    return solution;
  }

 private:
  // By when they begin: each meets those that have not ended.
  void find_conflicts() {
    std::vector<std::pair<Interval, size_t>> all;
    for (size_t b = 0; b < buffers_.size(); ++b) {
      for (const Interval& live : buffers_[b].live) all.emplace_back(live, b);
    }
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
      return std::pair(a.first.first, a.second) < std::pair(b.first.first, b.second);
    });
    std::vector<std::pair<Interval, size_t>> open;
    for (const auto& [live, b] : all) {
      const int begin = live.first;
      std::erase_if(open, [&](const auto& one) { return one.first.last < begin; });
      for (const auto& [other, a] : open) {
        if (a == b) continue;
        conflicts_[a].push_back(b);
        conflicts_[b].push_back(a);
      }
      open.emplace_back(live, b);
    }
    for (std::vector<size_t>& some : conflicts_) {
      std::sort(some.begin(), some.end());
      some.erase(std::unique(some.begin(), some.end()), some.end());
    }
  }

  Order order(int rule) const {
    switch (rule) {
      case 0:
        return ordered_by(buffers_, [](const auto& b) { return std::pair(-b.size, -duration(b)); });
      case 1:
        return ordered_by(buffers_, [&](const auto& b) {
          return std::tuple(distance(b, peak_), -duration(b), -b.size);
        });
      case 2:
        return ordered_by(buffers_, [](const auto& b) {
          return -static_cast<double>(b.size) * static_cast<double>(duration(b));
        });
      case 3:
        return ordered_by(buffers_, [](const auto& b) { return std::pair(-duration(b), -b.size); });
      default:
        return ordered_by(buffers_, [](const auto& b) {
          return std::pair(b.live.empty() ? 0 : b.live.front().first, -b.size);
        });
    }
  }

  const std::vector<LiveBuffer>& buffers_;
  std::vector<std::vector<size_t>> conflicts_;
  int peak_ = 0;
  int64_t bound_ = 0;
};

}  // namespace

std::string_view to_string(BufferPackingRule rule) {
  static constexpr std::string_view kNames[] = {"searched", "peak-outward", "best-fit"};
  return kNames[static_cast<size_t>(rule)];
}

BufferPacking pack_buffers_by(const std::vector<LiveBuffer>& buffers, BufferPackingRule rule) {
  if (rule == BufferPackingRule::searched) return pack_buffers(buffers);
  return Greedy(buffers).solve(rule == BufferPackingRule::peak_outward ? 1 : 4, Fit::best);
}

std::vector<BufferPacking> pack_buffers_by_all(const std::vector<LiveBuffer>& buffers) {
  const Greedy greedy(buffers);
  std::vector<BufferPacking> all;
  for (const Fit fit : {Fit::best, Fit::first}) {
    for (int rule = 0; rule < Greedy::kRules; ++rule) all.push_back(greedy.solve(rule, fit));
  }
  return all;
}

BufferPacking pack_buffers_greedily(const std::vector<LiveBuffer>& buffers) {
  const Greedy greedy(buffers);
  BufferPacking best;
  for (const Fit fit : {Fit::best, Fit::first}) {
    for (int rule = 0; rule < Greedy::kRules; ++rule) {
      BufferPacking solution = greedy.solve(rule, fit);
      if (!best.method.empty() && solution.height >= best.height) continue;
      best = std::move(solution);
      if (best.optimal) return best;
    }
  }
  return best;
}

}  // namespace burin
