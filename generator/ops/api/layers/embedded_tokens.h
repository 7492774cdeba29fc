// The sum of word, position and segment embeddings of every token, normalised over its elements:
// what EmbedLayerNormalization of com.microsoft and its quantised form share.
#pragma once

#include <functional>

#include "ops/api/core/op_context.h"

namespace burin {

// Numbers of inputs. Those that are left out are not there.
struct TokenInputs {
  int ids = 0, segments = 1, words = 2, positions = 3, segment_table = 4, gamma = 5, beta = 6,
      mask = 7, position_ids = -1;
};

// The element of a table, of gamma or beta, as a number of `type`.
using TableReader = std::function<Expr(int input, const Indices& at)>;

// Declares output 0 of `type`; output 1, the number of tokens that the mask keeps, and output 2,
// the sum, where the node has them.
void emit_embedded_tokens(OpContext& op, const TokenInputs& inputs, Type type,
                          const TableReader& read);

}  // namespace burin
