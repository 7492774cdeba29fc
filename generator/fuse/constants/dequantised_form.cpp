#include "fuse/constants/dequantised_form.h"

#include <algorithm>

#include "fuse/constants/byte_forms.h"
#include "kernel/expr/expr_axes.h"

namespace burin {
namespace {

// The magnitude of i32(byte) or i32(byte) - zero; 0: it is neither.
int64_t largest_of(const Expr& integer) {
  const bool shifted = integer.kind() == ExprKind::binary && integer->binary() == Binary::sub;
  const Expr& wide = shifted ? integer->operands[0] : integer;
  if (wide.kind() != ExprKind::cast || wide->storage != Type::i32 ||
      !is_byte_storage(wide->operands[0].type()))
    return 0;
  const int64_t lo = lowest(wide->operands[0].type()), hi = highest(wide->operands[0].type());
  if (!shifted) return std::max(-lo, hi);
  const Expr& zero = integer->operands[1];
  // A zero point is a byte of the same type.
  if (zero.is_constant()) {
    const bool byte_zero = lo <= zero->integer && zero->integer <= hi;
    return byte_zero ? std::max(zero->integer - lo, hi - zero->integer) : 0;
  }
  const bool byte_zero = zero.kind() == ExprKind::cast && zero->storage == Type::i32 &&
                         zero->operands[0].type() == wide->operands[0].type();
  return byte_zero ? hi - lo : 0;
}

// f32(integer) of bytes.
std::optional<Dequantised> widened(const Expr& expr) {
  if (expr.kind() != ExprKind::cast || expr->storage != Type::f32) return std::nullopt;
  Expr integer = expr->operands[0];
  if (is_byte_storage(integer.type())) integer = Expr::cast(Type::i32, integer);
  if (integer.type() != Type::i32) return std::nullopt;
  const int64_t largest = largest_of(integer);
  if (largest == 0) return std::nullopt;
  return Dequantised{std::move(integer), {}, {}, largest};
}

// Whether a condition of the guard names an axis of the expression.
bool bounded_by(const Expr& expr, const Guard& guard) {
  const std::vector<int> axes = axes_of(expr);
  return std::any_of(axes.begin(), axes.end(), [&](int axis) {
    return std::any_of(guard.begin(), guard.end(), [&](const Condition& one) {
      return one.index.uses_axis(axis) || one.lo.uses_axis(axis) || one.hi.uses_axis(axis);
    });
  });
}

}  // namespace

std::optional<Dequantised> dequantised(const Expr& factor) {
  const bool guarded = factor.kind() == ExprKind::cases;
  if (guarded && (factor->cases.size() != 1 || !factor->operands[0].is_constant(0)))
    return std::nullopt;
  const Expr& product = guarded ? factor->cases[0].value : factor;
  if (product.kind() != ExprKind::binary || product->binary() != Binary::mul) return std::nullopt;
  std::optional<Dequantised> out;
  for (const size_t k : {0, 1}) {
    out = widened(product->operands[k]);
    if (!out) continue;
    out->scale = product->operands[1 - k];
    break;
  }
  if (out && guarded) out->inside = factor->cases[0].guard;
  // A scale may lie only where the guard holds.
  if (out && bounded_by(out->scale, out->inside)) return std::nullopt;
  return out;
}

bool moves_along(const Expr& expr, const std::vector<int>& reduced) {
  const std::vector<int> axes = axes_of(expr);
  return std::any_of(reduced.begin(), reduced.end(),
                     [&](int axis) { return contains(axes, axis); });
}

}  // namespace burin
