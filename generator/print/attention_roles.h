// Which operands of a kernel are queries, keys, values and masks of attention.
#pragma once

#include <map>
#include <string>

#include "kernel/kernel.h"

namespace burin::print {

// A sum of products of two operands, whose exponents weigh a third one in a later sum: "queries",
// "keys", "values", and "mask" for what is added to the first sum. One that is several of them has
// their names joined: "queries_keys_values". Empty for other kernels. Constants have no role here.
std::map<ValueId, std::string> attention_roles(const Kernel& kernel,
                                               const std::vector<Value>& values);

}  // namespace burin::print
