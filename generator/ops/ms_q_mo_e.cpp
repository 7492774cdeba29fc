// com.microsoft QMoE: a mixture of experts whose weights are numbers of 4 or 8 bits, low bits of a
// byte first, with a scale for each row or for each block of a row; without zero points these are
// the middle. The weights of the chosen experts sum up to 1.
#include "ops/api/layers/experts.h"
#include "ops/api/math/fused.h"
#include "ops/api/math/sums_of_products.h"
#include "support/diagnostics.h"

namespace burin::ms_q_mo_e_op {
namespace {

constexpr int kZeros = 11;  // of fc1, fc2, fc3

struct Packed {
  int64_t bits, block;  // block 0: a scale for each row
  int64_t count() const { return 8 / bits; }
  // Number `i` of a row of bytes that begins at `at`.
  Expr number(const Operand& x, Indices at, const Index& i) const {
    at.push_back(floordiv(i, count()));
    const Expr byte = Expr::cast(Type::i32, x.at(std::move(at)));
    if (count() == 1) return byte;
    const Expr shift = Expr::cast(Type::i32, Expr::index(mod(i, count()) * bits));
    return Expr::binary(Binary::bit_and, Expr::binary(Binary::shift_right, byte, shift),
                        Expr::constant(Type::i32, (1 << bits) - 1));
  }
};

ExpertLayer layer_of(OpContext& op, const Packed& packed, int number, const Dim& count) {
  const int input = 2 + 3 * number;
  const Operand w = op.input(input), scale = op.input(input + 1);
  if (w.rank() != 3) refuse("shape-mismatch", "weights of experts must have rank 3");
  op.require_equal(w.dim(0), count, "experts that have weights");
  const Dim rows = w.dim(1), columns = w.dim(2) * packed.count();
  const bool blocks = packed.block > 0;
  if (scale.rank() != (blocks ? 3 : 2))
    refuse("shape-mismatch",
           "scales must be [experts, rows" + std::string(blocks ? ", blocks]" : "]"));
  op.require_equal(scale.dim(0), count, "experts that have scales");
  op.require_equal(scale.dim(1), rows, "rows of scales and of weights");
  if (blocks)
    op.require_equal(scale.dim(2), ceildiv(columns, packed.block), "blocks of scales and weights");
  const auto place = [packed, blocks](const Index& e, const Index& row, const Index& column) {
    return blocks ? Indices{e, row, floordiv(column, packed.block)} : Indices{e, row};
  };
  std::function<Expr(const Indices&)> zero = [packed](const Indices&) {
    return Expr::constant(Type::i32, 1 << (packed.bits - 1));
  };
  if (op.has_input(kZeros + number)) {
    const Operand zeros = op.input(kZeros + number);
    if (zeros.rank() != scale.rank()) refuse("shape-mismatch", "zero points go with the scales");
    op.require_equal(zeros.dim(0), count, "experts that have zero points");
    if (blocks) op.require_equal(zeros.dim(1), rows, "rows of zero points");
    op.require_equal(zeros.dim(-1), ceildiv(blocks ? scale.dim(2) : rows, packed.count()),
                     "bytes of zero points");
    zero = [packed, zeros](const Indices& at) {
      return packed.number(zeros, Indices(at.begin(), at.end() - 1), at.back());
    };
  }
  return {.weight =
              [=](const Index& e, const Index& row, const Index& column) {
                const Indices at = place(e, row, column);
                const Expr centred = packed.number(w, {e, row}, column) - zero(at);
                return Expr::cast(Type::f32, centred) * in_type(Type::f32, scale.at(at));
              },
          .bias = op.has_input(input + 2) ? op.input(input + 2) : Operand(),
          .rows = rows,
          .columns = columns};
}

void lower(OpContext& op) {
  const Packed packed{op.integer("expert_weight_bits", 4), op.integer("block_size", 0)};
  if (packed.bits != 4 && packed.bits != 8)
    refuse("unsupported-attribute",
           "expert_weight_bits is " + std::to_string(packed.bits) + "; it can be 4 or 8");
  if (packed.block < 0) refuse("bad-attribute", "block_size is negative");
  if (op.input(2).rank() != 3) refuse("shape-mismatch", "weights of experts must have rank 3");
  Experts experts{.count = op.input(2).dim(0)};
  experts.first = layer_of(op, packed, 0, experts.count);
  experts.second = layer_of(op, packed, 1, experts.count);
  if (op.has_input(8)) experts.third = layer_of(op, packed, 2, experts.count);
  experts.normalize = true;
  lower_experts(op, experts);
}

}  // namespace

OpDef definition() {
  const TypeSet real = types::f32 | only(Type::f16) | only(Type::bf16), bytes = only(Type::u8);
  OpDef def = ms_op({.name = "QMoE",
                     .inputs = {{"input", real},
                                {"router_probs", real},
                                {"fc1_experts_weights", bytes},
                                {"fc1_scales", real},
                                {"fc1_experts_bias", real, Arity::optional},
                                {"fc2_experts_weights", bytes},
                                {"fc2_scales", real},
                                {"fc2_experts_bias", real, Arity::optional},
                                {"fc3_experts_weights", bytes, Arity::optional},
                                {"fc3_scales", real, Arity::optional},
                                {"fc3_experts_bias", real, Arity::optional},
                                {"fc1_zero_points", bytes, Arity::optional},
                                {"fc2_zero_points", bytes, Arity::optional},
                                {"fc3_zero_points", bytes, Arity::optional}},
                     .outputs = {{"output"}},
                     .attributes = expert_attributes(),
                     .lower = lower});
  def.attributes.push_back({"expert_weight_bits", AttributeKind::integer});
  def.attributes.push_back({"block_size", AttributeKind::integer});
  return def;
}

}  // namespace burin::ms_q_mo_e_op
