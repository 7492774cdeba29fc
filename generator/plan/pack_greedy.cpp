// Greedy packing: one pass over the buffers in some order, each into a gap between those already
// placed that are live at the same time.
#include <algorithm>
#include <numeric>
#include <tuple>

#include "plan/pack.h"

namespace burin {
namespace {

size_t at(int position) { return static_cast<size_t>(position); }

int64_t duration(const PackBuffer& buffer) {
  int64_t positions = 0;
  for (const Interval& live : buffer.live) positions += live.last - live.first + 1;
  return positions;
}

// Sum of live sizes at every position.
std::vector<int64_t> live_sums(const std::vector<PackBuffer>& buffers) {
  int end = 0;
  for (const PackBuffer& buffer : buffers) {
    for (const Interval& live : buffer.live) end = std::max(end, live.last + 1);
  }
  std::vector<int64_t> change(at(end + 1), 0);
  for (const PackBuffer& buffer : buffers) {
    for (const Interval& live : buffer.live) {
      change[at(live.first)] += buffer.size;
      change[at(live.last + 1)] -= buffer.size;
    }
  }
  std::partial_sum(change.begin(), change.end(), change.begin());
  return change;
}

// How far the buffer is from `position`; 0 when it is live there.
int64_t distance(const PackBuffer& buffer, int position) {
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
Order ordered_by(const std::vector<PackBuffer>& buffers, const Key& key) {
  Order order(buffers.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return key(buffers[a]) < key(buffers[b]); });
  return order;
}

enum class Fit { best, first };  // the smallest gap that is large enough, or the lowest

std::vector<int64_t> place(const std::vector<PackBuffer>& buffers,
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

int64_t height_of(const std::vector<PackBuffer>& buffers, const std::vector<int64_t>& offsets) {
  int64_t height = 0;
  for (size_t b = 0; b < buffers.size(); ++b) {
    height = std::max(height, offsets[b] + buffers[b].size);
  }
  return height;
}

}  // namespace

bool lives_overlap(const PackBuffer& a, const PackBuffer& b) {
  size_t i = 0;
  size_t j = 0;
  while (i < a.live.size() && j < b.live.size()) {
    if (a.live[i].last < b.live[j].first) {
      ++i;
    } else if (b.live[j].last < a.live[i].first) {
      ++j;
    } else {
      return true;
    }
  }
  return false;
}

int64_t live_sum_bound(const std::vector<PackBuffer>& buffers) {
  const std::vector<int64_t> sums = live_sums(buffers);
  return std::max<int64_t>(0, *std::max_element(sums.begin(), sums.end()));
}

PackSolution pack_greedy(const std::vector<PackBuffer>& buffers) {
  PackSolution best;
  best.lower_bound = live_sum_bound(buffers);
  best.height = std::numeric_limits<int64_t>::max();

  std::vector<std::vector<size_t>> conflicts(buffers.size());
  for (size_t a = 0; a < buffers.size(); ++a) {
    for (size_t b = 0; b < a; ++b) {
      if (!lives_overlap(buffers[a], buffers[b])) continue;
      conflicts[a].push_back(b);
      conflicts[b].push_back(a);
    }
  }
  const std::vector<int64_t> sums = live_sums(buffers);
  const int peak = static_cast<int>(std::max_element(sums.begin(), sums.end()) - sums.begin());

  struct Rule {
    const char* name;
    Order order;
  };
  const Rule rules[] = {
      {"by size",
       ordered_by(buffers, [](const PackBuffer& b) { return std::pair(-b.size, -duration(b)); })},
      {"from the peak", ordered_by(buffers,
                                   [&](const PackBuffer& b) {
                                     return std::tuple(distance(b, peak), -duration(b), -b.size);
                                   })},
      {"by area", ordered_by(buffers,
                             [](const PackBuffer& b) {
                               return -static_cast<double>(b.size) *
                                      static_cast<double>(duration(b));
                             })},
      {"by lifetime",
       ordered_by(buffers, [](const PackBuffer& b) { return std::pair(-duration(b), -b.size); })},
  };
  for (const Fit fit : {Fit::best, Fit::first}) {
    for (const Rule& rule : rules) {
      std::vector<int64_t> offsets = place(buffers, conflicts, rule.order, fit);
      const int64_t height = height_of(buffers, offsets);
      if (height >= best.height) continue;
      best.height = height;
      best.offsets = std::move(offsets);
      best.method = std::string(fit == Fit::best ? "best fit " : "first fit ") + rule.name;
      if (height == best.lower_bound) {
        best.optimal = true;
        return best;
      }
    }
  }
  return best;
}

}  // namespace burin
