// Scores of positions in attention: a sum of products of queries and something else than the keys,
// which the scores read where the distance of query and key says (or the row of an image that the
// key is in).
#pragma once

#include <optional>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

// Attention (fuse/attention/attention_form.h) whose S loads the result of `product`, with that
// product as a let over the queries and rows of its own, so that nothing is computed twice; nullopt
// where the two have no such form. The rows of P must be the same for all queries of a head, and
// those more than one: blocks of queries share them.
std::optional<Kernel> fused_positions(const Kernel& product, const Kernel& attention,
                                      const std::vector<Value>& values,
                                      int64_t recomputed_operations);

}  // namespace burin
