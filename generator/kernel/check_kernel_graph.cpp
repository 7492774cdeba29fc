// The checker of kernel graphs: looks at what stands there, and knows nothing of the passes.
#include <algorithm>
#include <set>

#include "kernel/expr/expr_axes.h"
#include "kernel/kernel.h"
#include "support/check.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

bool is_ascending(const std::vector<int>& axes) {
  return std::adjacent_find(axes.begin(), axes.end(), std::greater_equal<>()) == axes.end();
}

class KernelGraphChecker {
 public:
  explicit KernelGraphChecker(const KernelGraph& graph) : graph_(graph) {}

  void run() {
    for (size_t i = 0; i < graph_.values.size(); ++i) check_value(static_cast<ValueId>(i));
    for (const ValueId id : graph_.inputs) {
      expect(value(id).kind == ValueKind::input, "an input is of another kind");
      written_.insert(id);
    }
    for (const Symbol& symbol : graph_.symbols) known_.insert(symbol->name);
    check_steps(graph_.steps);
    for (const ValueId id : graph_.outputs) expect_written(id);
  }

 private:
  void expect(bool holds, const std::string& rule) const {
    BURIN_CHECK(holds, "kernel graph: " + where_ + ": " + rule);
  }

  const Value& value(ValueId id) const {
    expect(id >= 0 && static_cast<size_t>(id) < graph_.values.size(), "no such value");
    return graph_.values[static_cast<size_t>(id)];
  }

  void check_value(ValueId id) {
    const Value& one = value(id);
    where_ = "value " + quoted(one.name);
    for (const Dim& dim : one.shape) expect(!dim.has_axes(), "an extent depends on an axis");
    if (one.kind != ValueKind::constant) return;
    written_.insert(id);
    const std::optional<int64_t> elements = physical_elements(one.layout, one.shape).as_constant();
    expect(elements && size_bytes(one.type, *elements) == static_cast<int64_t>(one.constant.bytes),
           "the bytes of a constant are not those of its shape");
  }

  void check_steps(const Steps& steps) {
    for (const Step& step : steps) {
      expect(step.id == kNoStep || steps_.insert(step.id).second, "two steps have one identity");
      std::visit([&](const auto& one) { check_step(one); }, step);
    }
  }

  void check_step(const Kernel& kernel) {
    where_ = "kernel " + quoted(kernel.name);
    for (const Axis& axis : kernel.axes) {
      expect(!axis.extent.has_axes(), "an extent depends on an axis");
      check_index(axis.extent, kernel, {}, 0);
    }
    for (size_t i = 0; i < kernel.lets.size(); ++i) check_let(kernel, static_cast<int>(i));
    for (const Write& write : kernel.writes) {
      const Value& to = value(write.to);
      check_axes(kernel, write.over);
      expect(write.at.size() == to.shape.size(), "a write has another rank than its value");
      expect(to.kind == ValueKind::internal || to.kind == ValueKind::output,
             "an input or a constant is written");
      expect(writes_type(write, to.type), "a write has another type");
      const auto lets = static_cast<int>(kernel.lets.size());
      for (const Index& at : write.at) check_index(at, kernel, write.over, lets);
      check_guard(write.when, kernel, write.over, lets);
      check_expr(write.value, kernel, write.over, lets);
      if (write.how != How::store) expect_written(write.to);
    }
    for (const Write& write : kernel.writes) written_.insert(write.to);
  }

  void check_let(const Kernel& kernel, int number) {
    const Let& let = kernel.lets[static_cast<size_t>(number)];
    check_axes(kernel, let.over);
    check_axes(kernel, let.reduced);
    expect(!let.body.empty() && let.body.size() == let.accumulator.size(),
           "a let has not one accumulator for each component");
    expect(let.op != Combiner::none || let.reduced.empty(), "a map reduces axes");
    std::vector<int> axes;
    std::set_union(let.over.begin(), let.over.end(), let.reduced.begin(), let.reduced.end(),
                   std::back_inserter(axes));
    expect(axes.size() == let.over.size() + let.reduced.size(), "an axis is kept and reduced");
    // A let on a sequential axis may read itself, one step back.
    const bool recurrent = std::any_of(let.over.begin(), let.over.end(), [&](int axis) {
      return kernel.axes[static_cast<size_t>(axis)].kind == AxisKind::sequential;
    });
    const int visible = recurrent ? static_cast<int>(kernel.lets.size()) : number;
    for (const Expr& body : let.body) check_expr(body, kernel, axes, visible);
  }

  void check_axes(const Kernel& kernel, const std::vector<int>& axes) {
    expect(is_ascending(axes), "axes are not in order");
    for (const int axis : axes) {
      expect(axis >= 0 && static_cast<size_t>(axis) < kernel.axes.size(), "no such axis");
    }
  }

  // `axes`: those that have a value here; `lets`: how many lets are computed already.
  void check_expr(const Expr& expr, const Kernel& kernel, const std::vector<int>& axes, int lets) {
    for (const int axis : axes_of(expr)) {
      expect(contains(axes, axis), "axis i" + std::to_string(axis) + " is used outside its loop");
    }
    visit_distinct(expr, [&](const ExprNode& node) { check_node(node, kernel, lets); });
    visit_distinct_indices(expr, [&](const Index& index) { check_symbols(index); });
  }

  void check_index(const Index& index, const Kernel& kernel, const std::vector<int>& axes,
                   int lets) {
    std::vector<int> used;
    index.collect_axes(used);
    for (const int axis : used) {
      expect(contains(axes, axis), "axis i" + std::to_string(axis) + " is used outside its loop");
    }
    visit_distinct(index, [&](const ExprNode& node) { check_node(node, kernel, lets); });
    check_symbols(index);
  }

  void check_guard(const Guard& guard, const Kernel& kernel, const std::vector<int>& axes,
                   int lets) {
    for (const Condition& condition : guard) {
      check_index(condition.index, kernel, axes, lets);
      BURIN_CHECK(!condition.lo.has_data() && !condition.hi.has_data(),
                  "data in the bounds of a condition; it belongs into its index");
      check_index(condition.lo, kernel, axes, lets);
      check_index(condition.hi, kernel, axes, lets);
    }
  }

  void check_node(const ExprNode& node, const Kernel& kernel, int lets) {
    if (node.kind == ExprKind::load) {
      const Value& from = value(node.id);
      expect(node.at.size() == from.shape.size(), "a load has another rank than its value");
      expect(node.storage == from.type, "a load has another type than its value");
      expect_written(node.id);
    } else if (node.kind == ExprKind::let) {
      expect(node.id >= 0 && node.id < lets, "a let is used before it is computed");
      const Let& let = kernel.lets[static_cast<size_t>(node.id)];
      expect(node.at.size() == let.over.size(), "a let is used with another rank");
      expect(node.component >= 0 && static_cast<size_t>(node.component) < let.body.size(),
             "a let has no such component");
      expect(node.type == let.accumulator[static_cast<size_t>(node.component)],
             "a let is used with another type");
    }
  }

  void check_symbols(const Index& index) {
    std::vector<Symbol> symbols;
    index.collect_symbols(symbols);
    for (const Symbol& symbol : symbols) {
      expect(known_.contains(symbol->name), "symbol " + quoted(symbol->name) + " has no value yet");
    }
  }

  void expect_written(ValueId id) const {
    const Value& one = value(id);
    if (written_.contains(id)) return;
    expect(false, "value " + quoted(one.name) + " is read before it is written");
  }

  // A scalar expression outside kernels.
  void check_scalar(const Expr& expr) { check_expr(expr, Kernel{}, {}, 0); }

  void check_step(const Procedure& procedure) {
    where_ = "procedure " + quoted(procedure.name);
    for (const ValueId id : procedure.reads) expect_written(id);
    for (const Dim& argument : procedure.arguments) check_index(argument, Kernel{}, {}, 0);
    for (const Symbol& symbol : procedure.results) known_.insert(symbol->name);
    for (const ValueId id : procedure.writes) {
      expect(value(id).kind != ValueKind::constant, "a constant is written");
      written_.insert(id);
    }
  }

  void check_step(const Bind& bind) {
    where_ = "symbol " + quoted(bind.symbol->name);
    expect(bind.value.type() == Type::i64, "its value is not of type i64");
    check_scalar(bind.value);
    known_.insert(bind.symbol->name);
  }

  void check_step(const Check& check) {
    where_ = "check of " + check.what;
    check_guard(check.guard, Kernel{}, {}, 0);
  }

  // What both branches write is written afterwards.
  void check_step(const std::shared_ptr<If>& branch) {
    where_ = "condition of a branch";
    check_scalar(branch->condition);
    const std::set<ValueId> written = written_;
    const std::set<std::string> known = known_;
    check_steps(branch->then_steps);
    const std::set<ValueId> then_written = std::exchange(written_, written);
    const std::set<std::string> then_known = std::exchange(known_, known);
    check_steps(branch->else_steps);
    std::erase_if(written_, [&](ValueId id) { return !then_written.contains(id); });
    std::erase_if(known_, [&](const std::string& name) { return !then_known.contains(name); });
  }

  void check_step(const std::shared_ptr<Loop>& loop) {
    where_ = "head of a loop";
    check_index(loop->trips, Kernel{}, {}, 0);
    known_.insert(loop->iteration->name);
    check_scalar(loop->condition);
    check_steps(loop->body);
    known_.erase(loop->iteration->name);
    if (loop->executed) known_.insert(loop->executed->name);
  }

  const KernelGraph& graph_;
  std::set<StepId> steps_;
  std::set<ValueId> written_;
  std::set<std::string> known_;
  std::string where_;
};

}  // namespace

void check_kernel_graph(const KernelGraph& graph) { KernelGraphChecker(graph).run(); }

}  // namespace burin
