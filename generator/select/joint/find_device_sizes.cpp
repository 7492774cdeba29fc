// Which sizes can be found on the device, and the steps that do it (device_sizes.h).
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "kernel/index/size_bound.h"
#include "kernel/procedures/procedure_kernels.h"
#include "select/joint/device_sizes.h"

namespace burin {
namespace {

// Sizes that the host must know, and what need not bring it in.
class HostNeeds {
 public:
  HostNeeds(const KernelGraph& graph, const Hardware& hardware)
      : graph_(graph), hardware_(hardware) {
    for (const Step& step : graph.steps) {
      const auto* procedure = std::get_if<Procedure>(&step);
      if (std::holds_alternative<Check>(step)) checks_.insert(&step);
      if (procedure && gains(*procedure)) moved_.insert(&step);
    }
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
      for (const Dim& dim : graph.values[static_cast<size_t>(id)].shape) add(dim);
    }
    // What stays with the host needs what it is made of, and so on; one may go where another comes.
    std::pair<size_t, size_t> before;
    do {
      before = {finders_.size(), known_.size()};
      for_each_step(graph.steps, [&](const Step& step) { need(step); });
      std::erase_if(finders_, [&](const auto& one) { return known_.contains(one.second->name); });
    } while (before != std::pair(finders_.size(), known_.size()));
  }

  bool on_device(const Step& step) const { return finders_.contains(&step); }
  // Whether a procedure is kernels; the host may have to know what size they find.
  bool by_kernels(const Step& step) const { return moved_.contains(&step); }
  // Whether sizes that stay on the device are checked.
  bool on_device(const Check& check) const {
    const std::vector<Symbol> symbols = symbols_of(Step(check));
    return std::any_of(symbols.begin(), symbols.end(), [&](const Symbol& symbol) {
      return std::any_of(finders_.begin(), finders_.end(),
                         [&](const auto& finder) { return finder.second->name == symbol->name; });
    });
  }

 private:
  static std::vector<Symbol> found_by(const Step& step) {
    if (const auto* bind = std::get_if<Bind>(&step)) return {bind->symbol};
    if (const auto* procedure = std::get_if<Procedure>(&step)) return procedure->results;
    if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
      if ((*loop)->executed) return {(*loop)->executed};
    }
    return {};
  }

  // Whether all lanes are done before one work-item, which stands for a host that starts at once,
  // and before the host has waited.
  bool gains(const Procedure& procedure) const {
    std::vector<Value> scratch = graph_.values;
    const std::optional<ProcedureKernels> form = as_kernels(procedure, scratch);
    const OpenClDevice& device = hardware_.opencl;
    if (!form || (form->needs_fp64 && !device.fp64)) return false;
    const double lanes = static_cast<double>(device.compute_units) * device.wave_size;
    const double waited = static_cast<double>(device.launch_us) * hardware_.clock_mhz;
    return form->operations / lanes <= form->host_operations * device.operation_cycles + waited;
  }

  // Whether all of it lies in the caller's memory, or is known before the run.
  bool host_has(const Expr& expr) const {
    bool there = true;
    visit(expr, [&](const ExprNode& node) {
      if (node.kind != ExprKind::load) return;
      const ValueKind kind = graph_.values[static_cast<size_t>(node.id)].kind;
      there = there && (kind == ValueKind::input || kind == ValueKind::constant);
    });
    visit_indices(expr, [&](const Index& index) {
      there = there && (index.has_data() || is_known_before_run(index));
    });
    return there;
  }

  bool may_be_found(const Step& step) const {
    if (const auto* bind = std::get_if<Bind>(&step)) return !host_has(bind->value);
    const auto* procedure = std::get_if<Procedure>(&step);
    if (!procedure) return false;
    return gains(*procedure);
  }

  void add(const Dim& dim) {
    std::vector<Symbol> symbols;
    dim.collect_symbols(symbols);
    for (const Symbol& symbol : symbols) known_.insert(symbol->name);
  }
  void add(const Expr& expr) {
    visit_indices(expr, [&](const Index& index) { add(index); });
  }

  void need(const Step& step) {
    if (finders_.contains(&step) || moved_.contains(&step)) return;
    if (const auto* procedure = std::get_if<Procedure>(&step)) {
      for (const Dim& argument : procedure->arguments) add(argument);
    } else if (const auto* bind = std::get_if<Bind>(&step)) {
      add(bind->value);
    } else if (const auto* check = std::get_if<Check>(&step)) {
      if (checks_.contains(&step)) return;
      for (const Condition& condition : check->guard) {
        for (const Index* index : {&condition.index, &condition.lo, &condition.hi}) add(*index);
      }
    } else if (const auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
      add((*branch)->condition);
    } else if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
      add((*loop)->condition);
      add((*loop)->trips);
    }
  }

  const KernelGraph& graph_;
  const Hardware& hardware_;
  std::set<const Step*> checks_;  // outside of regions: a kernel can test them
  std::set<const Step*> moved_;   // procedures that are kernels
  std::map<const Step*, Symbol> finders_;
  std::set<std::string> known_;  // by the host
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

// The steps of a graph with those that find and check sizes on the device.
class Finding {
 public:
  Finding(KernelGraph& graph, DeviceSizes& sizes, const Hardware& hardware)
      : graph_(graph), sizes_(sizes), needs_(graph, hardware) {}

  Steps run() {
    for (const Step& step : graph_.steps) {
      const auto* procedure = std::get_if<Procedure>(&step);
      const auto* check = std::get_if<Check>(&step);
      if (check && needs_.on_device(*check)) {
        take(*check);
      } else if (procedure && needs_.by_kernels(step)) {
        take(*procedure, needs_.on_device(step));
      } else if (!needs_.on_device(step)) {
        steps_.push_back(step);
      } else {
        take(std::get<Bind>(step));
      }
    }
    return std::move(steps_);
  }

 private:
  void take(const Procedure& procedure, bool on_device) {
    const std::optional<ProcedureKernels> form = as_kernels(procedure, graph_.values);
    for (const Step& one : form->steps) {
      const auto* bind = std::get_if<Bind>(&one);
      if (bind && on_device) {
        take(*bind);
      } else {
        steps_.push_back(one);
      }
    }
  }

  DeviceSize& take(const Bind& bind) {
    Value value;
    value.name = "size of " + bind.symbol->name;
    value.type = Type::i64;
    value.shape = {2};
    const auto id = static_cast<ValueId>(graph_.values.size());
    graph_.values.push_back(std::move(value));
    sizes_.sizes.push_back({bind.symbol, id, {}, {}, 0, static_cast<int>(sizes_.sizes.size())});
    steps_.emplace_back(bind_kernel(bind, id));
    steps_.emplace_back(Bind{bind.symbol, Expr::load(id, Type::i64, {Index(1)}), bind.origins});
    return sizes_.sizes.back();
  }

  // A flag, and a check of that: what comes behind it stays there.
  void take(const Check& check) {
    const Symbol flag =
        std::make_shared<SymbolInfo>(SymbolInfo{name_of_flag(), SymbolOrigin::run, 0, 1});
    Guard guard = check.guard;
    if (flag_) guard.insert(guard.begin(), {Index::symbol(flag_), 1, 2});
    const Expr holds = Expr::cases({{std::move(guard), Expr::constant(Type::i64, 1)}},
                                   Expr::constant(Type::i64, 0));
    take(Bind{flag, holds, check.origins}).check =
        check.what + (check.origins.empty() ? "" : " of " + check.origins.front().node);
    steps_.emplace_back(Check{{{Index::symbol(flag), 1, 2}}, check.what, check.origins});
    flag_ = flag;
  }

  // One that no size of the model has.
  std::string name_of_flag() {
    if (names_.empty()) {
      for_each_step(graph_.steps, [&](const Step& step) {
        for (const Symbol& symbol : symbols_of(step)) names_.insert(symbol->name);
      });
      for (const Symbol& symbol : graph_.symbols) names_.insert(symbol->name);
    }
    std::string name;
    do {
      name = "check_" + std::to_string(flags_++);
    } while (!names_.insert(name).second);
    return name;
  }

  KernelGraph& graph_;
  DeviceSizes& sizes_;
  HostNeeds needs_;
  Steps steps_;
  Symbol flag_;  // of the last check
  int flags_ = 0;
  std::set<std::string> names_;
};

}  // namespace

KernelGraph find_sizes_on_device(KernelGraph graph, DeviceSizes& sizes, const Hardware& hardware) {
  Steps steps = Finding(graph, sizes, hardware).run();
  graph.steps = std::move(steps);
  return graph;
}

}  // namespace burin
