#include "ops/api/quantized/quantize.h"

#include "ops/api/math/sums_of_products.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

bool one_for_all(const Operand& p) {
  return p.rank() == 0 || (p.rank() == 1 && p.dim(0).is_constant(1));
}

}  // namespace

Parameter parameter_of(OpContext& op, int input, const Shape& shape, int64_t axis, int64_t block) {
  const Operand p = op.input(input);
  if (one_for_all(p) && block == 0) return [p](const Indices&) { return p.scalar(); };
  const int rank = static_cast<int>(shape.size());
  const int along = normalize_axis(axis, rank);
  if (block == 0) {
    if (p.rank() != 1) {
      refuse("shape-mismatch", "a scale or zero point has shape " + to_string(p.shape()) +
                                   "; it must be a number or a list");
    }
    op.require_equal(p.dim(0), shape[static_cast<size_t>(along)],
                     "entries of input " + std::to_string(input) + " and of the axis");
    return [p, along](const Indices& at) { return p.at({at[static_cast<size_t>(along)]}); };
  }
  if (p.rank() != rank) {
    refuse("shape-mismatch", "a scale or zero point has rank " + std::to_string(p.rank()) +
                                 ", the tensor has " + std::to_string(rank));
  }
  for (int d = 0; d < rank; ++d) {
    const Dim& extent = shape[static_cast<size_t>(d)];
    op.require_equal(p.dim(d), d == along ? ceildiv(extent, block) : extent,
                     "blocks of input " + std::to_string(input) + " and of the tensor");
  }
  return [p, along, block](const Indices& at) {
    Indices from = at;
    from[static_cast<size_t>(along)] = floordiv(at[static_cast<size_t>(along)], block);
    return p.at(std::move(from));
  };
}

Parameter optional_parameter(OpContext& op, int input, const Shape& shape, int64_t axis,
                             int64_t block) {
  return op.has_input(input) ? parameter_of(op, input, shape, axis, block) : Parameter();
}

Parameter matrix_parameter(OpContext& op, int input, const Shape& shape, bool left) {
  if (!op.has_input(input)) return {};
  const Operand p = op.input(input);
  if (one_for_all(p)) return [p](const Indices&) { return p.scalar(); };
  if (p.rank() != 1) {
    require_broadcastable(op, p.shape(), shape, "zero point or scale");
    return [p](const Indices& at) { return p.broadcast_at(at); };
  }
  if (shape.size() < 2) refuse("shape-mismatch", "a list of zero points needs a matrix");
  const size_t dim = shape.size() - (left ? 2 : 1);
  op.require_equal(p.dim(0), shape[dim], "zero points or scales");
  return [p, dim](const Indices& at) { return p.at({at[dim]}); };
}

Expr centred(const Expr& q, const Expr& zero) {
  const Type type = is_float(q.type()) ? q.type() : Type::i32;
  const Expr wide = in_type(type, q);
  return zero ? wide - in_type(type, zero) : wide;
}

Expr quantized(const Expr& scaled, const Expr& zero, Type to, bool saturate) {
  const CastMode mode = saturate ? CastMode::saturate : CastMode::convert;
  if (is_float(to)) return Expr::cast(to, scaled, mode);
  const Expr whole = Expr::unary(Unary::round, scaled);
  return Expr::cast(to, zero ? whole + in_type(whole.type(), zero) : whole, mode);
}

}  // namespace burin
