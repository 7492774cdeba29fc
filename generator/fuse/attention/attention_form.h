// Attention as a form that kernels have, whatever operators they came from:
//
//   s[q, k]  = sum over d of Q[q, d] * K[k, d]      scores
//   S        = any function of s at its point       scale, cap, bias, mask
//   m[q]     = max over k of S
//   z[q]     = sum over k of exp(S - m)
//   y[q, e]  = sum over k of exp(S - m) / z * V[k, e]
//
// with any axes around (batch, heads). S may also read scores of positions, at any place that a
// query and a key have (fuse/attention/positions.h):
//
//   t[q, p]  = sum over d of Q'[q, d] * P[p, d]
//
// Weights may also be masked, scaled and summed in other ways (fuse/attention/attention_rows.h).
//
// Maps between these are looked through; what is left must be these reductions and nothing else.
#pragma once

#include <optional>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

// What a row gives in which no weight is a number (every score is -infinity, or one is NaN).
enum class EmptyRows : uint8_t {
  nan,             // NaN: softmax as it is defined
  zero_if_masked,  // where all scores are -infinity: weights of 0
  zero_if_nan,     // wherever weights are NaN: weights of 0
};

struct PositionScores {
  int let = 0;
  std::vector<int> rows, depth;  // axes; the depth may be that of the scores
  Expr q, p;                     // factors
};

struct AttentionForm {
  // The same with scores, those of positions, greatest, total, the total of what is gained where
  // `factor` has it, and result as its only lets.
  Kernel kernel;
  int scores = 0, greatest = 1, total = 2, gained = -1, result = 3;
  std::vector<PositionScores> positions;
  std::vector<int> batch, queries, keys, elements, depth;  // axes; queries may be none
  Expr q, k, v;                                            // factors
  Expr masked;                                             // S, over `scores` and `positions`
  EmptyRows empty = EmptyRows::nan;
  // What the weighted sum has for exp(S - m), which is let 0 in it, and what its results are
  // multiplied with, over the other lets. Empty: exp(S - m), 1 / z.
  Expr gain, factor;
  bool selects = false;  // some keys have weights of 0 even where others have NaN
  Expr value;            // what is written, over `result`, normalised
};

// O(size of the kernel).
std::optional<AttentionForm> find_attention(const Kernel& kernel, const std::vector<Value>& values);

// Whether every let is read at the point of its reader only.
bool reads_lets_in_place(const Kernel& kernel);

// The kernel without lets that combine nothing: they stand where they were read. One with a
// sequential axis comes back as it is: its lets are read a step later, before they are made.
Kernel without_maps(const Kernel& kernel);

}  // namespace burin
