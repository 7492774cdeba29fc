// RotaryEmbedding: pairs of elements of every head turned by angles whose cosines and sines are
// given, per position: [positions, size / 2] with position_ids, [batch, length, size / 2] without.
// X is [batch, heads, length, size] or [batch, length, heads * size]. Since opset 23.
#include "ops/api/core/op_def.h"
#include "ops/api/layers/rotary.h"
#include "ops/api/layers/scaled_attention.h"
#include "ops/api/math/sums_of_products.h"
#include "ops/api/movement/gathering.h"
#include "ops/api/movement/movement.h"
#include "support/diagnostics.h"

namespace burin::rotary_embedding_op {
namespace {

constexpr int kCos = 1, kSin = 2, kPositions = 3;

void lower(OpContext& op) {
  require_one_type(op, {0, kCos, kSin});
  const Operand x = op.input(0), cos = op.input(kCos), sin = op.input(kSin);
  if (x.rank() != 3 && x.rank() != 4) refuse("shape-mismatch", "X must have rank 3 or 4");
  const Heads heads =
      x.rank() == 4 ? heads_apart(x) : heads_in_columns(op, x, head_count(op, "num_heads"));
  const bool gathers = op.has_input(kPositions);
  if (cos.rank() != (gathers ? 2 : 3) || sin.rank() != cos.rank())
    refuse("shape-mismatch", "the caches have rank " + std::to_string(cos.rank()));
  const int64_t given = op.integer("rotary_embedding_dim", 0);
  if (given < 0 || given % 2 != 0)
    refuse("bad-attribute", "rotary_embedding_dim is " + std::to_string(given));
  Rotation rotation;
  rotation.interleaved = op.integer("interleaved", 0) != 0;
  rotation.size = given ? Dim(given) : heads.size;
  op.require({{rotation.size, 0, heads.size + 1}}, "rotary_embedding_dim");
  for (int d = 0; d < cos.rank(); ++d) op.require_equal(cos.dim(d), sin.dim(d), "the caches");
  op.require_equal(cos.dim(-1) * 2, rotation.size, "elements of the caches");
  std::function<Index(const Indices&)> row;
  if (gathers) {
    const Operand positions = op.input(kPositions);
    if (positions.rank() != 2) refuse("shape-mismatch", "position_ids must have rank 2");
    op.require_equal(positions.dim(0), heads.batch, "batch of position_ids");
    op.require_equal(positions.dim(1), heads.length, "length of position_ids");
    require_pickable(op, heads.batch * heads.length, cos.dim(0));
    row = index_reader(op, kPositions, cos.dim(0));
  } else {
    op.require_equal(cos.dim(0), heads.batch, "batch of the caches");
    op.require_equal(cos.dim(1), heads.length, "length of the caches");
  }
  const auto reader = [&](const Operand& cache) {
    return [cache, row](const Index& b, const Index& i, const Index& pair) {
      return row ? cache.at({row({b, i}), pair}) : cache.at({b, i, pair});
    };
  };
  rotation.cos = reader(cos);
  rotation.sin = reader(sin);
  const Operand y = op.output(0, x.type(), x.shape());
  KernelBuilder kernel;
  const Index b = kernel.axis(heads.batch), h = kernel.axis(heads.heads);
  const Index i = kernel.axis(heads.length), e = kernel.axis(heads.size);
  const auto element = [&](const Index& at) { return heads.at(b, h, i, at); };
  kernel.write(y, x.rank() == 4 ? Indices{b, h, i, e} : Indices{b, i, h * heads.size + e},
               rotated(rotation, element, b, i, e));
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
  return {.name = "RotaryEmbedding",
          .since = 23,
          .inputs = {{"X", types::floats},
                     {"cos_cache", types::floats},
                     {"sin_cache", types::floats},
                     {"position_ids", types::i64, Arity::optional}},
          .outputs = {{"Y"}},
          .attributes = {{"interleaved", AttributeKind::integer},
                         {"num_heads", AttributeKind::integer},
                         {"rotary_embedding_dim", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin::rotary_embedding_op
