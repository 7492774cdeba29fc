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

std::string check_list(const Steps& steps, const OrderPlan& plan, size_t& number,
                       const KernelGraph& graph) {
  const std::string list = "list " + std::to_string(number);
  if (number >= plan.lists.size()) return list + " is missing";
  const std::vector<int>& order = plan.lists[number++];
  if (order.size() != steps.size()) return list + " has another length";
  std::vector<int> when(steps.size(), -1);  // by place in the given order
  for (size_t i = 0; i < order.size(); ++i) {
    const auto place = static_cast<size_t>(order[i]);
    if (order[i] < 0 || place >= steps.size() || when[place] >= 0) {
      return list + " is no permutation";
    }
    when[place] = static_cast<int>(i);
  }
  std::vector<Things> things;
  for (const Step& step : steps) things.push_back(things_of(step, graph));
  for (size_t b = 0; b < steps.size(); ++b) {
    for (size_t a = 0; a < b; ++a) {
      if (when[a] < when[b]) continue;
      const std::string pair = list + ": steps " + std::to_string(a) + " and " + std::to_string(b);
      if (std::holds_alternative<Check>(steps[a])) return pair + " pass a check";
      for (const auto& [thing, changed] : things[a]) {
        const auto found = things[b].find(thing);
        if (found != things[b].end() && (changed || found->second)) {
          return pair + " meet at " + thing;
        }
      }
    }
  }
  for (const Step& step : steps) {
    std::string fault;
    if (const auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
      fault = check_list((*branch)->then_steps, plan, number, graph);
      if (fault.empty()) fault = check_list((*branch)->else_steps, plan, number, graph);
    } else if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
      fault = check_list((*loop)->body, plan, number, graph);
    }
    if (!fault.empty()) return fault;
  }
  return {};
}

}  // namespace

std::string check_order(const KernelGraph& graph, const OrderPlan& plan) {
  size_t number = 0;
  const std::string fault = check_list(graph.steps, plan, number, graph);
  if (!fault.empty()) return fault;
  return number == plan.lists.size() ? std::string() : "there are more lists than the graph has";
}

}  // namespace burin
