// The checker of fp16, from the definition: types only change where the plan says, sums stay
// floats, and no half is made of what is none but by a conversion.
#include <algorithm>

#include "select/precision/fp16_plan.h"

namespace burin {
namespace {

std::string fault_of(const Expr& expr) {
  std::string fault;
  visit(expr, [&](const ExprNode& node) {
    if (!fault.empty()) return;
    for (const Expr& operand : node.operands) {
      const bool converts = node.kind == ExprKind::cast ||
                            (node.kind == ExprKind::select && operand.type() == Type::boolean) ||
                            node.type == Type::boolean;
      if (!converts && operand.type() != node.type) fault = "an operation of two types";
    }
    if (node.type != Type::f16) return;
    if (node.kind == ExprKind::let) fault = "a half is made of what a kernel combines";
    if (node.kind == ExprKind::load && node.storage != Type::f16)
      fault = "a half is loaded from what is none";
    const bool rounds = node.kind == ExprKind::unary && node.unary() != Unary::neg &&
                        node.unary() != Unary::abs && node.unary() != Unary::sign;
    if (rounds) fault = "a function is made in fp16";
  });
  return fault;
}

std::vector<const Kernel*> kernels_of(const KernelGraph& graph) {
  std::vector<const Kernel*> out;
  for_each_kernel(graph.steps, [&](const Kernel& kernel) { out.push_back(&kernel); });
  return out;
}

std::string fault_of(const Kernel& before, const Kernel& after) {
  if (before.axes != after.axes || before.lets.size() != after.lets.size() ||
      before.writes.size() != after.writes.size())
    return "a kernel has another form";
  for (size_t i = 0; i < before.lets.size(); ++i) {
    if (before.lets[i].accumulator != after.lets[i].accumulator) return "a sum has another type";
    for (const Expr& body : after.lets[i].body) {
      if (std::string fault = fault_of(body); !fault.empty()) return fault;
      const bool combines = after.lets[i].op == Combiner::sum;
      if (combines && body.type() == Type::f16) return "halves are summed";
    }
  }
  for (size_t i = 0; i < before.writes.size(); ++i) {
    if (before.writes[i].at != after.writes[i].at) return "a write goes elsewhere";
    if (std::string fault = fault_of(after.writes[i].value); !fault.empty()) return fault;
  }
  return {};
}

}  // namespace

std::string check_fp16(const Fp16Plan& plan, const KernelGraph& before, const KernelGraph& after) {
  for (size_t i = 0; i < before.values.size(); ++i) {
    const bool meant =
        std::binary_search(plan.stored.begin(), plan.stored.end(), static_cast<ValueId>(i));
    const Type wanted = meant ? Type::f16 : before.values[i].type;
    if (after.values[i].type != wanted) return "a tensor has another type than the plan says";
    if (meant && before.values[i].kind != ValueKind::internal &&
        before.values[i].kind != ValueKind::constant)
      return "what the caller gives or gets has another type";
  }
  const std::vector<const Kernel*> from = kernels_of(before), to = kernels_of(after);
  if (from.size() != to.size()) return "kernels are missing";
  for (size_t i = 0; i < from.size(); ++i) {
    if (std::string fault = fault_of(*from[i], *to[i]); !fault.empty())
      return fault + " in kernel " + to[i]->name;
  }
  return {};
}

}  // namespace burin
