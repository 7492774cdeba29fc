// com.microsoft MatMulBnb4: A [..., K] times the transpose of B [N, K], whose numbers are 4 bits
// that stand for the values of a table (FP4 or NF4), times the absolute maximum of their block.
// Blocks run through B as one list; high bits of a byte come first.
#include "kernel/tensor.h"
#include "ops/api/math/fused.h"
#include "ops/api/math/sums_of_products.h"
#include "support/diagnostics.h"

namespace burin::ms_mat_mul_bnb4_op {
namespace {

constexpr int64_t kMost = int64_t{1} << 31;

// Floats of 4 bits (sign, exponent, one bit of fraction), divided by the largest.
const std::vector<double> kFp4 = {
    0,    0.005208333333,  0.66666667,  1,  0.33333333,  0.5,  0.16666667,  0.25,
    -0.0, -0.005208333333, -0.66666667, -1, -0.33333333, -0.5, -0.16666667, -0.25};
// Quantiles of the normal distribution, divided by the largest.
const std::vector<double> kNf4 = {-1.0,
                                  -0.6961928009986877,
                                  -0.5250730514526367,
                                  -0.39491748809814453,
                                  -0.28444138169288635,
                                  -0.18477343022823334,
                                  -0.09105003625154495,
                                  0.0,
                                  0.07958029955625534,
                                  0.16093020141124725,
                                  0.24611230194568634,
                                  0.33791524171829224,
                                  0.44070982933044434,
                                  0.5626170039176941,
                                  0.7229568362236023,
                                  1.0};

void lower(OpContext& op) {
  const Operand a = op.input(0), b = op.input(1), most = op.input(2);
  const int64_t k_size = op.integer("K"), n_size = op.integer("N"),
                block = op.integer("block_size"), kind = op.integer("quant_type");
  if (k_size < 1 || n_size < 1 || k_size > kMost || n_size > kMost || block < 1 || block > kMost)
    refuse("bad-attribute", "K, N or block_size is not positive");
  if (kind != 0 && kind != 1)
    refuse("bad-attribute",
           "quant_type is " + std::to_string(kind) + "; 0 (FP4) and 1 (NF4) exist");
  if (op.integer("transB", 1) != 1)
    refuse("unsupported-attribute", "transB is 0: B must be [N, K]");
  if (a.rank() < 1) refuse("shape-mismatch", "A is a scalar");
  op.require_equal(a.dim(-1), k_size, "K");
  const Dim count = Dim(n_size) * k_size;
  op.require_equal(product(b.shape()), ceildiv(count, 2), "bytes of B");
  op.require_equal(product(most.shape()), ceildiv(count, block), "number of blocks");
  const HostTensor host = make_tensor(Type::f32, {16}, kind == 0 ? kFp4 : kNf4);
  const Operand table =
      op.constant_operand("values", {host.type, host.shape, to_constant(host), {}});
  Shape shape = a.shape();
  shape.back() = n_size;
  const Operand y = op.output(0, a.type(), shape);
  KernelBuilder kernel;
  const Indices at = kernel.axes(shape);
  const Index k = kernel.reduce_axis(k_size, "inner"), place = at.back() * k_size + k;
  const Expr byte = Expr::cast(Type::i32, b.at(delinearize(floordiv(place, 2), b.shape())));
  const Expr shift = Expr::cast(Type::i32, Expr::index((1 - mod(place, 2)) * 4));
  const Expr number = Expr::binary(Binary::bit_and, Expr::binary(Binary::shift_right, byte, shift),
                                   Expr::constant(Type::i32, 15));
  const Index entry = Index::data(Expr::cast(Type::i64, number).ptr(), {0, 15});
  const Expr scale = most.at(delinearize(floordiv(place, block), most.shape()));
  const Expr weight = in_type(a.compute(), table.at({entry})) * in_type(a.compute(), scale);
  Indices from = at;
  from.back() = k;
  kernel.write(y, at, kernel.reduce(Combiner::sum, {k}, a.at(from) * weight));
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
  const TypeSet types = types::f32 | only(Type::f16) | only(Type::bf16);
  return ms_op({.name = "MatMulBnb4",
                .inputs = {{"A", types}, {"B", types::u8}, {"absmax", types}},
                .outputs = {{"Y"}},
                .attributes = {{"K", AttributeKind::integer, true},
                               {"N", AttributeKind::integer, true},
                               {"block_size", AttributeKind::integer, true},
                               {"quant_type", AttributeKind::integer, true},
                               {"training_mode", AttributeKind::integer},
                               {"transB", AttributeKind::integer}},
                .lower = lower});
}

}  // namespace burin::ms_mat_mul_bnb4_op
