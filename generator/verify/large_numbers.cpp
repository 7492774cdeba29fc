#include "verify/large_numbers.h"

#include <algorithm>
#include <cmath>

namespace burin {
namespace {

std::vector<HostTensor> times(std::vector<HostTensor> inputs, double factor) {
  for (HostTensor& input : inputs) {
    if (!is_float(compute_type(input.type))) continue;
    for (int64_t i = 0; i < input.elements(); ++i) input.set(i, {input.get(i).number * factor, 0});
  }
  return inputs;
}

bool has_exponential(const Expr& expr) {
  bool found = false;
  visit_distinct(expr, [&](const ExprNode& node) {
    found = found || (node.kind == ExprKind::unary && node.unary() == Unary::exp);
  });
  return found;
}

}  // namespace

bool takes_off_greatest(const KernelGraph& lowered) {
  const auto is_real = [&](ValueId id) {
    return is_float(compute_type(lowered.values[static_cast<size_t>(id)].type));
  };
  if (std::none_of(lowered.inputs.begin(), lowered.inputs.end(), is_real)) return false;
  bool out = false;
  for_each_step(lowered.steps, [&](const Step& step) {
    const Kernel* kernel = std::get_if<Kernel>(&step);
    if (!kernel || out) return;
    const auto is_greatest = [](const Let& let) {
      return let.op == Combiner::max && is_float(let.accumulator.at(0));
    };
    if (std::none_of(kernel->lets.begin(), kernel->lets.end(), is_greatest)) return;
    for (const Let& let : kernel->lets)
      out = out || std::any_of(let.body.begin(), let.body.end(), has_exponential);
    for (const Write& write : kernel->writes) out = out || has_exponential(write.value);
  });
  return out;
}

std::vector<HostTensor> in_large_numbers(std::vector<HostTensor> inputs) {
  return times(std::move(inputs), 4096);
}

std::vector<HostTensor> moved_a_little(std::vector<HostTensor> inputs) {
  return times(std::move(inputs), 1 + 0x1p-21);
}

bool all_finite(const std::vector<HostTensor>& tensors) {
  return std::all_of(tensors.begin(), tensors.end(), [](const HostTensor& tensor) {
    if (!is_float(compute_type(tensor.type))) return true;
    for (int64_t i = 0; i < tensor.elements(); ++i) {
      if (!std::isfinite(tensor.get(i).number)) return false;
    }
    return true;
  });
}

}  // namespace burin
