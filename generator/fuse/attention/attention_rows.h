// Attention whose weights are linear in the exponents of its scores, and otherwise what a model
// makes of them: masks and gains behind the softmax, a softmax without its greatest score, sums to
// which something is added, sums of what has been masked, logarithms of a softmax, columns that
// take a part of the sum and give nothing.
//
//   m[q]    = max over k of S
//   e       = exp(S - m), or exp(S) where m is -infinity
//   z[q]    = sum over k of e
//   u[q]    = sum over k of G(e)               where F needs it
//   y[q, x] = sum over k of G(e * F) * V[k, x]
//
// G is linear in e, and of the query and the key otherwise; F is anything that a row has: of m, z,
// u and what is read at its query. So e may be taken relative to the greatest score so far, and F
// waits until the end.
//
// Where a model takes exponents relative to something else, c, F has exp(m - c), which is infinite,
// 0 or NaN where the model's exponents and sums are. Rows whose weights are NaN stay NaN: all
// scores are -infinity, and exp(m - m) is NaN; but keys that G leaves out (`selects`) have weights
// of 0 there.
#pragma once

#include <optional>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

struct WeightedRows {
  // Lets: the sums that S is made of, m, z, u where F needs it, and the sum over k.
  Kernel kernel;
  int greatest = 0, total = 0, gained = -1, result = 0;
  Expr gain;             // G, of let 0, which stands for e
  bool selects = false;  // G is 0 for some keys, whatever e is
  Expr factor;           // F, over the lets
  Expr value;            // what is written, over `result`, which stands for y
};

// Of a kernel without maps whose first let has the scores. O(size of the kernel).
std::optional<WeightedRows> find_weighted_rows(const Kernel& kernel,
                                               const std::vector<Value>& values);

}  // namespace burin
