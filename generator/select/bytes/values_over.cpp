#include "select/bytes/values_over.h"

#include "kernel/interpreter/interpreter.h"
#include "support/at.h"
#include "support/check.h"

namespace burin {

HostTensor values_over(const Expr& expr, const Kernel& kernel, const std::vector<int>& axes,
                       const std::vector<Value>& values) {
  Kernel reading;
  Write write;
  Value result;
  std::vector<Index> replacement(kernel.axes.size(), Index(0));
  for (const int axis : axes) {
    const auto id = static_cast<int>(reading.axes.size());
    const Dim& extent = kernel.axes[at(axis)].extent;
    reading.axes.push_back({extent, AxisKind::parallel, {}});
    write.over.push_back(id);
    replacement[at(axis)] = Index::axis(id, extent);
    write.at.push_back(replacement[at(axis)]);
    result.shape.push_back(extent);
  }
  std::vector<Value> all = values;
  result.type = expr.type();
  write.to = static_cast<ValueId>(all.size());
  write.value = substitute_axes(expr, replacement);
  all.push_back(result);
  reading.writes = {write};
  Environment environment;
  const RunResult ran = execute_steps({Step(reading)}, all, environment);
  BURIN_CHECK(ran.status == kRunOk, ran.message);
  return environment.tensor(all, write.to);
}

Expr replaced(const Expr& expr, const Expr& from, const Expr& to) {
  return rewrite(
      expr, [&](const Expr& one) { return one == from ? to : one; },
      [](const Index& index) { return index; });
}

ValueId add_constant(std::vector<Value>& values, std::string name, Type type,
                     const std::vector<int64_t>& shape, Constant bytes) {
  Value value;
  value.name = std::move(name);
  value.type = type;
  for (const int64_t one : shape) value.shape.emplace_back(one);
  value.kind = ValueKind::constant;
  value.constant = std::move(bytes);
  values.push_back(std::move(value));
  return static_cast<ValueId>(values.size()) - 1;
}

bool is_of_constants(const Expr& expr, const std::vector<Value>& values) {
  bool all = true;
  visit(expr, [&](const ExprNode& node) {
    if (node.kind == ExprKind::load) all = all && values[at(node.id)].kind == ValueKind::constant;
    if (node.kind == ExprKind::let) all = false;
  });
  return all;
}

}  // namespace burin
