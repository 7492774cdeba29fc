#include "fuse/constants/fp16_shifts.h"

#include <map>
#include <set>

#include "kernel/rewrite_kernel.h"

namespace burin {
namespace {

class Shifts {
 public:
  explicit Shifts(const std::vector<Value>& values) : values_(values) {}

  // In the order of the steps: makers before their readers.
  void look_at(const Kernel& kernel) {
    std::set<const ExprNode*> seen;
    const auto look = [&](const Expr& expr) { visit_sums(expr, seen); };
    for (const Let& let : kernel.lets) {
      for (const Expr& body : let.body) look(body);
    }
    for (const Write& write : kernel.writes) {
      look(write.value);
      const Type type = values_[static_cast<size_t>(write.to)].type;
      if (type != Type::f16 && type != Type::bf16) continue;
      std::set<ValueId> from = sources(write.value);
      if (is_shift(write.value)) from.insert(write.to);
      if (!from.empty()) shifted_[write.to].insert(from.begin(), from.end());
    }
  }

  bool rounds(ValueId value) const { return rounded_.contains(value); }
  bool any() const { return !rounded_.empty(); }

 private:
  bool is_known(const Expr& expr) const {
    if (expr.kind() == ExprKind::cast) return is_known(expr->operands[0]);
    return expr.is_constant() ||
           (expr.kind() == ExprKind::load &&
            values_[static_cast<size_t>(expr->id)].kind == ValueKind::constant);
  }

  bool with_number(const Expr& expr, std::initializer_list<Binary> ops) const {
    if (expr.kind() != ExprKind::binary || !is_float(expr.type())) return false;
    for (const Binary op : ops) {
      if (expr->binary() == op) return is_known(expr->operands[0]) != is_known(expr->operands[1]);
    }
    return false;
  }
  bool is_shift(const Expr& expr) const { return with_number(expr, {Binary::add, Binary::sub}); }
  const Expr& open_operand(const Expr& expr) const {
    return expr->operands[is_known(expr->operands[0]) ? 1 : 0];
  }

  // Shifted tensors that an expression moves or scales.
  std::set<ValueId> sources(const Expr& expr) const {
    if (expr.kind() == ExprKind::load) {
      const auto at = shifted_.find(expr->id);
      return at == shifted_.end() ? std::set<ValueId>() : at->second;
    }
    if (with_number(expr, {Binary::mul, Binary::div})) return sources(open_operand(expr));
    if (expr.kind() == ExprKind::unary && expr->unary() == Unary::neg)
      return sources(expr->operands[0]);
    if (expr.kind() != ExprKind::cases) return {};
    std::set<ValueId> out = sources(expr->operands[0]);
    for (const Expr::Case& one : expr->cases) out.merge(sources(one.value));
    return out;
  }

  void visit_sums(const Expr& expr, std::set<const ExprNode*>& seen) {
    if (!seen.insert(expr.ptr().get()).second) return;
    if (is_shift(expr)) rounded_.merge(sources(open_operand(expr)));
    for (const Expr& operand : expr->operands) visit_sums(operand, seen);
    for (const Expr::Case& one : expr->cases) visit_sums(one.value, seen);
  }

  const std::vector<Value>& values_;
  std::map<ValueId, std::set<ValueId>> shifted_;
  std::set<ValueId> rounded_;
};

}  // namespace

KernelGraph with_rounded_shifts(KernelGraph graph) {
  Shifts shifts(graph.values);
  for_each_kernel(graph.steps, [&](Kernel& kernel) { shifts.look_at(kernel); });
  if (!shifts.any()) return graph;
  for_each_kernel(graph.steps, [&](Kernel& kernel) {
    for (Write& write : kernel.writes) {
      if (!shifts.rounds(write.to)) continue;
      write.value = Expr::cast(graph.values[static_cast<size_t>(write.to)].type, write.value);
    }
  });
  return graph;
}

}  // namespace burin
