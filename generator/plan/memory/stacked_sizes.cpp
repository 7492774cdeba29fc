#include "plan/memory/stacked_sizes.h"

#include <algorithm>
#include <numeric>

#include "plan/packing/stacking.h"

namespace burin {
namespace {

constexpr int64_t kVisits = 40000000;  // of conflicts, by the search
// Pairs of buffers at all points: beyond, the packing at the hints is taken as it is.
constexpr size_t kMostPairs = 100'000'000;

std::vector<LiveBuffer> problem_at(const std::vector<SymbolicBuffer>& buffers,
                                   const SizePoints& points, size_t point) {
  std::vector<LiveBuffer> problem;
  for (const SymbolicBuffer& buffer : buffers) {
    // A size of 0 here may be more elsewhere: it takes part in the order.
    const int64_t size = std::max<int64_t>(1, points.evaluate(buffer.size, point));
    problem.push_back({size, buffer.live});
  }
  return problem;
}

std::vector<int> order_of(const BufferPacking& solution) {
  std::vector<int> order(solution.offsets.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return solution.offsets[static_cast<size_t>(a)] < solution.offsets[static_cast<size_t>(b)];
  });
  return order;
}

StackProblem stack_problem(const std::vector<SymbolicBuffer>& buffers, const SizePoints& points) {
  StackProblem problem;
  problem.conflicts.resize(buffers.size());
  for (size_t a = 0; a < buffers.size(); ++a) {
    for (size_t b = 0; b < a; ++b) {
      if (!lives_overlap(buffers[a].live, buffers[b].live)) continue;
      problem.conflicts[a].push_back(static_cast<int>(b));
      problem.conflicts[b].push_back(static_cast<int>(a));
    }
  }
  for (size_t point = 0; point < points.count(); ++point) {
    std::vector<LiveBuffer> sized;
    std::vector<int64_t> sizes;
    for (const SymbolicBuffer& buffer : buffers) {
      sizes.push_back(std::max<int64_t>(0, points.evaluate(buffer.size, point)));
      sized.push_back({sizes.back(), buffer.live});
    }
    problem.bounds.push_back(live_sum_bound(sized));
    problem.sizes.push_back(std::move(sizes));
  }
  return problem;
}

}  // namespace

StackedSizes stack_sizes(const std::vector<SymbolicBuffer>& buffers, const SizePoints& points,
                         const BufferPackingOptions& options) {
  StackedSizes result;
  const std::vector<LiveBuffer> hinted = problem_at(buffers, points, 0);
  for (const BufferPackingRule rule :
       {BufferPackingRule::peak_outward, BufferPackingRule::best_fit})
    result.baselines.push_back(
        {std::string(to_string(rule)), pack_buffers_by(hinted, rule).height});
  const StackProblem problem = stack_problem(buffers, points);
  const BufferPacking best = pack_buffers(hinted, options);
  result.method = best.method;
  result.nodes = best.nodes;
  result.order = order_of(best);
  std::vector<int64_t> heights = heights_of(problem, result.order);
  const bool few = buffers.size() * buffers.size() <= kMostPairs / points.count();
  if (options.rule == BufferPackingRule::searched && few && heights != problem.bounds) {
    // What is good at one point may be good at all.
    std::vector<std::vector<int>> starts = {result.order};
    for (size_t point = 0; point < points.count(); ++point) {
      for (const BufferPacking& solution : pack_buffers_by_all(problem_at(buffers, points, point)))
        starts.push_back(order_of(solution));
    }
    std::sort(starts.begin() + 1, starts.end());
    starts.erase(std::unique(starts.begin() + 1, starts.end()), starts.end());
    Stacking found = search_stacking(problem, starts, options.node_budget > 0 ? kVisits : 0);
    if (found.order != result.order) {
      result.method = "stacking over " + std::to_string(points.count()) + " points";
      result.order = std::move(found.order);
      heights = std::move(found.heights);
    }
  }
  result.optimal_at_hints = heights[0] == problem.bounds[0];
  return result;
}

}  // namespace burin
