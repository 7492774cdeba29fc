// com.microsoft QEmbedLayerNormalization: EmbedLayerNormalization of tables, gamma and beta that
// are bytes, each with one scale and one zero point.
#include "ops/api/layers/embedded_tokens.h"
#include "ops/api/math/fused.h"
#include "ops/api/quantized/quantize.h"
#include "support/diagnostics.h"

namespace burin::ms_q_embed_layer_normalization_op {
namespace {

constexpr int kScales = 8, kZeros = 13;  // of inputs 2 to 6, in their order

void lower(OpContext& op) {
  const TokenInputs inputs;
  for (int i = inputs.words; i <= inputs.beta; ++i) {
    if (!op.has_input(i)) continue;
    for (const int of : {kScales + i - inputs.words, kZeros + i - inputs.words}) {
      if (!op.has_input(of)) refuse("arity", "an input of bytes has no scale or no zero point");
      op.require_equal(product(op.input(of).shape()), 1, "scale or zero point of a table");
    }
    if (op.input(kZeros + i - inputs.words).type() != op.input(i).type())
      refuse("type-mismatch", "a zero point has another type than its table");
  }
  emit_embedded_tokens(op, inputs, Type::f32, [&](int i, const Indices& at) {
    const Expr whole =
        centred(op.input(i).broadcast_at(at), op.input(kZeros + i - inputs.words).scalar());
    return Expr::cast(Type::f32, whole) * op.input(kScales + i - inputs.words).scalar();
  });
}

}  // namespace

OpDef definition() {
  const TypeSet bytes = types::quantized8;
  const auto optional = Arity::optional;
  return ms_op({.name = "QEmbedLayerNormalization",
                .inputs = {{"input_ids", types::i32},
                           {"segment_ids", types::i32, optional},
                           {"word_embedding_quant", bytes},
                           {"position_embedding_quant", bytes},
                           {"segment_embedding", bytes, optional},
                           {"gamma_quant", bytes},
                           {"beta_quant", bytes},
                           {"mask", types::i32, optional},
                           {"word_embedding_scale", types::f32},
                           {"position_embedding_scale", types::f32},
                           {"segment_embedding_scale", types::f32, optional},
                           {"gamma_scale", types::f32},
                           {"beta_scale", types::f32},
                           {"word_embedding_zero_point", bytes},
                           {"position_embedding_zero_point", bytes},
                           {"segment_embedding_zero_point", bytes, optional},
                           {"gamma_zero_point", bytes},
                           {"beta_zero_point", bytes}},
                .outputs = {{"layernorm_out"}, {"mask_index_out", types::i32, optional}},
                .attributes = {{"epsilon", AttributeKind::real}},
                .lower = lower});
}

}  // namespace burin::ms_q_embed_layer_normalization_op
