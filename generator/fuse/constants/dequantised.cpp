#include "fuse/constants/dequantised.h"

#include <algorithm>
#include <limits>

#include "fuse/access/access.h"
#include "fuse/access/written_out.h"
#include "fuse/constants/byte_forms.h"
#include "fuse/constants/dequantised_form.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/rewrite_kernel.h"

namespace burin {
namespace {

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
