// Tensors of floats that become halves.
#include <algorithm>
#include <cmath>
#include <set>

#include "kernel/expr/loads.h"
#include "kernel/rewrite_kernel.h"
#include "kernel/tensor.h"
#include "select/precision/fp16_plan.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr float kLargestFp16 = 65504, kLeastNormalFp16 = 0x1p-14f;

float largest_of(const Constant& constant) {
  const auto* const numbers = reinterpret_cast<const float*>(constant.data);
  float largest = 0;
  for (size_t i = 0; i < constant.bytes / sizeof(float); ++i) {
    if (!(std::abs(numbers[i]) <= largest)) largest = std::abs(numbers[i]);
  }
  return largest;
}

// What the host or a procedure looks at, and what kernels add to.
std::set<ValueId> bound_to_floats(const KernelGraph& graph) {
  std::set<ValueId> out;
  for_each_step(graph.steps, [&](const Step& step) {
    if (const auto* kernel = std::get_if<Kernel>(&step)) {
      for (const Write& write : kernel->writes) {
        if (write.how != How::store) out.insert(write.to);
      }
    } else if (const auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
      add_loads((*branch)->condition, out);
    } else if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
      add_loads((*loop)->condition, out);
    } else {
      for (const auto& list : {reads_of(step), writes_of(step)})
        out.insert(list.begin(), list.end());
    }
  });
  return out;
}

// Sizes follow from a few numbers: a scale, what is rounded of a size times it. In fp16 they
// would be other sizes.
constexpr int64_t kFewNumbers = 64;

void add_what_decides_sizes(const KernelGraph& graph, std::set<ValueId>& bound) {
  for (bool changed = true; changed;) {
    changed = false;
    for_each_step(graph.steps, [&](const Step& step) {
      if (!std::holds_alternative<Kernel>(step)) return;
      const std::vector<ValueId> writes = writes_of(step);
      if (std::none_of(writes.begin(), writes.end(),
                       [&](ValueId id) { return bound.contains(id); }))
        return;
      for (const ValueId id : reads_of(step)) {
        const auto elements = product(graph.values[static_cast<size_t>(id)].shape).as_constant();
        if (elements && *elements <= kFewNumbers) changed = bound.insert(id).second || changed;
      }
    });
  }
}

Constant halved(const Constant& constant) {
  const size_t elements = constant.bytes / sizeof(float);
  const auto* const from = reinterpret_cast<const float*>(constant.data);
  std::vector<std::byte> bytes(elements * sizeof(uint16_t));
  const StoreFunction store = store_function(Type::f16);
  for (size_t i = 0; i < elements; ++i)
    store(bytes.data(), static_cast<int64_t>(i), {double{from[i]}, 0});
  return make_constant(std::move(bytes));
}

}  // namespace

std::vector<ValueId> tensors_for_fp16(const KernelGraph& graph, std::vector<std::string>* kept) {
  std::set<ValueId> bound = bound_to_floats(graph);
  add_what_decides_sizes(graph, bound);
  std::vector<ValueId> out;
  for (size_t i = 0; i < graph.values.size(); ++i) {
    const Value& value = graph.values[i];
    const bool constant = value.kind == ValueKind::constant;
    if (value.type != Type::f32 || (value.kind != ValueKind::internal && !constant)) continue;
    const auto keep = [&](const std::string& why) {
      if (kept) kept->push_back(quoted(value.name) + ": " + why);
    };
    if (constant && value.constant.bytes < kLeastFp16Constant * sizeof(float)) continue;
    if (bound.contains(static_cast<ValueId>(i))) {
      keep("something else than a kernel touches it, or kernels add to it");
      continue;
    }
    if (constant) {
      const float largest = largest_of(value.constant);
      if (!(largest <= kLargestFp16) || (largest != 0 && largest < kLeastNormalFp16)) {
        keep("its largest element is no normal half");
        continue;
      }
    }
    out.push_back(static_cast<ValueId>(i));
  }
  return out;
}

void store_as_fp16(KernelGraph& graph, const std::vector<ValueId>& tensors) {
  const std::set<ValueId> stored(tensors.begin(), tensors.end());
  for (const ValueId id : tensors) {
    Value& value = graph.values[static_cast<size_t>(id)];
    value.type = Type::f16;
    if (value.kind == ValueKind::constant) value.constant = halved(value.constant);
  }
  graph.steps = with_kernels(graph.steps, [&](StepId, Kernel kernel) {
    rewrite_exprs(kernel, [&](const Expr& expr) {
      const bool load = expr.kind() == ExprKind::load && stored.contains(expr->id);
      return load ? Expr::load(expr->id, Type::f16, expr->at) : expr;
    });
    return kernel;
  });
}

}  // namespace burin
