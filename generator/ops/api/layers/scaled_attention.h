// Attention: softmax(scale * Q K' + mask) V per head, as one cascade of five lets.
#pragma once

#include <functional>

#include "ops/api/core/op_context.h"

namespace burin {

// A tensor as [batch, head, position, element], wherever its elements lie.
struct Heads {
  Dim batch, heads, length, size;
  std::function<Expr(const Index& b, const Index& h, const Index& i, const Index& e)> at;
};

// Of [batch, head, position, element].
Heads heads_apart(const Operand& x);
// Of [batch, position, head * size] from column `from` on.
Heads heads_in_columns(const Operand& x, const Dim& heads, const Dim& size, const Dim& from = 0);
// The last dimension of [batch, position, columns] cut into `heads`, which must divide it.
Heads heads_in_columns(OpContext& op, const Operand& x, int64_t heads);

// With the bias of its columns, which start at `from` in this input; as they are where it is
// absent.
Heads biased(OpContext& op, int bias, const Heads& heads, const Dim& from);

// Positions of `past` (empty: none) in front of those of `now`, as a tensor of its own: `to` of
// shape [batch, heads, past + now, size].
Heads joined(OpContext& op, const Operand& to, const std::optional<Heads>& past, const Heads& now);

struct AttentionScores {
  Expr capped, masked, weight;  // of head h of batch b, for query i and key j
};

struct AttentionRule {
  Heads q, k, v;  // k and v may have fewer heads, which divide those of q
  Expr scale;     // of the compute type
  double softcap = 0;
  // A score once it is masked; -infinity keeps a key out. A row that is masked everywhere attends
  // to nothing.
  std::function<Expr(const Expr& score, const Index& b, const Index& h, const Index& i,
                     const Index& j)>
      mask;
  // Whether the mask can give -infinity.
  bool excludes = true;
  // A score of head h that no key has, which takes its share of the weights; absent: none.
  std::function<Expr(const Index& h)> sink = {};
  // Writes more than the result.
  std::function<void(KernelBuilder& kernel, const AttentionScores&, const Indices& at)> more = {};
};

// y = attention in y's own shape: [batch, head, position, element], or [batch, position, head *
// size]. Emits one kernel; O(batch * heads * queries * keys * size).
void emit_attention(OpContext& op, const AttentionRule& rule, const Operand& y);

// 1 / sqrt(size), or the attribute `scale` where that is given (and not 0, which also stands for
// the default, when `zero_is_default`).
Expr attention_scale(OpContext& op, Type compute, const Dim& size, bool zero_is_default = false);

// Whether query i of batch b may see key j, by a mask of com.microsoft: lengths [batch], ends and
// starts [2 * batch], or non-zero where a key counts, [batch, keys] or [batch, queries, keys].
std::function<Expr(const Index& b, const Index& i, const Index& j)> key_mask(
    OpContext& op, int input, const Dim& batch, const Dim& queries, const Dim& keys);

// The number of heads that an attribute gives; refused below 1.
int64_t head_count(OpContext& op, const char* attribute);

}  // namespace burin
