// com.microsoft EmbedLayerNormalization: the sum of word, position and segment embeddings of every
// token, normalised over its elements; also the number of tokens that a mask keeps, per row.
#include "ops/api/layers/embedded_tokens.h"
#include "ops/api/math/fused.h"

namespace burin::ms_embed_layer_normalization_op {
namespace {

void lower(OpContext& op) {
  TokenInputs inputs;
  inputs.position_ids = 8;
  emit_embedded_tokens(op, inputs, op.input(inputs.words).type(),
                       [&](int i, const Indices& at) { return op.input(i).broadcast_at(at); });
}

}  // namespace

OpDef definition() {
  const TypeSet types = types::f32 | only(Type::f16) | only(Type::bf16);
  return ms_op({.name = "EmbedLayerNormalization",
                .inputs = {{"input_ids", types::i32},
                           {"segment_ids", types::i32, Arity::optional},
                           {"word_embedding", types},
                           {"position_embedding", types},
                           {"segment_embedding", types, Arity::optional},
                           {"gamma", types},
                           {"beta", types},
                           {"mask", types::i32, Arity::optional},
                           {"position_ids", types::i32, Arity::optional}},
                .outputs = {{"output"},
                            {"mask_index", types::i32, Arity::optional},
                            {"embedding_sum", types, Arity::optional}},
                .attributes = {{"epsilon", AttributeKind::real},
                               {"mask_index_type", AttributeKind::integer}},
                .lower = lower});
}

}  // namespace burin::ms_embed_layer_normalization_op
