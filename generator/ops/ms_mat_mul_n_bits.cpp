// com.microsoft MatMulNBits: A [..., K] times the transpose of B [N, K], which is stored in blocks
// of 4-bit numbers, low half of a byte first, with a scale per block and a zero point of 8 unless
// given.
#include "ops/api/contraction.h"
#include "ops/api/fused.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr int kScales = 2, kZeros = 3, kGroups = 4, kBias = 5;
constexpr int64_t kMost = int64_t{1} << 31;

// Half number `i` of a list of packed bytes.
Expr half_byte(const Expr& byte, const Index& i) {
  const Expr wide = Expr::cast(Type::i32, byte);
  const Expr shift = Expr::cast(Type::i32, Expr::index(mod(i, 2) * 4));
  return Expr::binary(Binary::bit_and, Expr::binary(Binary::shift_right, wide, shift),
                      Expr::constant(Type::i32, 15));
}

void lower(OpContext& op) {
  const Operand a = op.input(0), b = op.input(1), scales = op.input(kScales);
  const int64_t k_size = op.integer("K"), n_size = op.integer("N");
  const int64_t block = op.integer("block_size"), bits = op.integer("bits", 4);
  if (bits != 4) refuse("unsupported-attribute", "bits is " + std::to_string(bits) + ", not 4");
  if (k_size < 1 || n_size < 1 || k_size > kMost || n_size > kMost || block < 2 || block > kMost ||
      block % 2 != 0)
    refuse("bad-attribute", "K, N or block_size is not positive and even");
  if (op.has_input(kGroups)) refuse("unsupported-attribute", "g_idx is not supported");
  if (a.rank() < 1) refuse("shape-mismatch", "A is a scalar");
  op.require_equal(a.dim(-1), k_size, "K");
  const int64_t blocks = (k_size + block - 1) / block, row = (blocks + 1) / 2;
  op.require_equal(product(b.shape()), Dim(n_size) * blocks * (block / 2), "bytes of B");
  op.require_equal(product(scales.shape()), Dim(n_size) * blocks, "number of scales");
  if (op.has_input(kZeros)) {
    if (op.input(kZeros).type() != Type::u8)
      refuse("unsupported-type", "zero points that are not packed bytes");
    op.require_equal(product(op.input(kZeros).shape()), Dim(n_size) * row, "bytes of zero points");
  }
  Shape shape = a.shape();
  shape.back() = n_size;
  if (op.has_input(kBias)) require_broadcastable(op, op.input(kBias).shape(), {n_size}, "bias");
  const Operand y = op.output(0, a.type(), shape);

  KernelBuilder kernel;
  const Indices at = kernel.axes(shape);
  const Index n = at.back(), k = kernel.reduce_axis(k_size, "inner");
  const Index group = floordiv(k, block), place = mod(k, block);
  const auto load = [](const Operand& x, const Index& linear) {
    return x.at(delinearize(linear, x.shape()));
  };
  const Expr number =
      half_byte(load(b, (n * blocks + group) * (block / 2) + floordiv(place, 2)), place);
  const Expr zero = op.has_input(kZeros)
                        ? half_byte(load(op.input(kZeros), n * row + floordiv(group, 2)), group)
                        : Expr::constant(Type::i32, 8);
  const Expr weight = Expr::cast(a.compute(), number - zero) *
                      in_type(a.compute(), load(scales, n * blocks + group));
  Indices from = at;
  from.back() = k;
  Expr sum = kernel.reduce(Combiner::sum, {k}, a.at(from) * weight);
  if (op.has_input(kBias)) sum = sum + in_type(y.compute(), op.input(kBias).broadcast_at(at));
  kernel.write(y, at, sum);
  op.emit(kernel);
}

}  // namespace

OpDef op_ms_mat_mul_n_bits() {
  return ms_op({.name = "MatMulNBits",
                .inputs = {{"A", types::floats},
                           {"B", types::u8},
                           {"scales", types::floats},
                           {"zero_points", types::u8 | types::floats, Arity::optional},
                           {"g_idx", types::i32, Arity::optional},
                           {"bias", types::floats, Arity::optional}},
                .outputs = {{"Y"}},
                .attributes = {{"K", AttributeKind::integer, true},
                               {"N", AttributeKind::integer, true},
                               {"bits", AttributeKind::integer},
                               {"block_size", AttributeKind::integer, true},
                               {"accuracy_level", AttributeKind::integer}},
                .lower = lower,
                .note = "4 bits, packed zero points, no g_idx"});
}

}  // namespace burin
