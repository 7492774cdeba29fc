#include "fuse/access/shared.h"

namespace burin {
namespace {

bool is_region(const Step& step) {
  return std::holds_alternative<std::shared_ptr<If>>(step) ||
         std::holds_alternative<std::shared_ptr<Loop>>(step);
}

template <class T>  // an expression or an index
void count_loads(const T& expr, std::map<ValueId, int>& counts) {
  visit(expr, [&](const ExprNode& node) {
    if (node.kind == ExprKind::load) ++counts[node.id];
  });
}

}  // namespace

Touched::Touched(const KernelGraph& graph) {
  for (const ValueId id : graph.outputs) ++blocks_[id];
  count_regions(graph.steps);
}

// The lists themselves, and what decides whether and how often they run.
void Touched::count_regions(const Steps& steps) {
  count(steps, 1);
  for (const Step& step : steps) {
    if (const auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
      count_loads((*branch)->condition, blocks_);
      count_regions((*branch)->then_steps);
      count_regions((*branch)->else_steps);
    } else if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
      count_loads((*loop)->condition, blocks_);
      count_loads((*loop)->trips, blocks_);
      count_regions((*loop)->body);
    }
  }
}

void Touched::count(const Steps& block, int change) {
  std::set<ValueId> touched;
  for (const Step& step : block) {
    if (is_region(step)) continue;
    for (const ValueId id : reads_of(step)) touched.insert(id);
    for (const ValueId id : writes_of(step)) {
      touched.insert(id);
      writers_[id] += change;
    }
  }
  for (const ValueId id : touched) blocks_[id] += change;
}

Shared Touched::take(const Steps& block) {
  Shared shared;
  std::set<ValueId> touched;
  for (const Step& step : block) {
    for (const std::vector<ValueId>& ids : {reads_of(step), writes_of(step)}) {
      touched.insert(ids.begin(), ids.end());
      if (is_region(step)) shared.values.insert(ids.begin(), ids.end());
    }
  }
  for (const ValueId id : touched) {
    const auto writers = writers_.find(id);
    if (writers != writers_.end()) shared.writers.insert(*writers);
  }
  count(block, -1);
  for (const ValueId id : touched) {
    const auto others = blocks_.find(id);
    if (others != blocks_.end() && others->second > 0) shared.values.insert(id);
  }
  return shared;
}

}  // namespace burin
