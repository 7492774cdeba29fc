#include "verify/accuracy.h"

#include <algorithm>
#include <cmath>

#include "kernel/interpreter/interpreter.h"
#include "kernel/rewrite_kernel.h"
#include "verify/nibbles.h"

namespace burin {
namespace {

constexpr int64_t kMostAccuracyOperations = 4'000'000'000;

bool is_fp16(Type type) { return type == Type::f16 || type == Type::bf16; }

Expr widened(const Expr& expr) {
  const auto on_expr = [](const Expr& one) -> Expr {
    if (one.kind() == ExprKind::load && is_fp16(one->storage))
      return Expr::load(one->id, Type::f32, one->at);
    if (one.kind() == ExprKind::cast && is_fp16(one->storage))
      return Expr::cast(Type::f32, one->operands[0], one->mode);
    return one;
  };
  return rewrite(expr, on_expr, [](const Index& leaf) { return leaf; });
}

HostTensor widened(const HostTensor& tensor) {
  if (!is_fp16(tensor.type)) return tensor;
  HostTensor out = make_tensor(Type::f32, tensor.shape);
  for (int64_t i = 0; i < tensor.elements(); ++i) out.set(i, tensor.get(i));
  return out;
}

Step widened(Step step) {
  if (auto* kernel = std::get_if<Kernel>(&step)) {
    for (Let& let : kernel->lets) {
      for (Expr& body : let.body) body = widened(body);
    }
    for (Write& write : kernel->writes) {
      write.value = widened(write.value);
      for (Index& at : write.at)
        at = rewrite(
            at, [](const Expr& one) { return widened(one); },
            [](const Index& leaf) { return leaf; });
    }
  } else if (auto* procedure = std::get_if<Procedure>(&step)) {
    if (is_fp16(procedure->element)) procedure->element = Type::f32;
  } else if (auto* bind = std::get_if<Bind>(&step)) {
    bind->value = widened(bind->value);
  } else if (auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
    (*branch)->condition = widened((*branch)->condition);
  } else if (auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
    (*loop)->condition = widened((*loop)->condition);
  }
  return step;
}

}  // namespace

KernelGraph in_floats(const KernelGraph& graph) {
  KernelGraph out = graph;
  for (Value& value : out.values) {
    if (!is_fp16(value.type)) continue;
    if (value.kind == ValueKind::constant) {
      value.constant = to_constant(widened(to_row_major(value)));
      value.layout = {};
    }
    value.type = Type::f32;
  }
  out.steps = with_steps(graph.steps, [](Step step) { return widened(std::move(step)); });
  return out;
}

std::vector<HostTensor> float_results(const Compiled& compiled, const Run& run) {
  const bool drawn = std::any_of(compiled.draws.begin(), compiled.draws.end(),
                                 [](const OutputDraw& draw) { return draw.depends; });
  if (drawn) return {};
  std::vector<HostTensor> inputs;
  for (const HostTensor& input :
       in_widths_of(compiled.lowered, compiled.lowered.inputs, run.inputs))
    inputs.push_back(widened(input));
  InterpretOptions budget;
  budget.operations = kMostAccuracyOperations;
  RunResult result = interpret(in_floats(compiled.lowered), inputs, run.symbols, budget);
  if (result.status != kRunOk) return {};
  const KernelGraph& graph = compiled.plan.graph;
  return in_widths_of(graph, graph.outputs, std::move(result.outputs));
}

Accuracy accuracy_of(const HostTensor& got, const HostTensor& reference, std::string name) {
  Accuracy out;
  if (!is_float(got.type) || got.shape != reference.shape) return out;
  out.reference = std::move(name);
  out.elements = got.elements();
  double largest = 0, squares = 0, sum = 0;
  for (int64_t i = 0; i < out.elements; ++i) {
    const double a = got.get(i).number, b = reference.get(i).number;
    if ((std::isnan(a) && std::isnan(b)) || (std::isinf(b) && a == b)) continue;
    const double difference = std::abs(a - b);
    out.absolute = std::max(out.absolute, std::isnan(difference) ? INFINITY : difference);
    squares += difference * difference;
    if (!std::isfinite(b)) continue;
    largest = std::max(largest, std::abs(b));
    sum += b * b;
  }
  const double count = static_cast<double>(std::max<int64_t>(1, out.elements));
  out.root_mean_square = std::sqrt(squares / count);
  out.relative = largest > 0 ? out.absolute / largest : out.absolute;
  out.relative_root_mean_square = sum > 0 ? std::sqrt(squares / sum) : out.root_mean_square;
  return out;
}

}  // namespace burin
