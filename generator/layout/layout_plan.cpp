#include "layout/layout_plan.h"

#include <algorithm>
#include <cmath>

#include "support/diagnostics.h"

namespace burin {
namespace {

size_t cheapest(const std::vector<Cost>& costs) {
  return static_cast<size_t>(std::min_element(costs.begin(), costs.end()) - costs.begin());
}

// The part of a problem that some variables are, without edges to others.
Choice part_of(const Choice& choice, const std::vector<int>& variables) {
  Choice out;
  std::vector<int> number(choice.costs.size(), -1);
  for (const int v : variables) {
    number[static_cast<size_t>(v)] = static_cast<int>(out.costs.size());
    out.costs.push_back(choice.costs[static_cast<size_t>(v)]);
  }
  for (const Choice::Pair& pair : choice.pairs) {
    const int a = number[static_cast<size_t>(pair.a)], b = number[static_cast<size_t>(pair.b)];
    if (a >= 0 && b >= 0) out.pairs.push_back({a, b, pair.costs});
  }
  return out;
}

// What the later variable of an edge gains at most by another layout than the earlier one's choice
// leaves it, against what the edge can cost: GCD2's profitable transformation.
bool is_profitable(const Choice& choice, const Choice::Pair& pair) {
  const std::vector<Cost>& own = choice.costs[static_cast<size_t>(std::max(pair.a, pair.b))];
  const Cost gain =
      *std::max_element(own.begin(), own.end()) - *std::min_element(own.begin(), own.end());
  const Cost spread = *std::max_element(pair.costs.begin(), pair.costs.end()) -
                      *std::min_element(pair.costs.begin(), pair.costs.end());
  return gain > spread;
}

}  // namespace

std::vector<int> partitioned(const Choice& choice, int most) {
  const auto count = static_cast<int>(choice.costs.size());
  // A desirable edge enters a variable that has one predecessor, and is profitable there.
  std::vector<int> predecessors(choice.costs.size(), 0);
  for (const Choice::Pair& pair : choice.pairs)
    ++predecessors[static_cast<size_t>(std::max(pair.a, pair.b))];
  std::vector<bool> desirable(choice.costs.size(), false);
  for (const Choice::Pair& pair : choice.pairs) {
    const auto later = static_cast<size_t>(std::max(pair.a, pair.b));
    desirable[later] = predecessors[later] == 1 && is_profitable(choice, pair);
  }
  std::vector<int> states(choice.costs.size(), 0);
  for (int begin = 0; begin < count;) {
    int end = std::min(count, begin + most);
    // The last desirable edge of the piece ends it; without one it is cut where it is full.
    for (int v = end - 1; end < count && v > begin; --v) {
      if (!desirable[static_cast<size_t>(v)]) continue;
      end = v;
      break;
    }
    std::vector<int> variables;
    for (int v = begin; v < end; ++v) variables.push_back(v);
    const Solved solved = solve(part_of(choice, variables));
    for (int v = begin; v < end; ++v)
      states[static_cast<size_t>(v)] = solved.states[static_cast<size_t>(v - begin)];
    begin = end;
  }
  return states;
}

LayoutPlan plan_layouts(const KernelGraph& graph, const Hardware& hardware,
                        const LayoutOptions& options) {
  const LayoutProblem problem = layout_problem(graph, hardware, options);
  const Choice& choice = problem.choice;
  const size_t count = problem.values.size();
  LayoutPlan plan;
  plan.variables = static_cast<int>(count);
  plan.solved = solve(choice, options.solve);
  const auto total = [&](const std::vector<int>& states) {
    return plus(cost_of(choice, states), problem.fixed);
  };
  std::vector<int> local(count, 0), greedy(count, 0);
  double choices = 0;
  for (size_t v = 0; v < count; ++v) {
    local[v] = static_cast<int>(cheapest(choice.costs[v]));
    // Wishes are in the order of the kernels, so the second candidate is the first reader's or
    // maker's.
    greedy[v] = problem.layouts[v].size() > 1 ? 1 : 0;
    choices += std::log2(static_cast<double>(problem.layouts[v].size()));
  }
  plan.choices_log2 = static_cast<int>(choices);
  plan.row_major = total(std::vector<int>(count, 0));
  plan.local = total(local);
  plan.greedy = total(greedy);
  plan.partition13 = total(partitioned(choice, 13));
  plan.partition17 = total(partitioned(choice, 17));
  plan.layouts = layouts_of(problem, plan.solved.states);
  plan.copies = copies_of(problem, plan.solved.states);
  plan.solved.cost = plus(plan.solved.cost, problem.fixed);
  plan.solved.bound = plus(plan.solved.bound, problem.fixed);
  return plan;
}

std::string to_string(const LayoutPlan& plan, const KernelGraph& graph) {
  std::string out;
  for (const auto& [id, layout] : plan.layouts)
    out +=
        burin::quoted(graph.values[static_cast<size_t>(id)].name) + " " + to_string(layout) + "\n";
  for (const LayoutCopy& copy : plan.copies)
    out += burin::quoted(graph.values[static_cast<size_t>(copy.of)].name) + " copied as " +
           to_string(copy.layout) + "\n";
  return out;
}

}  // namespace burin
