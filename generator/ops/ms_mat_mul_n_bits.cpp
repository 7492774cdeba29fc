// com.microsoft MatMulNBits: A [..., K] times the transpose of B [N, K], which is stored in blocks
// of numbers of 2, 4 or 8 bits, low bits of a byte first, with a scale and a zero point per block.
// g_idx, where there is one, says of which block the scale and zero point of a row of K are.
#include "kernel/tensor.h"
#include "ops/api/math/fused.h"
#include "ops/api/math/sums_of_products.h"
#include "ops/api/movement/gathering.h"
#include "support/diagnostics.h"

namespace burin::ms_mat_mul_n_bits_op {
namespace {

constexpr int kScales = 2, kZeros = 3, kGroups = 4, kBias = 5;
constexpr int64_t kMost = int64_t{1} << 31;

// Number `i` of a list that is packed into bytes.
Expr packed(const Operand& x, const Index& byte, const Index& i, int64_t bits) {
  const int64_t count = 8 / bits;
  const Expr wide = Expr::cast(Type::i32, x.at(delinearize(byte + floordiv(i, count), x.shape())));
  if (count == 1) return wide;
  const Expr shift = Expr::cast(Type::i32, Expr::index(mod(i, count) * bits));
  return Expr::binary(Binary::bit_and, Expr::binary(Binary::shift_right, wide, shift),
                      Expr::constant(Type::i32, (1 << bits) - 1));
}

struct Blocks {
  int64_t k = 0, n = 0, size = 0, bits = 0;
  int64_t count() const { return (k + size - 1) / size; }     // of a row of B
  int64_t bytes() const { return size * bits / 8; }           // of one block
  int64_t zeros() const { return (count() * bits + 7) / 8; }  // bytes of a row's zero points
};

Blocks read_blocks(OpContext& op) {
  const Blocks blocks{op.integer("K"), op.integer("N"), op.integer("block_size"),
                      op.integer("bits", 4)};
  if (blocks.bits != 2 && blocks.bits != 4 && blocks.bits != 8)
    refuse("unsupported-attribute",
           "bits is " + std::to_string(blocks.bits) + "; it can be 2, 4 or 8");
  if (blocks.k < 1 || blocks.n < 1 || blocks.k > kMost || blocks.n > kMost || blocks.size < 2 ||
      blocks.size > kMost || blocks.size * blocks.bits % 8 != 0)
    refuse("bad-attribute", "K, N or block_size is not positive, or a block is not whole bytes");
  return blocks;
}

// The block of each row of K: the one that it lies in where g_idx says just that.
std::function<Index(const Index&)> group_reader(OpContext& op, const Blocks& blocks) {
  const auto in_order = [size = blocks.size](const Index& k) { return floordiv(k, size); };
  if (!op.has_input(kGroups)) return in_order;
  const Operand groups = op.input(kGroups);
  // Exporters pad it to whole blocks.
  const int64_t padded = blocks.count() * blocks.size;
  if (groups.rank() != 1 || (groups.dim(0) != Dim(blocks.k) && groups.dim(0) != Dim(padded)))
    refuse("shape-mismatch", "g_idx must have K entries or those of whole blocks");
  if (const auto constant = op.constant(kGroups)) {
    const HostTensor tensor = to_tensor(constant->type, constant->shape, constant->content);
    int64_t k = 0;
    while (k < blocks.k && tensor.get(k).integer == k / blocks.size) ++k;
    if (k == blocks.k) return in_order;
  }
  return [read = index_reader(op, kGroups, blocks.count())](const Index& k) { return read({k}); };
}

// The zero point of a block: packed like B, or a number of the type of the scales.
std::function<Expr(const Index& n, const Index& group)> zero_reader(OpContext& op,
                                                                    const Blocks& blocks,
                                                                    Type compute) {
  if (!op.has_input(kZeros)) {
    const Expr middle = Expr::cast(compute, Expr::constant(Type::i32, 1 << (blocks.bits - 1)));
    return [middle](const Index&, const Index&) { return middle; };
  }
  const Operand zeros = op.input(kZeros);
  if (zeros.type() == Type::u8) {
    op.require_equal(product(zeros.shape()), Dim(blocks.n) * blocks.zeros(),
                     "bytes of zero points");
    return [=](const Index& n, const Index& group) {
      return Expr::cast(compute, packed(zeros, n * blocks.zeros(), group, blocks.bits));
    };
  }
  op.require_equal(product(zeros.shape()), Dim(blocks.n) * blocks.count(), "number of zero points");
  return [=](const Index& n, const Index& group) {
    return in_type(compute, zeros.at(delinearize(n * blocks.count() + group, zeros.shape())));
  };
}

void lower(OpContext& op) {
  const Operand a = op.input(0), b = op.input(1), scales = op.input(kScales);
  const Blocks blocks = read_blocks(op);
  if (a.rank() < 1) refuse("shape-mismatch", "A is a scalar");
  op.require_equal(a.dim(-1), blocks.k, "K");
  op.require_equal(product(b.shape()), Dim(blocks.n) * blocks.count() * blocks.bytes(),
                   "bytes of B");
  op.require_equal(product(scales.shape()), Dim(blocks.n) * blocks.count(), "number of scales");
  const Type compute = a.compute();
  const auto zero = zero_reader(op, blocks, compute);
  const auto group_of = group_reader(op, blocks);
  Shape shape = a.shape();
  shape.back() = blocks.n;
  if (op.has_input(kBias)) require_broadcastable(op, op.input(kBias).shape(), {blocks.n}, "bias");
  const Operand y = op.output(0, a.type(), shape);

  KernelBuilder kernel;
  const Indices at = kernel.axes(shape);
  const Index n = at.back(), k = kernel.reduce_axis(blocks.k, "inner");
  const Index group = group_of(k);
  const Index block = (n * blocks.count() + floordiv(k, blocks.size)) * blocks.bytes();
  const Expr number = packed(b, block, mod(k, blocks.size), blocks.bits);
  const Expr scale = scales.at(delinearize(n * blocks.count() + group, scales.shape()));
  const Expr weight = (Expr::cast(compute, number) - zero(n, group)) * in_type(compute, scale);
  Indices from = at;
  from.back() = k;
  Expr sum = kernel.reduce(Combiner::sum, {k}, a.at(from) * weight);
  if (op.has_input(kBias)) sum = sum + in_type(y.compute(), op.input(kBias).broadcast_at(at));
  kernel.write(y, at, sum);
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
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
                               {"accuracy_level", AttributeKind::integer},
                               {"weight_prepacked", AttributeKind::integer, false, {}, int64_t{0}}},
                .lower = lower,
                .note = "2, 4 or 8 bits"});
}

}  // namespace burin::ms_mat_mul_n_bits_op
