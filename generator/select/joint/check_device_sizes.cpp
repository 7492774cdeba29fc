// The checker of sizes on the device: from where a symbol stands, not from why it was put there.
#include <algorithm>
#include <set>

#include "kernel/run_order.h"
#include "select/joint/device_sizes.h"

namespace burin {
namespace {

class DeviceSizeChecker {
 public:
  DeviceSizeChecker(const DeviceSizes& sizes, const KernelGraph& graph)
      : sizes_(sizes), graph_(graph) {
    for (const DeviceSize& one : sizes.sizes) {
      if (one.on_host.empty()) held_.insert(one.symbol->name);
    }
  }

  std::string run(const std::map<StepId, KernelSchedule>& kernels) {
    for (const ValueId id : graph_.outputs) {
      for (const Dim& dim : graph_.values[static_cast<size_t>(id)].shape) host(dim, "an output");
    }
    std::set<std::string> written;
    for (const Step& step : graph_.steps) {
      if (const auto* bind = std::get_if<Bind>(&step)) written.insert(bind->symbol->name);
    }
    for (const std::string& name : held_) {
      if (!written.contains(name)) fault("nothing finds " + name);
    }
    bool checked = false;  // by a flag that only the device knows
    for_each_step(graph_.steps, [&](const Step& step) {
      if (std::holds_alternative<Kernel>(step)) {
        launches(kernels.at(step.id).launches);
        if (checked && !sizes_.gate_of(step.id) && !makes_flag(step))
          fault("step " + to_string(step.id) + " runs where a check before it failed");
        return;
      }
      if (std::holds_alternative<Check>(step) && is_flag(symbols_of(step))) {
        checked = true;
        return;
      }
      // The host goes on only where a flag that it reads is 1, and so all before it.
      if (std::holds_alternative<Check>(step) && is_read_flag(symbols_of(step))) checked = false;
      const auto* bind = std::get_if<Bind>(&step);
      if (bind && held_.contains(bind->symbol->name)) return;
      // A region's own steps are seen by themselves.
      if (const auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
        host((*branch)->condition, "a condition");
      } else if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
        host((*loop)->condition, "a condition");
        host((*loop)->trips, "a loop");
      } else {
        for (const Symbol& symbol : symbols_of(step)) {
          const bool found = std::holds_alternative<Procedure>(step) && finds(step, symbol);
          if (!found) host(Index::symbol(symbol), "a step of the host");
        }
      }
    });
    return fault_;
  }

 private:
  static bool finds(const Step& step, const Symbol& symbol) {
    const auto& results = std::get<Procedure>(step).results;
    return std::any_of(results.begin(), results.end(),
                       [&](const Symbol& one) { return one->name == symbol->name; });
  }

  void fault(const std::string& what) {
    if (fault_.empty()) fault_ = what;
  }
  void host(const Dim& dim, const char* what) {
    std::vector<Symbol> symbols;
    dim.collect_symbols(symbols);
    for (const Symbol& symbol : symbols) {
      if (held_.contains(symbol->name))
        fault(std::string(what) + " needs " + symbol->name + ", which is on the device");
    }
  }
  void host(const Expr& expr, const char* what) {
    visit_indices(expr, [&](const Index& index) { host(index, what); });
  }

  void launches(const LaunchNodes& nodes) {
    for (const LaunchNode& node : nodes) {
      if (const auto* loop = std::get_if<LaunchLoop>(&node.node)) {
        host(loop->begin, "a repeated launch");
        host(loop->end, "a repeated launch");
        launches(loop->nodes);
      }
    }
  }

  const DeviceSize* flag(const Symbol& symbol) const {
    const DeviceSize* const one = sizes_.held(symbol);
    return one && !one->check.empty() ? one : nullptr;
  }
  bool is_flag(const std::vector<Symbol>& symbols) const {
    return symbols.size() == 1 && flag(symbols[0]);
  }
  bool is_read_flag(const std::vector<Symbol>& symbols) const {
    return symbols.size() == 1 &&
           std::any_of(sizes_.sizes.begin(), sizes_.sizes.end(), [&](const DeviceSize& one) {
             return !one.check.empty() && !one.on_host.empty() &&
                    one.symbol->name == symbols[0]->name;
           });
  }
  // Whether a kernel makes flags; other sizes that it makes are evaluated where a flag is 1.
  bool makes_flag(const Step& step) const {
    const std::vector<ValueId> written = writes_of(step);
    if (written.size() != 1) return false;
    bool flags = false, guarded = true;
    const Kernel& kernel = std::get<Kernel>(step);
    for (const DeviceSize& one : sizes_.sizes) {
      if (one.value != written[0]) continue;
      const bool own = flag(one.symbol) != nullptr;
      flags = flags || own;
      const auto let = static_cast<size_t>(one.at / 2);
      if (!own && let < kernel.lets.size())
        guarded = guarded && is_guarded(kernel.lets[let].body[0]);
    }
    return flags && guarded;
  }
  static bool is_guarded(const Expr& expr) {
    if (expr.kind() != ExprKind::cases || expr->cases.size() != 1) return false;
    const Guard& guard = expr->cases[0].guard;
    return !guard.empty() && guard[0].lo.is_constant(1) && guard[0].hi.is_constant(2) &&
           expr->operands[0].is_constant();
  }

  const DeviceSizes& sizes_;
  const KernelGraph& graph_;
  std::set<std::string> held_;
  std::string fault_;
};

}  // namespace

std::string check_device_sizes(const DeviceSizes& sizes, const KernelGraph& graph,
                               const std::map<StepId, KernelSchedule>& kernels) {
  return DeviceSizeChecker(sizes, graph).run(kernels);
}

}  // namespace burin
