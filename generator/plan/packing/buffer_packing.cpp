// Packing of a whole problem: what no buffer connects in time is packed separately, greedily first,
// by search where that is not certified.
#include "plan/packing/buffer_packing.h"

#include <algorithm>
#include <numeric>

#include "plan/packing/packing_search.h"

namespace burin {
namespace {

// Groups of buffers such that buffers of different groups are never live at the same time, in the
// order of time.
std::vector<std::vector<size_t>> parts_in_time(const std::vector<LiveBuffer>& buffers) {
  std::vector<size_t> order;
  for (size_t b = 0; b < buffers.size(); ++b) {
    if (!buffers[b].live.empty() && buffers[b].size > 0) order.push_back(b);
  }
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return buffers[a].live.front().first < buffers[b].live.front().first;
  });
  std::vector<std::vector<size_t>> parts;
  int reach = -1;
  for (const size_t b : order) {
    if (buffers[b].live.front().first > reach) parts.emplace_back();
    parts.back().push_back(b);
    reach = std::max(reach, buffers[b].live.back().last);
  }
  return parts;
}

// The least capacity that the search can reach, between what is proven and what is known: at the
// lower bound first, where most networks end, then by bisection.
BufferPacking improve(const std::vector<LiveBuffer>& buffers, BufferPacking best,
                      int64_t good_enough, int64_t budget) {
  int64_t proven = best.lower_bound;  // nothing lower exists
  int64_t low = proven;               // nothing lower was found
  bool first = true;
  while (low < best.height && best.height > good_enough && budget > 0) {
    const int64_t capacity = first ? std::max(low, std::min(good_enough, best.height - 1))
                                   : low + (best.height - low) / 2;
    // Half of what is left, so that one hard capacity does not take everything.
    const SearchOutcome outcome =
        search_buffer_packing(buffers, capacity, first ? budget / 2 + 1 : budget / 3 + 1);
    first = false;
    budget -= outcome.nodes;
    best.nodes += outcome.nodes;
    if (outcome.result == SearchResult::solved) {
      best.offsets = outcome.offsets;
      best.method = "search";
      best.height = 0;
      for (size_t b = 0; b < buffers.size(); ++b) {
        best.height = std::max(best.height, best.offsets[b] + buffers[b].size);
      }
      continue;
    }
    low = capacity + 1;
    if (outcome.result == SearchResult::infeasible && capacity + 1 > proven) proven = capacity + 1;
  }
  best.lower_bound = proven;
  best.optimal = best.height == proven;
  return best;
}

}  // namespace

BufferPacking pack_buffers(const std::vector<LiveBuffer>& buffers,
                           const BufferPackingOptions& options) {
  if (options.rule != BufferPackingRule::searched) return pack_buffers_by(buffers, options.rule);
  BufferPacking all;
  all.offsets.assign(buffers.size(), 0);
  const std::vector<std::vector<size_t>> parts = parts_in_time(buffers);
  std::vector<std::vector<LiveBuffer>> problems;
  std::vector<BufferPacking> solutions;
  for (const std::vector<size_t>& part : parts) {
    std::vector<LiveBuffer> problem;
    for (const size_t b : part) problem.push_back(buffers[b]);
    solutions.push_back(pack_buffers_greedily(problem));
    all.lower_bound = std::max(all.lower_bound, solutions.back().lower_bound);
    problems.push_back(std::move(problem));
  }
  // A part need not be better than the bound of the whole.
  for (size_t i = 0; i < parts.size(); ++i) {
    const int64_t good_enough = std::max(all.lower_bound, options.give_up_height);
    if (solutions[i].height > good_enough && all.nodes < options.node_budget) {
      solutions[i] = improve(problems[i], std::move(solutions[i]), good_enough,
                             options.node_budget - all.nodes);
      all.nodes += solutions[i].nodes;
      all.lower_bound = std::max(all.lower_bound, solutions[i].lower_bound);
    }
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    for (size_t k = 0; k < parts[i].size(); ++k) {
      all.offsets[parts[i][k]] = solutions[i].offsets[k];
    }
    if (solutions[i].height > all.height || all.method.empty()) all.method = solutions[i].method;
    all.height = std::max(all.height, solutions[i].height);
  }
  all.optimal = all.height == all.lower_bound;
  return all;
}

std::string check_buffer_packing(const std::vector<LiveBuffer>& buffers,
                                 const BufferPacking& solution) {
  if (solution.offsets.size() != buffers.size()) return "not one offset per buffer";
  int64_t height = 0;
  for (size_t a = 0; a < buffers.size(); ++a) {
    const std::string name = "buffer " + std::to_string(a);
    const int64_t from = solution.offsets[a];
    const int64_t to = from + buffers[a].size;
    if (from < 0) return name + " has a negative offset";
    if (to > solution.height) return name + " ends above the height";
    height = std::max(height, to);
    for (size_t b = 0; b < a; ++b) {
      if (to <= solution.offsets[b] || solution.offsets[b] + buffers[b].size <= from) continue;
      if (buffers[a].size == 0 || buffers[b].size == 0) continue;
      for (const Interval& x : buffers[a].live) {
        for (const Interval& y : buffers[b].live) {
          if (x.first <= y.last && y.first <= x.last) {
            return name + " overlaps buffer " + std::to_string(b);
          }
        }
      }
    }
  }
  if (height != solution.height) return "the height is not reached";
  if (solution.lower_bound > height) return "the lower bound is above the height";
  if (solution.optimal != (solution.lower_bound == height)) return "wrong claim of optimality";
  return {};
}

}  // namespace burin
