#include "fuse/access/products.h"

#include <algorithm>

#include "kernel/expr/expr_axes.h"
#include "kernel/layout.h"

namespace burin {

bool is_constant(const Expr& expr, const std::vector<Value>& values) {
  bool constant = true;
  visit(expr, [&](const ExprNode& node) {
    if (node.kind == ExprKind::load)
      constant = constant && values[static_cast<size_t>(node.id)].kind == ValueKind::constant;
    constant = constant && node.kind != ExprKind::let;
  });
  return constant;
}

bool is_sum_of_products(const Let& let) {
  return let.op == Combiner::sum && let.body.size() == 1 &&
         let.body[0].kind() == ExprKind::binary && let.body[0]->binary() == Binary::mul;
}

bool is_float_sum_of_products(const Let& let) {
  return is_sum_of_products(let) && let.accumulator[0] == Type::f32;
}

bool is_load_of_bf16(const Expr& expr) {
  if (expr.kind() == ExprKind::cases)
    return expr->cases.size() == 1 && expr->operands[0].is_constant(0) &&
           is_load_of_bf16(expr->cases[0].value);
  return expr.kind() == ExprKind::load && expr->storage == Type::bf16;
}

bool is_bf16_sum_of_products(const Let& let) {
  return is_float_sum_of_products(let) && is_load_of_bf16(let.body[0]->operands[0]) &&
         is_load_of_bf16(let.body[0]->operands[1]);
}

bool multiplies_bf16(const Kernel& kernel, const std::vector<Value>& values,
                     const FuseOptions& options) {
  if (!options.bf16_products || kernel.lets.size() != 1) return false;
  const Let& let = kernel.lets[0];
  if (!is_bf16_sum_of_products(let) || !is_contraction(let, values)) return false;
  const std::vector<int> a = axes_of(let.body[0]->operands[0]),
                         b = axes_of(let.body[0]->operands[1]);
  return points(kernel, let.reduced, a, true) >= kLeastSize &&
         points(kernel, let.over, a, false) >= kLeastSize &&
         points(kernel, let.over, b, false) >= kLeastSize;
}

bool hides_bf16(const Kernel& map, const Kernel& product, const std::vector<Value>& values,
                const FuseOptions& options) {
  return multiplies_bf16(product, values, options) && !is_load_of_bf16(map.writes[0].value);
}

bool is_contraction(const Let& let, const std::vector<Value>& values) {
  if (!is_sum_of_products(let)) return false;
  const Expr& body = let.body[0];
  const std::vector<int> a = axes_of(body->operands[0]), b = axes_of(body->operands[1]);
  const auto has_own_rows = [&](const std::vector<int>& in, const std::vector<int>& other) {
    return std::any_of(let.over.begin(), let.over.end(),
                       [&](int axis) { return contains(in, axis) && !contains(other, axis); });
  };
  const bool own_a = has_own_rows(a, b), own_b = has_own_rows(b, a);
  if (own_a != own_b) return !is_constant(body->operands[own_a ? 1 : 0], values);
  return own_a;
}

int contiguous_axis(const Write& write, const std::vector<Value>& values) {
  const Index address = linearize(write.at, values[static_cast<size_t>(write.to)].shape);
  for (const Index::Term& term : address.terms()) {
    if (term.coefficient == 1 && term.atoms.size() == 1 && term.atoms[0].kind() == IndexKind::axis)
      return term.atoms[0].axis_id();
  }
  return -1;
}

bool loads(const Expr& expr, ValueId value) {
  bool found = false;
  visit(expr, [&](const ExprNode& node) {
    found = found || (node.kind == ExprKind::load && node.id == value);
  });
  return found;
}

bool loads(const Kernel& kernel, ValueId value) {
  const std::vector<ValueId> reads = reads_of(kernel);
  return std::find(reads.begin(), reads.end(), value) != reads.end();
}

int64_t points(const Kernel& kernel, const std::vector<int>& axes, const std::vector<int>& among,
               bool in) {
  int64_t count = 1;
  for (const int axis : axes) {
    if (contains(among, axis) != in) continue;
    const int64_t extent = at_hints(kernel.axes[static_cast<size_t>(axis)].extent);
    count = std::min(count * std::clamp<int64_t>(extent, 1, kLeastSize), kLeastSize);
  }
  return count;
}

int only_product(const Kernel& kernel, const std::vector<Value>& values) {
  int product = -1;
  for (size_t i = 0; i < kernel.lets.size(); ++i) {
    if (!is_contraction(kernel.lets[i], values)) continue;
    if (product >= 0) return -1;
    product = static_cast<int>(i);
  }
  if (product < 0) return -1;
  const Let& sum = kernel.lets[static_cast<size_t>(product)];
  if (sum.accumulator[0] != Type::f32) return -1;
  for (int i = 0; i < product; ++i) {
    const Let& let = kernel.lets[static_cast<size_t>(i)];
    if (let.body.size() != 1 || let.accumulator[0] != Type::f32) return -1;
    for (const int axis : let.reduced) {
      if (!contains(sum.reduced, axis)) return -1;
    }
  }
  return product;
}

const Expr* packed_factor(const Kernel& kernel, const Let& sum, const std::vector<Value>& values) {
  for (const Expr& factor : sum.body[0]->operands) {
    if (!is_constant(factor, values)) continue;
    std::vector<Symbol> symbols;
    visit_indices(factor, [&](const Index& index) { index.collect_symbols(symbols); });
    int64_t elements = 1, stored = 0;
    for (const int axis : axes_of(factor)) {
      const Dim& extent = kernel.axes[static_cast<size_t>(axis)].extent;
      if (!extent.is_constant()) return nullptr;
      elements *= extent.constant();
    }
    visit(factor, [&](const ExprNode& node) {
      if (node.kind == ExprKind::load)
        stored += at_hints(product(values[static_cast<size_t>(node.id)].shape));
    });
    return symbols.empty() && elements <= 2 * stored ? &factor : nullptr;
  }
  return nullptr;
}

}  // namespace burin
