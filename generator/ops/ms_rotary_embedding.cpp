// com.microsoft RotaryEmbedding: pairs of elements of every head turned by angles whose cosines and
// sines are tables [positions, size / 2]. position_ids are [batch, length], or one number that the
// first position has. The input is [batch, heads, length, size] or [batch, length, heads * size].
// onnxruntime reads the attribute scale and uses it nowhere, so neither is it here.
#include "ops/api/layers/rotary.h"
#include "ops/api/layers/scaled_attention.h"
#include "ops/api/math/fused.h"
#include "ops/api/movement/gathering.h"
#include "ops/api/movement/movement.h"
#include "support/diagnostics.h"

namespace burin::ms_rotary_embedding_op {
namespace {

constexpr int kPositions = 1, kCos = 2, kSin = 3;

Heads heads_of(OpContext& op, const Operand& x, const Operand& cos) {
  if (x.rank() == 4) return heads_apart(x);
  if (x.rank() != 3) refuse("shape-mismatch", "the input must have rank 3 or 4");
  if (op.integer("num_heads", 0) > 0) return heads_in_columns(op, x, head_count(op, "num_heads"));
  // A head is as wide as what turns.
  const Dim size = cos.dim(1) * 2, heads = floordiv(x.dim(2), max(size, 1));
  op.require_equal(heads * size, x.dim(2), "heads and the last dimension");
  return heads_in_columns(x, heads, size);
}

void lower(OpContext& op) {
  const Operand x = op.input(0), positions = op.input(kPositions);
  const Operand cos = op.input(kCos), sin = op.input(kSin);
  if (cos.rank() != 2 || sin.rank() != 2) refuse("shape-mismatch", "the caches must have rank 2");
  if (op.integer("is_packed_batching", 0) != 0)
    refuse("unsupported-attribute", "is_packed_batching is not supported");
  const Heads heads = heads_of(op, x, cos);
  Rotation rotation;
  rotation.interleaved = op.integer("interleaved", 0) != 0;
  rotation.size = cos.dim(1) * 2;
  op.require({{rotation.size, 0, heads.size + 1}}, "rotary_embedding_dim");
  for (int d = 0; d < 2; ++d) op.require_equal(cos.dim(d), sin.dim(d), "the caches");
  require_pickable(op, heads.batch * heads.length, cos.dim(0));
  std::function<Index(const Index&, const Index&)> row;
  if (positions.rank() == 2) {
    op.require_equal(positions.dim(0), heads.batch, "batch of position_ids");
    op.require_equal(positions.dim(1), heads.length, "length of position_ids");
    row = [read = index_reader(op, kPositions, cos.dim(0))](const Index& b, const Index& i) {
      return read({b, i});
    };
  } else {
    op.require_equal(product(positions.shape()), 1, "entries of position_ids");
    row = [&](const Index&, const Index& i) {
      return data_index(positions.scalar() + Expr::index(i), cos.dim(0));
    };
  }
  rotation.cos = [&](const Index& b, const Index& i, const Index& p) {
    return cos.at({row(b, i), p});
  };
  rotation.sin = [&](const Index& b, const Index& i, const Index& p) {
    return sin.at({row(b, i), p});
  };
  const Operand y = op.output(0, x.type(), x.shape());
  KernelBuilder kernel;
  const Index b = kernel.axis(heads.batch), h = kernel.axis(heads.heads);
  const Index i = kernel.axis(heads.length), e = kernel.axis(heads.size);
  const auto element = [&](const Index& at) { return heads.at(b, h, i, at); };
  const Expr value = rotated(rotation, element, b, i, e);
  kernel.write(y, x.rank() == 4 ? Indices{b, h, i, e} : Indices{b, i, h * heads.size + e}, value);
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
  const TypeSet types = types::f32 | only(Type::f16) | only(Type::bf16);
  return ms_op({.name = "RotaryEmbedding",
                .inputs = {{"input", types},
                           {"position_ids", types::i64},
                           {"cos_cache", types},
                           {"sin_cache", types}},
                .outputs = {{"output"}},
                .attributes = {{"interleaved", AttributeKind::integer},
                               {"is_packed_batching", AttributeKind::integer},
                               {"num_heads", AttributeKind::integer},
                               {"rotary_embedding_dim", AttributeKind::integer},
                               {"scale", AttributeKind::real}},
                .lower = lower});
}

}  // namespace burin::ms_rotary_embedding_op
