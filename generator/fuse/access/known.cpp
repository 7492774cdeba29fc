#include "fuse/access/known.h"

#include <algorithm>
#include <set>

#include "kernel/expr/expr_axes.h"
#include "kernel/interpreter/interpreter.h"
#include "kernel/layout.h"
#include "kernel/tensor.h"

namespace burin {
namespace {

constexpr int64_t kMostKnownOperations = 20'000'000;
// A choice by the place is as cheap as a load while it asks for less: a causal condition, an edge.
constexpr int64_t kManyConditions = 4;
constexpr int64_t kFewUnpacked = 4096;
constexpr int64_t kMostUnpacked = int64_t{1} << 40;  // elements, not to overflow

int64_t count_conditions(const Expr& expr) {
  int64_t count = 0;
  visit(expr, [&](const ExprNode& node) {
    for (const Expr::Case& one : node.cases) count += static_cast<int64_t>(one.guard.size());
  });
  return count;
}

}  // namespace

Expr with_literals(const Expr& expr, const std::vector<Value>& values) {
  const auto on_expr = [&](const Expr& one) -> Expr {
    if (one.kind() != ExprKind::load) return one;
    const Value& value = values[static_cast<size_t>(one->id)];
    if (value.kind != ValueKind::constant || !product(value.shape).is_constant(1)) return one;
    const ScalarValue held = load_function(one->storage)(value.constant.data, 0);
    return is_float(one.type()) ? Expr::constant(one.type(), held.number)
                                : Expr::constant(one.type(), held.integer);
  };
  return rewrite(expr, on_expr, [](const Index& leaf) { return leaf; });
}

std::optional<HostTensor> evaluated(const Expr& expr, const std::vector<Axis>& axes,
                                    const std::vector<int>& over, std::vector<Value>& values) {
  Value value;
  value.type = expr.type();
  Kernel kernel;
  Write write;
  std::vector<Index> mapping(axes.size(), Index(0));
  for (const int axis : over) {
    const Dim& extent = axes[static_cast<size_t>(axis)].extent;
    const Index own = Index::axis(static_cast<int>(kernel.axes.size()), extent);
    write.over.push_back(static_cast<int>(kernel.axes.size()));
    kernel.axes.push_back({extent, AxisKind::parallel, {}});
    mapping[static_cast<size_t>(axis)] = own;
    write.at.push_back(own);
    value.shape.push_back(extent);
  }
  const auto id = static_cast<ValueId>(values.size());
  values.push_back(std::move(value));
  write.to = id;
  write.value = substitute_axes(expr, mapping);
  kernel.writes.push_back(std::move(write));
  Environment environment;
  environment.left.operations = kMostKnownOperations;
  std::optional<HostTensor> out;
  if (execute_steps({Step(kernel)}, values, environment).status == kRunOk)
    out = environment.tensor(values, id);
  values.pop_back();
  return out;
}

bool KnownExpressions::is_known(const Expr& expr) {
  const auto seen = known_.find(expr.ptr().get());
  if (seen != known_.end()) return seen->second;
  bool constant = expr.kind() != ExprKind::let;
  if (expr.kind() == ExprKind::load)
    constant = graph_.values[static_cast<size_t>(expr->id)].kind == ValueKind::constant;
  const auto plain = [&](const Index& index) {
    std::vector<ExprPtr> data;
    index.collect_data(data);
    return std::all_of(data.begin(), data.end(),
                       [&](const ExprPtr& one) { return is_known(Expr(one)); });
  };
  constant = constant && std::all_of(expr->at.begin(), expr->at.end(), plain) && plain(expr->index);
  if (expr.kind() == ExprKind::cases) {
    constant = is_known_choice(expr);
  } else {
    for (const Expr& operand : expr->operands) constant = constant && is_known(operand);
  }
  keep_.push_back(expr);
  return known_[expr.ptr().get()] = constant;
}

bool KnownExpressions::is_known_choice(const Expr& expr) const {
  const auto settled = [&](const Expr& part) {
    bool known = true;
    visit(part, [&](const ExprNode& node) {
      if (node.kind == ExprKind::load)
        known = known && graph_.values[static_cast<size_t>(node.id)].kind == ValueKind::constant;
      known = known && node.kind != ExprKind::let;
    });
    return known;
  };
  return count_conditions(expr) >= kManyConditions && settled(expr);
}

std::optional<Expr> KnownExpressions::compute(const Expr& expr, int64_t most_elements) {
  std::vector<Symbol> symbols;
  visit_indices(expr, [&](const Index& index) { index.collect_symbols(symbols); });
  if (!symbols.empty()) return std::nullopt;
  const std::vector<int> axes = axes_of(expr);
  std::vector<Index> point;
  int64_t elements = 1;
  for (const int axis : axes) {
    const Dim& extent = kernel_.axes[static_cast<size_t>(axis)].extent;
    if (!extent.is_constant()) return std::nullopt;
    elements *= std::max<int64_t>(1, extent.constant());
    if (elements > most_elements) return std::nullopt;
    point.push_back(Index::axis(axis, extent));
  }
  const auto known = made_.find(expr);
  if (known != made_.end()) return Expr::load(known->second, expr.type(), point);
  const std::optional<HostTensor> held = evaluated(expr, kernel_.axes, axes, graph_.values);
  if (!held || held->elements() == 0) return std::nullopt;
  Value value;
  value.name = name_of(expr, elements);
  value.type = expr.type();
  value.shape.assign(held->shape.begin(), held->shape.end());
  value.kind = ValueKind::constant;
  value.constant = to_constant(*held);
  const auto id = static_cast<ValueId>(graph_.values.size());
  graph_.values.push_back(std::move(value));
  made_.emplace(expr, id);
  return Expr::load(id, expr.type(), point);
}

bool KnownExpressions::unpacks(const Expr& expr) const {
  int64_t elements = 1;
  for (const int axis : axes_of(expr)) {
    const Dim& extent = kernel_.axes[static_cast<size_t>(axis)].extent;
    if (!extent.is_constant()) return false;
    elements *= std::max<int64_t>(1, extent.constant());
    if (elements > kMostUnpacked) return true;
  }
  std::set<ValueId> counted;
  int64_t sources = 0;
  bool narrow = false;
  visit(expr, [&](const ExprNode& node) {
    if (node.kind != ExprKind::load || !counted.insert(node.id).second) return;
    const Value& value = graph_.values[static_cast<size_t>(node.id)];
    narrow = narrow || size_bits(value.type) < size_bits(expr.type());
    sources += 8 * static_cast<int64_t>(value.constant.bytes);
  });
  const int64_t bits = elements * size_bits(expr.type());
  return narrow && bits > 8 * kFewUnpacked && 2 * bits > 3 * sources;
}

// After the first constant of as many elements: the weight that others scale or shift.
std::string KnownExpressions::name_of(const Expr& expr, int64_t elements) const {
  const Value *first = nullptr, *as_large = nullptr;
  visit(expr, [&](const ExprNode& node) {
    if (node.kind != ExprKind::load) return;
    const Value& value = graph_.values[static_cast<size_t>(node.id)];
    const bool fits =
        static_cast<int64_t>(value.constant.bytes) * 8 == elements * size_bits(value.type);
    if (!first) first = &value;
    if (fits && !as_large) as_large = &value;
  });
  const Value* const source = as_large ? as_large : first;
  return (source ? source->name : kernel_.name) + "_folded";
}

}  // namespace burin
