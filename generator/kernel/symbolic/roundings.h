// How often a number is rounded on its way to a value: what tells results that two correct programs
// must share to the bit from those where the order of a sum or a math function's last bit shows.
#pragma once

#include <vector>

#include "kernel/kernel.h"

namespace burin {

// `many` stands for two or more, for sums of floats and for functions that are not correctly
// rounded.
enum class Roundings : uint8_t { none, one, many };

// By value. An upper bound over all elements and paths: what a condition or an index depends on
// counts as what is chosen by it. IEEE 754 leaves no choice in one addition, subtraction, product,
// quotient, root or conversion, nor in one of them whose result is stored in half the bits or fewer
// (no double rounding shows there). `given` says of a constant that its bytes are the model's own;
// others have been computed.
std::vector<Roundings> roundings_of(const KernelGraph& graph,
                                    const std::function<bool(ValueId)>& given);

}  // namespace burin
