#include "select/device_sizes.h"

#include <algorithm>
#include <map>
#include <set>

#include "kernel/procedure_kernels.h"
#include "kernel/size_bound.h"
#include "select/launch_walk.h"
#include "support/check.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

using Reasons = std::map<std::string, std::string>;  // by symbol: why the host needs it

void add(const std::vector<Symbol>& symbols, const std::string& why, Reasons& out) {
  for (const Symbol& symbol : symbols) out.emplace(symbol->name, why);
}
void add(const Dim& dim, const std::string& why, Reasons& out) {
  std::vector<Symbol> symbols;
  dim.collect_symbols(symbols);
  add(symbols, why, out);
}
void add(const Expr& expr, const std::string& why, Reasons& out) {
  visit_indices(expr, [&](const Index& index) { add(index, why, out); });
}

// A size that one top-level step finds, and nothing else.
struct Finder {
  const Step* step;
  Symbol symbol;
};

class HostNeeds {
 public:
  explicit HostNeeds(KernelGraph& graph) : graph_(graph) {
    std::map<std::string, int> found;
    for_each_step(graph.steps, [&](const Step& step) {
      for (const Symbol& symbol : found_by(step)) ++found[symbol->name];
    });
    for (const Step& step : graph.steps) {
      const std::vector<Symbol> own = found_by(step);
      if (own.size() == 1 && found[own[0]->name] == 1 && may_be_found(step) &&
          bound_before_run(Index::symbol(own[0])))
        finders_[&step] = own[0];
    }
    for (const ValueId id : graph.outputs) {
      for (const Dim& dim : graph.values[static_cast<size_t>(id)].shape)
        add(dim, "an output's size depends on it", reasons_);
    }
    // What stays with the host needs what it is made of, and so on.
    size_t before;
    do {
      before = finders_.size() + reasons_.size();
      for_each_step(graph.steps, [&](const Step& step) { need(step); });
      std::erase_if(finders_, [&](const auto& one) { return reasons_.contains(one.second->name); });
    } while (before != finders_.size() + reasons_.size());
  }

  bool on_device(const Step& step) const { return finders_.contains(&step); }

 private:
  static std::vector<Symbol> found_by(const Step& step) {
    if (const auto* bind = std::get_if<Bind>(&step)) return {bind->symbol};
    if (const auto* procedure = std::get_if<Procedure>(&step)) return procedure->results;
    if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
      if ((*loop)->executed) return {(*loop)->executed};
    }
    return {};
  }

  bool may_be_found(const Step& step) const {
    if (std::holds_alternative<Bind>(step)) return true;
    const auto* procedure = std::get_if<Procedure>(&step);
    if (!procedure) return false;
    std::vector<Value> scratch = graph_.values;
    return as_kernels(*procedure, scratch).has_value();
  }

  void need(const Step& step) {
    if (on_device(step)) return;
    if (const auto* procedure = std::get_if<Procedure>(&step)) {
      for (const Dim& argument : procedure->arguments)
        add(argument, "a procedure gets it", reasons_);
    } else if (const auto* bind = std::get_if<Bind>(&step)) {
      add(bind->value, "a size of the host depends on it", reasons_);
    } else if (const auto* check = std::get_if<Check>(&step)) {
      for (const Condition& condition : check->guard) {
        for (const Index* index : {&condition.index, &condition.lo, &condition.hi})
          add(*index, "it is checked", reasons_);
      }
    } else if (const auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
      add((*branch)->condition, "a condition depends on it", reasons_);
    } else if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
      add((*loop)->condition, "a condition depends on it", reasons_);
      add((*loop)->trips, "a loop's trips depend on it", reasons_);
    }
  }

  KernelGraph& graph_;
  std::map<const Step*, Symbol> finders_;
  Reasons reasons_;
};

// What a Bind evaluates, by a kernel.
Kernel bind_kernel(const Bind& bind, ValueId to) {
  const Symbol& symbol = bind.symbol;
  const Expr most = Expr::index(*bound_before_run(Index::symbol(symbol)));
  Kernel out;
  out.name = "size of " + symbol->name;
  out.origins = bind.origins;
  const Expr inside = min(max(bind.value, Expr::constant(Type::i64, symbol->min)), most);
  out.writes = {{{}, to, {Index(0)}, inside, {}, How::store},
                {{}, to, {Index(1)}, bind.value, {}, How::store}};
  return out;
}

}  // namespace

const DeviceSize* DeviceSizes::held(const Symbol& symbol) const {
  for (const DeviceSize& one : sizes) {
    if (one.symbol->name == symbol->name) return one.on_host.empty() ? &one : nullptr;
  }
  return nullptr;
}

int DeviceSizes::place_of(ValueId value) const {
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i].value == value) return static_cast<int>(i);
  }
  return -1;
}

KernelGraph find_sizes_on_device(KernelGraph graph, DeviceSizes& sizes) {
  const HostNeeds needs(graph);
  Steps steps;
  const auto append = [&](const Step& step) {
    const auto* bind = std::get_if<Bind>(&step);
    if (!bind) {
      steps.push_back(step);
      return;
    }
    Value value;
    value.name = "size of " + bind->symbol->name;
    value.type = Type::i64;
    value.shape = {2};
    const auto id = static_cast<ValueId>(graph.values.size());
    graph.values.push_back(std::move(value));
    sizes.sizes.push_back({bind->symbol, id, {}});
    steps.emplace_back(bind_kernel(*bind, id));
    steps.emplace_back(Bind{bind->symbol, Expr::load(id, Type::i64, {Index(1)}), bind->origins});
  };
  for (const Step& step : graph.steps) {
    if (!needs.on_device(step)) {
      steps.push_back(step);
    } else if (const auto* procedure = std::get_if<Procedure>(&step)) {
      const std::optional<Steps> kernels = as_kernels(*procedure, graph.values);
      for (const Step& one : *kernels) append(one);
    } else {
      append(step);
    }
  }
  graph.steps = std::move(steps);
  return graph;
}

bool depends_on_device(const Dim& dim, const DeviceSizes& sizes) {
  std::vector<Symbol> symbols;
  dim.collect_symbols(symbols);
  return std::any_of(symbols.begin(), symbols.end(),
                     [&](const Symbol& symbol) { return sizes.held(symbol) != nullptr; });
}

Dim launched_for(const Dim& dim, const DeviceSizes& sizes) {
  if (!depends_on_device(dim, sizes)) return dim;
  const std::optional<Dim> most =
      bound_over(dim, [&](const Symbol& symbol) { return sizes.held(symbol) == nullptr; });
  BURIN_CHECK(most, "a launch over a size of the device that has no bound");
  return *most;
}

namespace {

class LaunchNeeds {
 public:
  explicit LaunchNeeds(Reasons& out) : out_(out) {}

  void look(const KernelSchedule& schedule, bool joint) {
    if (joint) add(symbols_of(Step(schedule.kernel)), "a joint launch depends on it", out_);
    if (schedule.images_read + schedule.images_written > 0)
      add(symbols_of(Step(schedule.kernel)), "a kernel over images depends on it", out_);
    look(schedule.launches);
  }

 private:
  void look(const LaunchNodes& nodes) {
    for (const LaunchNode& node : nodes) {
      if (const auto* loop = std::get_if<LaunchLoop>(&node.node)) {
        add(loop->begin, "the host counts launches by it", out_);
        add(loop->end, "the host counts launches by it", out_);
        look(loop->nodes);
      } else {
        look(std::get<Launch>(node.node));
      }
    }
  }

  void look(const Launch& launch) {
    for (size_t d = 0; d < launch.dimensions.size(); ++d) {
      const Dim& extent = launch.dimensions[d].extent;
      if (!bound_before_run(extent)) add(extent, "nothing bounds a launch over it", out_);
      if (launch.attention || (launch.product && d == 2))
        add(extent, "whole work-groups lie beyond it", out_);
    }
  }

  Reasons& out_;
};

}  // namespace

void decide_device_sizes(DeviceSizes& sizes, const std::map<int, KernelSchedule>& kernels,
                         const LaunchGroups& groups) {
  Reasons reasons;
  for (const auto& [position, schedule] : kernels)
    LaunchNeeds(reasons).look(schedule, groups.group_of(position) != nullptr);
  for (DeviceSize& one : sizes.sizes) {
    const auto why = reasons.find(one.symbol->name);
    one.on_host = why == reasons.end() ? std::string() : why->second;
  }
}

std::string to_string(const DeviceSizes& sizes) {
  std::string out;
  for (const DeviceSize& one : sizes.sizes) {
    out += quoted(one.symbol->name) + ": " +
           (one.on_host.empty() ? "on the device" : "the host reads it: " + one.on_host) + "\n";
  }
  return out;
}

}  // namespace burin
