// The checker of orders: marks who reads and changes what, in the given order, and asks of every
// pair that meets whether it still runs that way round.
#include <algorithm>
#include <map>

#include "plan/order/order.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

// A thing that steps read or change: "value 3", "symbol n".
using Things = std::map<std::string, bool>;  // changed?

void note(Things& things, const std::string& thing, bool changed) {
  things[thing] = things[thing] || changed;
}

// Of one step and all inside it.
Things things_of(const Step& step, const KernelGraph& graph) {
  Things things;
  const auto note_value = [&](ValueId id, bool changed) {
    note(things, "value " + std::to_string(id), changed);
    for (const Dim& dim : graph.values[static_cast<size_t>(id)].shape) {
      std::vector<Symbol> symbols;
      dim.collect_symbols(symbols);
      for (const Symbol& symbol : symbols) note(things, "symbol " + quoted(symbol->name), false);
    }
  };
  for (const ValueId id : reads_of(step)) note_value(id, false);
  for (const ValueId id : writes_of(step)) note_value(id, true);
  for (const Symbol& symbol : symbols_of(step)) {
    note(things, "symbol " + quoted(symbol->name), false);
  }
  for_each_step({step}, [&](const Step& inner) {
    if (const Bind* bind = std::get_if<Bind>(&inner)) {
      note(things, "symbol " + quoted(bind->symbol->name), true);
    } else if (const Procedure* procedure = std::get_if<Procedure>(&inner)) {
      for (const Symbol& symbol : procedure->results) {
        note(things, "symbol " + quoted(symbol->name), true);
      }
    } else if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&inner)) {
      if ((*loop)->executed) note(things, "symbol " + quoted((*loop)->executed->name), true);
    }
  });
  return things;
}

class OrderChecker {
 public:
  explicit OrderChecker(const KernelGraph& graph) : graph_(graph) {}

  std::string run(const RunOrder& order) {
    size_t steps = 0;
    for_each_step(graph_.steps, [&](const Step&) { ++steps; });
    if (order.size() != steps) return "an order of another length";
    for (const StepId step : order) {
      if (!when_.emplace(step, when_.size()).second) return "a step runs twice";
    }
    size_t next = 0;
    return check_list(graph_.steps, next);
  }

 private:
  // What of the list runs next, at `next`, and so on.
  std::string check_list(const Steps& steps, size_t& next) {
    std::map<size_t, const Step*> runs;
    for (const Step& step : steps) {
      const auto found = when_.find(step.id);
      if (found == when_.end()) return "step " + to_string(step.id) + " does not run";
      runs.emplace(found->second, &step);
    }
    for (const auto& [when, step] : runs) {
      if (when != next++)
        return "step " + to_string(step->id) + " does not run with the others of its list";
      std::string fault;
      if (const auto* branch = std::get_if<std::shared_ptr<If>>(step)) {
        fault = check_list((*branch)->then_steps, next);
        if (fault.empty()) fault = check_list((*branch)->else_steps, next);
      } else if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(step)) {
        fault = check_list((*loop)->body, next);
      }
      if (!fault.empty()) return fault;
    }
    return check_pairs(steps);
  }

  std::string check_pairs(const Steps& steps) const {
    std::vector<Things> things;
    for (const Step& step : steps) things.push_back(things_of(step, graph_));
    std::vector<size_t> when;
    for (const Step& step : steps) when.push_back(when_.at(step.id));
    size_t latest = 0;  // of those in front
    for (size_t b = 0; b < steps.size(); ++b) {
      latest = std::max(latest, when[b]);
      if (latest == when[b]) continue;  // it is behind all of them still
      for (size_t a = 0; a < b; ++a) {
        if (when[a] < when[b]) continue;
        const std::string pair =
            "steps " + to_string(steps[a].id) + " and " + to_string(steps[b].id);
        if (std::holds_alternative<Check>(steps[a])) return pair + " pass a check";
        for (const auto& [thing, changed] : things[a]) {
          const auto found = things[b].find(thing);
          if (found != things[b].end() && (changed || found->second))
            return pair + " meet at " + thing;
        }
      }
    }
    return {};
  }

  const KernelGraph& graph_;
  std::map<StepId, size_t> when_;
};

}  // namespace

std::string check_order(const KernelGraph& graph, const OrderPlan& plan) {
  return OrderChecker(graph).run(plan.order);
}

}  // namespace burin
