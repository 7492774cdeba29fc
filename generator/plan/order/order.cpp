#include "plan/order/order.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "kernel/defined_symbols.h"
#include "kernel/place_of.h"
#include "plan/memory/bytes.h"
#include "plan/memory/lifetime.h"
#include "plan/packing/regret.h"
#include "plan/packing/size_points.h"
#include "support/at.h"
#include "support/check.h"

namespace burin {
namespace {

// The lists inside a step, in their order.
std::vector<const Steps*> lists_in(const Step& step) {
  if (const auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
    return {&(*branch)->then_steps, &(*branch)->else_steps};
  }
  if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) return {&(*loop)->body};
  return {};
}

// Also those in the shapes of what it touches: addresses are made with them.
std::set<std::string> used_symbols(const Step& step, const std::vector<ValueId>& touched,
                                   const KernelGraph& graph) {
  std::set<std::string> names;
  for (const Symbol& symbol : symbols_of(step)) names.insert(symbol->name);
  std::vector<Symbol> symbols;
  for (const ValueId value : touched) {
    for (const Dim& dim : graph.values[at(value)].shape) dim.collect_symbols(symbols);
  }
  for (const Symbol& symbol : symbols) names.insert(symbol->name);
  return names;
}

// What a step of a list does, with everything inside it. Values and symbols by name, in one space.
struct Effects {
  std::set<std::string> reads, changes;
  std::vector<ValueId> touches;
};

Effects effects_of(const Step& step, const KernelGraph& graph) {
  Effects effects;
  for (const ValueId id : reads_of(step)) {
    effects.reads.insert("value " + std::to_string(id));
    effects.touches.push_back(id);
  }
  for (const ValueId id : writes_of(step)) {
    effects.changes.insert("value " + std::to_string(id));
    effects.touches.push_back(id);
  }
  for (const std::string& name : used_symbols(step, effects.touches, graph)) {
    effects.reads.insert("symbol " + name);
  }
  for (const std::string& name : defined_symbols(step)) effects.changes.insert("symbol " + name);
  return effects;
}

// Collects, for the steps of a list one after the other, which earlier ones each must follow.
class Dependences {
 public:
  std::vector<int> add(const Step& step, const Effects& effects) {
    const int node = nodes_++;
    std::set<int> before;
    if (barrier_ >= 0) before.insert(barrier_);
    for (const std::string& thing : effects.reads) {
      Uses& uses = uses_[thing];
      if (uses.writer >= 0) before.insert(uses.writer);
      uses.readers.push_back(node);
    }
    for (const std::string& thing : effects.changes) {
      Uses& uses = uses_[thing];
      if (uses.writer >= 0) before.insert(uses.writer);
      for (const int reader : uses.readers) {
        if (reader != node) before.insert(reader);
      }
      uses = {node, {}};
    }
    if (std::holds_alternative<Check>(step)) barrier_ = node;
    return {before.begin(), before.end()};
  }

 private:
  struct Uses {
    int writer = -1;           // the last one
    std::vector<int> readers;  // since then
  };
  std::map<std::string, Uses> uses_;
  int nodes_ = 0;
  int barrier_ = -1;  // the last check: what follows relies on it
};

// What takes memory: internal values that steps touch, as numbers of elements, and scratch of
// procedures.
struct MemoryNeed {
  Dim size;
  ValueId id = kNoValue;  // of a value
  const Step* step = nullptr;
};

std::vector<MemoryNeed> needs_in(const KernelGraph& graph) {
  std::vector<MemoryNeed> needs;
  std::set<ValueId> seen;
  for_each_step(graph.steps, [&](const Step& step) {
    for (const auto& touched : {reads_of(step), writes_of(step)}) {
      for (const ValueId id : touched) {
        if (graph.values[at(id)].kind == ValueKind::internal && seen.insert(id).second)
          needs.push_back({product(graph.values[at(id)].shape), id, nullptr});
      }
    }
    if (const auto* procedure = std::get_if<Procedure>(&step))
      needs.push_back({procedure->scratch_bytes, kNoValue, &step});
  });
  return needs;
}

// Their bytes. A refusal of one that nothing bounds names the sizes of all of them.
std::vector<Dim> sizes_in(const KernelGraph& graph) {
  const std::vector<MemoryNeed> needs = needs_in(graph);
  std::vector<Symbol> open;
  for (const MemoryNeed& need : needs) collect_open(need.size, open);
  std::vector<Dim> sizes;
  for (const MemoryNeed& need : needs) {
    if (need.id != kNoValue) {
      sizes.push_back(memory_bytes(graph, need.id, open));
    } else {
      sizes.push_back(at_place([&] { return place_of(*need.step); },
                               [&] { return bound_of(need.size, "its working memory", open); }));
    }
  }
  return sizes;
}

// By the sizes of all that the step touches, inputs and outputs too, and those that it computes
// with.
PartClass class_of(const Step& step, const std::vector<ValueId>& touches,
                   const KernelGraph& graph) {
  std::vector<Symbol> symbols = symbols_of(step);
  for (const ValueId id : touches) {
    for (const Dim& dim : graph.values[at(id)].shape) dim.collect_symbols(symbols);
  }
  PartClass result = PartClass::constant;
  for (const Symbol& symbol : symbols) {
    result =
        std::max(result, symbol->origin == SymbolOrigin::param ? PartClass::mixed : PartClass::nac);
  }
  return result;
}

class Orderer {
 public:
  Orderer(const KernelGraph& graph, const SizePoints& points, const OrderOptions& options)
      : graph_(graph), points_(points), options_(options) {
    home_.assign(graph.values.size(), kNoList);
    find_homes(graph.steps, kNoList);
  }

  OrderPlan run() {
    plan_.optimal = true;
    order_list(graph_.steps);
    size_t list = 0;
    plan_.order = ordered(graph_.steps, list);
    return std::move(plan_);
  }

 private:
  static constexpr int kNoList = -1;

  // The home of a value is the innermost list with all its uses. Lists are numbered as in the plan.
  void find_homes(const Steps& steps, int parent) {
    const auto list = static_cast<int>(parents_.size());
    parents_.push_back(parent);
    for (const Step& step : steps) {
      for (const ValueId value : touched_itself(step)) {
        int& home = home_[at(value)];
        home = home == kNoList ? list : common(home, list);
      }
      for (const Steps* inner : lists_in(step)) find_homes(*inner, list);
    }
  }

  // The innermost list around both. A list has a higher number than what is around it.
  int common(int a, int b) const {
    while (a != b) {
      if (a > b) {
        a = parents_[at(a)];
      } else {
        b = parents_[at(b)];
      }
    }
    return a;
  }

  // Values of the step without what is inside it.
  static std::vector<ValueId> touched_itself(const Step& step) {
    std::vector<ValueId> touched;
    const auto on_node = [&](const ExprNode& node) {
      if (node.kind == ExprKind::load) touched.push_back(node.id);
    };
    if (const auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
      visit((*branch)->condition, on_node);
    } else if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
      if ((*loop)->condition) visit((*loop)->condition, on_node);
      visit((*loop)->trips, on_node);
    } else {
      touched = reads_of(step);
      const std::vector<ValueId> writes = writes_of(step);
      touched.insert(touched.end(), writes.begin(), writes.end());
    }
    return touched;
  }

  // Bytes of a value of the list at every point.
  void add_value(ValueId id, OrderProblem& problem) const {
    problem.bytes.push_back(memory_bytes(graph_, id));
    for (size_t k = 0; k < points_.count(); ++k)
      problem.sizes[k].push_back(points_.evaluate(problem.bytes.back(), k));
  }

  // What the step needs inside, at every point.
  std::vector<int64_t> extra_of(const Step& step) {
    std::vector<int64_t> extra(points_.count(), 0);
    for (const Steps* inner : lists_in(step)) {
      const std::vector<int64_t> peaks = order_list(*inner);
      for (size_t k = 0; k < extra.size(); ++k) extra[k] = std::max(extra[k], peaks[k]);
    }
    if (const auto* procedure = std::get_if<Procedure>(&step)) {
      for (size_t k = 0; k < extra.size(); ++k)
        extra[k] = points_.evaluate(bound_of(procedure->scratch_bytes), k);
    }
    return extra;
  }

  // Orders the list and all inside it; returns its peak at every point.
  std::vector<int64_t> order_list(const Steps& steps) {
    const size_t number = lists_.size();
    lists_.emplace_back();
    OrderProblem problem;
    problem.nodes = static_cast<int>(steps.size());
    problem.extra.resize(points_.count());
    problem.sizes.resize(points_.count());
    std::map<ValueId, int> values;
    Dependences dependences;
    for (const Step& step : steps) {
      const std::vector<int64_t> extra = extra_of(step);
      for (size_t k = 0; k < extra.size(); ++k) problem.extra[k].push_back(extra[k]);
      const Effects effects = effects_of(step, graph_);
      problem.after.push_back(dependences.add(step, effects));
      problem.cuts.push_back(!defined_symbols(step).empty());
      problem.classes.push_back(
          class_of(step, {effects.touches.begin(), effects.touches.end()}, graph_));
      std::set<int> touched;
      for (const ValueId id : effects.touches) {
        const Value& value = graph_.values[at(id)];
        if (value.kind != ValueKind::internal || home_[at(id)] != static_cast<int>(number))
          continue;
        const auto [found, is_new] = values.try_emplace(id, static_cast<int>(problem.bytes.size()));
        if (is_new) add_value(id, problem);
        touched.insert(found->second);
      }
      problem.touches.emplace_back(touched.begin(), touched.end());
    }
    OrderSolution solution = search_order(problem, options_.limits);
    plan_.optimal = plan_.optimal && solution.optimal;
    lists_[number] = std::move(solution.order);
    for (OrderedPart& part : solution.parts)
      plan_.parts.push_back({static_cast<int>(number), std::move(part), {}});
    return solution.peaks;
  }

  // The steps of the list with the number `list` and all inside them, as they run. Lists are
  // numbered in the given order, so what lies in the steps comes first.
  RunOrder ordered(const Steps& steps, size_t& list) const {
    const std::vector<int>& order = lists_[list++];
    std::vector<RunOrder> runs;  // by place in the given order
    for (const Step& step : steps) {
      runs.push_back({step.id});
      for (const Steps* inner : lists_in(step)) append(ordered(*inner, list), runs.back());
    }
    RunOrder out;
    for (const int place : order) append(runs[at(place)], out);
    return out;
  }

  static void append(const RunOrder& what, RunOrder& to) {
    to.insert(to.end(), what.begin(), what.end());
  }

  const KernelGraph& graph_;
  const SizePoints& points_;
  const OrderOptions& options_;
  std::vector<std::vector<int>> lists_;  // [k][i]: the place in the given order of what runs i-th
  std::vector<int> parents_;             // by list
  std::vector<int> home_;                // by value: a list
  OrderPlan plan_;
};

// The largest sum of live bytes at every point, nothing shared, from the lifetimes that the memory
// plan uses.
std::vector<int64_t> live_peaks(const KernelGraph& graph, const SizePoints& points) {
  const std::vector<Position> positions = positions_of(graph);
  const std::vector<Lifetime> lives = lifetimes_of(graph, positions);
  std::vector<std::vector<int64_t>> sums(points.count(), std::vector<int64_t>(positions.size(), 0));
  for (size_t v = 0; v < graph.values.size(); ++v) {
    if (graph.values[v].kind != ValueKind::internal) continue;
    const PositionSet& held = lives[v].held;
    if (held.empty()) continue;
    const Dim size = memory_bytes(graph, static_cast<ValueId>(v));
    for (size_t k = 0; k < points.count(); ++k) {
      const int64_t bytes = points.evaluate(size, k);
      held.for_each([&](size_t p) { sums[k][p] += bytes; });
    }
  }
  std::vector<int64_t> peaks;
  for (const std::vector<int64_t>& sum : sums)
    peaks.push_back(sum.empty() ? 0 : *std::max_element(sum.begin(), sum.end()));
  return peaks;
}

// Not above the given peak at the first point, and below it by so much there or at all together.
bool is_gain(const std::vector<int64_t>& given, const std::vector<int64_t>& now, int64_t percent) {
  if (now[0] > given[0]) return false;
  if (now[0] < given[0] - given[0] / 100 * percent) return true;
  int64_t above = 0;  // millionths, of all points
  for (size_t k = 0; k < given.size(); ++k) above += millionths_above(now[k], given[k]);
  return above < -percent * 10000 * static_cast<int64_t>(given.size());
}

// The steps of each list, in the numbers of the plan, as they stand in a graph.
std::vector<std::vector<StepId>> lists_of(const KernelGraph& graph, const Positions& positions) {
  std::vector<std::vector<StepId>> out;
  const std::function<void(const Steps&)> add = [&](const Steps& steps) {
    const size_t number = out.size();
    out.emplace_back();
    for (const Step& step : steps) {
      out[number].push_back(step.id);
      for (const Steps* inner : lists_in(step)) add(*inner);
    }
    std::sort(out[number].begin(), out[number].end(),
              [&](StepId a, StepId b) { return positions.at(a) < positions.at(b); });
  };
  add(graph.steps);
  return out;
}

}  // namespace

OrderPlan plan_order(const KernelGraph& graph, const OrderOptions& options) {
  const SizePoints points(sizes_in(graph));
  OrderPlan plan = Orderer(graph, points, options).run();
  const std::vector<int64_t> given = live_peaks(graph, points);
  const std::vector<int64_t> now = live_peaks(in_order(graph, plan.order), points);
  plan.given_peak = given[0];
  plan.peak = now[0];
  if (!is_gain(given, now, options.least_gain_percent)) {
    plan.peak = plan.given_peak;
    plan.order = run_order(graph.steps);
  }
  const std::vector<std::vector<StepId>> lists = lists_of(graph, Positions(plan.order));
  for (PartReport& report : plan.parts) {
    const auto first = lists[at(report.list)].begin() + report.part.first;
    report.steps.assign(first, first + report.part.nodes);
  }
  return plan;
}

std::string to_string(const OrderPlan& plan) {
  std::string text = "peak " + std::to_string(plan.peak) + " bytes, in the given order " +
                     std::to_string(plan.given_peak) + (plan.optimal ? ", optimal\n" : "\n");
  text += "order: " + to_string(plan.order) + "\n";
  for (const auto& [list, part, steps] : plan.parts) {
    text += "list " + std::to_string(list) + ", steps " + std::to_string(part.first) + " to " +
            std::to_string(part.first + part.nodes - 1) + ": " +
            std::string(to_string(part.part_class)) + ", " + part.method + "\n";
  }
  return text;
}

}  // namespace burin
