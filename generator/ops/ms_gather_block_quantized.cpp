// com.microsoft GatherBlockQuantized: whole slices of quantised data along gather_axis, one per
// index, dequantised by blocks along quantize_axis. Bytes may hold two numbers of 4 bits, low ones
// first, along the last dimension.
#include "kernel/tensor.h"
#include "ops/api/math/fused.h"
#include "ops/api/math/sums_of_products.h"
#include "ops/api/movement/gathering.h"
#include "ops/api/movement/movement.h"
#include "support/diagnostics.h"

namespace burin::ms_gather_block_quantized_op {
namespace {

constexpr int kScales = 2, kZeros = 3;

// Element `at` of a tensor that may be packed along its last dimension, in i32.
Expr element(const Operand& x, Indices at, bool packed) {
  if (!packed) return Expr::cast(Type::i32, x.at(std::move(at)));
  const Index last = at.back();
  at.back() = floordiv(last, 2);
  const Expr shift = Expr::cast(Type::i32, Expr::index(mod(last, 2) * 4));
  return Expr::binary(
      Binary::bit_and,
      Expr::binary(Binary::shift_right, Expr::cast(Type::i32, x.at(std::move(at))), shift),
      Expr::constant(Type::i32, 15));
}

void lower(OpContext& op) {
  const Operand data = op.input(0), indices = op.input(1), scales = op.input(kScales);
  const int64_t bits = op.integer("bits", 4), block = op.integer("block_size", 128);
  if (bits != 4 && bits != 8)
    refuse("unsupported-attribute", "bits is " + std::to_string(bits) + "; it can be 4 or 8");
  if (block < 16 || block > highest(Type::i32) || (block & (block - 1)) != 0)
    refuse("bad-attribute",
           "block_size is " + std::to_string(block) + "; it is a power of two from 16 on");
  const int axis = normalize_axis(op.integer("gather_axis", 0), data.rank(), "gather_axis");
  const int by = normalize_axis(op.integer("quantize_axis", 1), data.rank(), "quantize_axis");
  const bool bytes = data.type() == Type::u8, packed = bytes && bits == 4;
  if (packed && axis == data.rank() - 1)
    refuse("bad-attribute", "gather_axis is the dimension that numbers are packed along");
  Shape full = data.shape();
  if (packed) full.back() = full.back() * 2;
  if (scales.rank() != data.rank()) refuse("shape-mismatch", "scales must have the rank of data");
  for (int d = 0; d < data.rank(); ++d) {
    const Dim& extent = full[static_cast<size_t>(d)];
    op.require_equal(scales.dim(d), d == by ? ceildiv(extent, block) : extent, "shape of scales");
  }
  if (op.has_input(kZeros)) {
    const Operand zeros = op.input(kZeros);
    if (zeros.rank() != scales.rank() || zeros.type() != data.type())
      refuse("shape-mismatch", "zero_points must have the rank of scales and the type of data");
    for (int d = 0; d < zeros.rank(); ++d)
      op.require_equal(zeros.dim(d),
                       packed && d + 1 == zeros.rank() ? ceildiv(scales.dim(d), 2) : scales.dim(d),
                       "shape of zero_points");
  }
  const auto index = index_reader(op, 1, full[static_cast<size_t>(axis)]);
  Shape shape(full.begin(), full.begin() + axis);
  shape.insert(shape.end(), indices.shape().begin(), indices.shape().end());
  shape.insert(shape.end(), full.begin() + axis + 1, full.end());
  require_pickable(op, product(shape), full[static_cast<size_t>(axis)]);
  const Operand y = op.output(0, scales.type(), shape);
  op.map(y, [&](const Indices& at) {
    const auto first = at.begin() + axis, last = first + indices.rank();
    Indices from(at.begin(), first);
    from.push_back(index(Indices(first, last)));
    from.insert(from.end(), last, at.end());
    Indices of = from;
    of[static_cast<size_t>(by)] = floordiv(of[static_cast<size_t>(by)], block);
    const Expr zero = op.has_input(kZeros) ? element(op.input(kZeros), of, packed)
                                           : Expr::constant(Type::i32, bytes ? 1 << (bits - 1) : 0);
    const Expr scale = in_type(y.compute(), scales.at(of));
    return Expr::cast(y.compute(), element(data, from, packed) - zero) * scale;
  });
}

}  // namespace

OpDef definition() {
  const TypeSet data = types::int4 | types::u8,
                scales = types::f32 | only(Type::f16) | only(Type::bf16);
  return ms_op({.name = "GatherBlockQuantized",
                .inputs = {{"data", data},
                           {"indices", types::indices},
                           {"scales", scales},
                           {"zero_points", data, Arity::optional}},
                .outputs = {{"output"}},
                .attributes = {{"bits", AttributeKind::integer},
                               {"block_size", AttributeKind::integer},
                               {"gather_axis", AttributeKind::integer},
                               {"quantize_axis", AttributeKind::integer}},
                .lower = lower});
}

}  // namespace burin::ms_gather_block_quantized_op
