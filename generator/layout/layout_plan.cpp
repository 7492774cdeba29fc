#include "layout/layout_plan.h"

#include <algorithm>
#include <cmath>

#include "layout/layout_cost.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

// The state that is best for the kernel that makes a tensor, which is there if the graph has it.
int cheapest_present(const LayoutProblem& problem, size_t variable) {
  const std::vector<Cost>& costs = problem.choice.costs[variable];
  if (problem.layouts[variable][0].empty()) return 0;
  size_t best = 0;
  for (size_t s = 1; s < costs.size(); ++s) {
    if (!problem.layouts[variable][s].empty() && costs[s] < costs[best]) best = s;
  }
  return static_cast<int>(best);
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

Cost cost_at_once(const KernelGraph& graph, const Forms& forms, const LayoutPlan& plan,
                  const Hardware& hardware, const LayoutOptions& options) {
  Layouts layouts = plan.layouts;
  KernelGraph changed = with_copies(with_forms(graph, forms, plan.forms), plan.copies, layouts);
  Cost total = 0;
  for (const Step& step : changed.steps) {
    const Kernel* kernel = std::get_if<Kernel>(&step);
    if (!kernel) continue;
    Layouts own;
    for (const auto& ids : {reads_of(step), writes_of(step)}) {
      for (const ValueId id : ids) {
        if (const auto at = layouts.find(id); at != layouts.end()) own.insert(*at);
      }
    }
    LayoutCost cost(*kernel, changed.values, hardware, {false, options.tuning});
    total = plus(total, cost.in(own));
  }
  return total;
}

LayoutPlan plan_layouts(const KernelGraph& graph, const Forms& forms, const Hardware& hardware,
                        const LayoutOptions& options) {
  const LayoutProblem problem = layout_problem(graph, forms, hardware, options);
  const Choice& choice = problem.choice;
  const size_t count = problem.values.size();
  LayoutPlan plan;
  plan.variables = static_cast<int>(count);
  plan.doubtful = static_cast<int>(forms.forms.size());
  plan.solved = solve(choice, options.solve);
  const auto total = [&](std::vector<int> states) {
    states.resize(count);
    return plus(cost_of(choice, problem.followed(forms, std::move(states))), problem.fixed);
  };
  std::vector<int> local(count, 0), greedy(count, 0);
  double choices = 0;
  for (size_t v = 0; v < count; ++v) {
    local[v] = cheapest_present(problem, v);
    // Wishes are in the order of the kernels, so the second candidate is the first reader's or
    // maker's.
    greedy[v] = problem.layouts[v].size() > 1 && !problem.layouts[v][1].empty() &&
                        !problem.layouts[v][0].empty()
                    ? 1
                    : 0;
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
  plan.forms = forms_of(problem, forms, plan.solved.states);
  plan.places = static_cast<int>(problem.in_place.size());
  for (const InPlace& one : problem.in_place)
    plan.in_place += shares_place(problem, one, plan.solved.states);
  plan.at_once = cost_at_once(graph, forms, plan, hardware, options);
  for (const InPlace& one : problem.in_place) {
    if (!shares_place(problem, one, plan.solved.states))
      plan.at_once = plus(plan.at_once, one.gain);
  }
  plan.solved.cost = plus(plan.solved.cost, problem.fixed);
  plan.solved.bound = plus(plan.solved.bound, problem.fixed);
  return plan;
}

std::string to_string(const LayoutPlan& plan, const Forms& forms) {
  const auto name = [&](ValueId id) {
    return burin::quoted(forms.values[static_cast<size_t>(id)].name);
  };
  std::string out;
  for (const int number : plan.forms) {
    const Form& form = forms.forms[static_cast<size_t>(number)];
    out += name(form.tensor) +
           (form.appears ? " is a tensor of its own\n" : " is computed by its readers\n");
  }
  for (const auto& [id, layout] : plan.layouts) out += name(id) + " " + to_string(layout) + "\n";
  for (const LayoutCopy& copy : plan.copies)
    out += name(copy.of) + " copied as " + to_string(copy.layout) + "\n";
  return out;
}

}  // namespace burin
