#include "select/integers/factor.h"

#include "kernel/expr/expr_axes.h"
#include "select/bytes/known_rows.h"

namespace burin {
namespace {

// i32(x) of bytes; empty: it is none.
Expr widened_byte(const Expr& expr) {
  if (expr.kind() != ExprKind::cast || expr->storage != Type::i32) return {};
  const Expr& from = expr->operands[0];
  return is_byte(from.type()) ? from : Expr();
}

bool reads_lets(const Expr& expr) {
  bool found = false;
  visit(expr, [&](const ExprNode& node) { found = found || node.kind == ExprKind::let; });
  return found;
}

std::optional<NarrowFactor> without_guard(const Expr& factor) {
  if (factor.kind() == ExprKind::load && factor->storage == Type::bf16)
    return NarrowFactor{factor, Expr::cast(factor.type(), Expr::constant(Type::i32, 0)), {}};
  const Expr none = Expr::constant(Type::i32, 0);
  if (Expr stored = widened_byte(factor)) return NarrowFactor{std::move(stored), none, {}};
  if (factor.kind() != ExprKind::binary || factor->binary() != Binary::sub) return std::nullopt;
  Expr stored = widened_byte(factor->operands[0]);
  const Expr& zero = factor->operands[1];
  if (!stored || !axes_of(zero).empty()) return std::nullopt;
  // A zero point is a byte of the same type: elsewhere than the tensor it is stored for 0.
  const Type type = stored.type();
  if (zero.is_constant()) {
    if (zero->integer < lowest(type) || zero->integer > highest(type)) return std::nullopt;
  } else if (const Expr byte = widened_byte(zero); !byte || byte.type() != type) {
    return std::nullopt;
  }
  return NarrowFactor{std::move(stored), zero, {}};
}

// Of bytes, so that what is taken off the sign's bit is what the type's zero is away.
int shift_between(Type from, Type to) {
  if (from == to) return 0;
  return to == Type::u8 ? 128 : -128;
}

}  // namespace

std::optional<NarrowFactor> narrow_factor(const Expr& factor) {
  if (reads_lets(factor)) return std::nullopt;
  if (factor.kind() != ExprKind::cases) return without_guard(factor);
  if (factor->cases.size() != 1 || !factor->operands[0].is_constant(0)) return std::nullopt;
  // A tensor with margins that is read through a window has two.
  std::optional<NarrowFactor> out = narrow_factor(factor->cases[0].value);
  const Guard& inside = factor->cases[0].guard;
  if (out) out->inside.insert(out->inside.begin(), inside.begin(), inside.end());
  return out;
}

StoredFactor stored_as(const NarrowFactor& factor, Type type) {
  StoredFactor out;
  if (is_float(type)) {
    out.element = factor.stored;
    out.zero = factor.zero;
  } else if (type == Type::i16) {
    out.element = Expr::cast(type, Expr::cast(Type::i32, factor.stored) - factor.zero);
    out.zero = Expr::constant(Type::i32, 0);
  } else {
    const Expr shift = Expr::constant(Type::i32, shift_between(factor.stored.type(), type));
    out.element = shift.is_constant(0)
                      ? factor.stored
                      : Expr::cast(type, Expr::cast(Type::i32, factor.stored) + shift);
    out.zero = shift.is_constant(0) ? factor.zero : factor.zero + shift;
  }
  if (!factor.inside.empty())
    out.element = Expr::cases({{factor.inside, out.element}}, Expr::cast(type, out.zero));
  return out;
}

}  // namespace burin
