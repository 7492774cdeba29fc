#include "fuse/constants/dequantised.h"

#include <algorithm>
#include <limits>

#include "fuse/access/access.h"
#include "fuse/access/written_out.h"
#include "fuse/constants/byte_forms.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/rewrite_kernel.h"

namespace burin {
namespace {

// An f32 number as (integer) * scale where a guard holds, else 0.
struct Dequantised {
  Expr integer;  // i32
  Expr scale;    // f32
  Guard inside;
  int64_t largest = 0;  // magnitude of the integer
};

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

Expr integer_factor(const Dequantised& factor) {
  if (factor.inside.empty()) return factor.integer;
  return Expr::cases({{factor.inside, factor.integer}}, Expr::constant(Type::i32, 0));
}

bool fits_32_bits(const Kernel& kernel, const Let& let, int64_t largest) {
  Dim terms = 1;
  for (const int axis : let.reduced) terms *= kernel.axes[static_cast<size_t>(axis)].extent;
  const Range range = terms.range();
  return range.bounded() && range.hi <= std::numeric_limits<int32_t>::max() / largest;
}

// Tensors whose maps may stand in their place.
std::vector<ValueId> loads_of(const Expr& expr) {
  std::vector<ValueId> out;
  visit(expr, [&](const ExprNode& node) {
    if (node.kind == ExprKind::load && node.type == Type::f32) out.push_back(node.id);
  });
  return out;
}

bool has_guard(const Kernel& kernel) {
  bool guarded = false;
  visit(kernel.lets[0].body[0],
        [&](const ExprNode& node) { guarded = guarded || !node.cases.empty(); });
  return guarded;
}

// Whether one factor is made of constants. Two tensors of the run through a window are better
// multiplied as floats.
bool multiplies_constants(const Kernel& kernel, const std::vector<Value>& values) {
  const std::vector<Expr>& factors = kernel.lets[0].body[0]->operands;
  return std::any_of(factors.begin(), factors.end(), [&](const Expr& factor) {
    bool constant = true;
    visit(factor, [&](const ExprNode& node) {
      if (node.kind == ExprKind::load)
        constant = constant && values[static_cast<size_t>(node.id)].kind == ValueKind::constant;
    });
    return constant;
  });
}

// A constant of bytes, all of them 0.
bool holds_zeros(const Value& value) {
  const std::optional<int64_t> elements = product(value.shape).as_constant();
  if (value.kind != ValueKind::constant || !is_byte_storage(value.type) || !elements) return false;
  const uint8_t* const bytes = reinterpret_cast<const uint8_t*>(value.constant.data);
  return bytes != nullptr &&
         std::all_of(bytes, bytes + *elements, [](uint8_t byte) { return byte == 0; });
}

// Zero points that are 0 are not subtracted: symmetric weights.
void leave_out_zeros(Kernel& kernel, const std::vector<Value>& values) {
  Expr& body = kernel.lets[0].body[0];
  body = rewrite(
      body,
      [&](const Expr& one) -> Expr {
        if (one.kind() != ExprKind::binary || one->binary() != Binary::sub) return one;
        const Expr& zero = one->operands[1];
        const bool cast = zero.kind() == ExprKind::cast &&
                          zero->operands[0].kind() == ExprKind::load &&
                          holds_zeros(values[static_cast<size_t>(zero->operands[0]->id)]);
        return cast ? one->operands[0] : one;
      },
      [](const Index& leaf) { return leaf; });
}

}  // namespace

std::optional<Kernel> with_integer_sum(const Kernel& kernel) {
  if (kernel.lets.size() != 1) return std::nullopt;
  const Let& let = kernel.lets[0];
  if (let.op != Combiner::sum || let.body.size() != 1 || let.accumulator[0] != Type::f32)
    return std::nullopt;
  const Expr& body = let.body[0];
  if (body.kind() != ExprKind::binary || body->binary() != Binary::mul) return std::nullopt;
  const std::optional<Dequantised> a = dequantised(body->operands[0]),
                                   b = dequantised(body->operands[1]);
  if (!a || !b || moves_along(a->scale, let.reduced) || moves_along(b->scale, let.reduced) ||
      !fits_32_bits(kernel, let, a->largest * b->largest))
    return std::nullopt;
  Kernel out = kernel;
  Let& sum = out.lets[0];
  sum.body = {integer_factor(*a) * integer_factor(*b)};
  sum.accumulator = {Type::i32};
  for (Write& write : out.writes) {
    write.value = rewrite(
        write.value,
        [&](const Expr& expr) -> Expr {
          if (expr.kind() != ExprKind::let) return expr;
          // The scale of the place where the sum is read.
          const std::vector<Index> place = axes_at(kernel, let, expr->at);
          // One after the other: their product alone may be no number that the result needs.
          return Expr::cast(Type::f32, Expr::let(expr->id, Type::i32, expr->at, 0)) *
                 substitute_axes(a->scale, place) * substitute_axes(b->scale, place);
        },
        [](const Index& leaf) { return leaf; });
  }
  return out;
}

std::optional<Kernel> with_integer_mean(const Kernel& kernel) {
  if (kernel.lets.size() != 1) return std::nullopt;
  const Let& let = kernel.lets[0];
  if (let.op != Combiner::sum || let.body.size() != 1 || let.accumulator[0] != Type::f32)
    return std::nullopt;
  const std::optional<Dequantised> byte = dequantised(let.body[0]);
  if (!byte || moves_along(byte->scale, let.reduced) || !fits_32_bits(kernel, let, byte->largest))
    return std::nullopt;
  Kernel out = kernel;
  out.lets[0].body = {integer_factor(*byte)};
  out.lets[0].accumulator = {Type::i32};
  for (Write& write : out.writes) {
    write.value = rewrite(
        write.value,
        [&](const Expr& expr) -> Expr {
          if (expr.kind() != ExprKind::let) return expr;
          return Expr::cast(Type::f32, Expr::let(expr->id, Type::i32, expr->at, 0)) *
                 substitute_axes(byte->scale, axes_at(kernel, let, expr->at));
        },
        [](const Index& leaf) { return leaf; });
  }
  return out;
}

namespace {

// Whether somebody who reads the sums also reads what is summed: rows that are normalised, which
// others want as floats.
bool is_read_beside(const BlockSteps& block, const Kernel& kernel,
                    const std::vector<const Kernel*>& maps) {
  for (const Write& write : kernel.writes) {
    for (const int reader : block.readers(write.to)) {
      for (const Kernel* map : maps) {
        if (block.readers(map->writes[0].to).contains(reader)) return true;
      }
    }
  }
  return false;
}

}  // namespace

void fuse_dequantised(BlockSteps& block, int at) {
  const Kernel& kernel = *block.kernel(at);
  if (kernel.lets.size() != 1 || kernel.lets[0].body.size() != 1) return;
  std::vector<const Kernel*> maps;
  for (const ValueId id : loads_of(kernel.lets[0].body[0])) {
    const int maker = block.maker(id);
    const Kernel* map = maker < 0 || maker == at ? nullptr : block.kernel(maker);
    if (map && is_map(*map) && std::find(maps.begin(), maps.end(), map) == maps.end())
      maps.push_back(map);
  }
  if (maps.empty()) return;
  const Kernel whole = inlined(kernel, maps);
  std::optional<Kernel> with = with_integer_sum(whole);
  if (with && has_guard(*with) && !multiplies_constants(*with, block.values())) return;
  // A few that are summed are written out, where they are pieces of a concatenation: what makes
  // them joins the sum.
  if (!with && !is_read_beside(block, kernel, maps) && !written_out(kernel))
    with = with_integer_mean(whole);
  if (!with) return;
  leave_out_zeros(*with, block.values());
  block.replace(at, std::move(*with));
}

}  // namespace burin
