#include "kernel/run_order.h"

#include <algorithm>

#include "support/check.h"

namespace burin {
namespace {

// A step with other lists inside of it: those that `change` makes of its own. Regions are shared
// between graphs, so they are copied.
template <class Change>
void change_lists(Step& step, const Change& change) {
  if (auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
    auto copy = std::make_shared<If>(**branch);
    change(copy->then_steps);
    change(copy->else_steps);
    *branch = std::move(copy);
  } else if (auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
    auto copy = std::make_shared<Loop>(**loop);
    change(copy->body);
    *loop = std::move(copy);
  }
}

void number(Steps& steps, int& next) {
  for (Step& step : steps) {
    if (step.id == kNoStep) step.id = StepId{next++};
    change_lists(step, [&](Steps& inner) { number(inner, next); });
  }
}

void sort_lists(Steps& steps, const Positions& positions) {
  for (Step& step : steps) change_lists(step, [&](Steps& inner) { sort_lists(inner, positions); });
  std::stable_sort(steps.begin(), steps.end(), [&](const Step& a, const Step& b) {
    return positions.at(a.id) < positions.at(b.id);
  });
}

}  // namespace

KernelGraph with_step_ids(KernelGraph graph) {
  int next = 0;
  for_each_step(graph.steps,
                [&](const Step& step) { next = std::max(next, static_cast<int>(step.id) + 1); });
  number(graph.steps, next);
  return graph;
}

RunOrder run_order(const Steps& steps) {
  RunOrder order;
  for_each_step(steps, [&](const Step& step) { order.push_back(step.id); });
  return order;
}

KernelGraph in_order(KernelGraph graph, const RunOrder& order) {
  BURIN_CHECK(order.size() == run_order(graph.steps).size(), "an order of other steps");
  sort_lists(graph.steps, Positions(order));
  return graph;
}

Positions::Positions(const RunOrder& order) {
  for (const StepId step : order) {
    const bool is_new = positions_.emplace(step, static_cast<int>(positions_.size())).second;
    BURIN_CHECK(is_new && step != kNoStep, "a step without an identity of its own");
  }
}

int Positions::at(StepId step) const {
  const auto found = positions_.find(step);
  BURIN_CHECK(found != positions_.end(), "no such step");
  return found->second;
}

std::string to_string(StepId step) { return std::to_string(static_cast<int>(step)); }

std::string to_string(const RunOrder& order) {
  std::string out;
  for (const StepId step : order) out += (out.empty() ? "" : " ") + to_string(step);
  return out;
}

}  // namespace burin
