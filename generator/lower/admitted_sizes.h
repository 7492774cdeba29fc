// Sizes that the user names (--dim) and that the model does not take. A range says what a tree is
// to serve, and a hint what it is made for: where the model leaves one size of the range, or none,
// or not the hint, he has said something that he does not know, and is told instead of getting a
// tree for it.
#pragma once

#include <string>
#include <vector>

#include "kernel/kernel.h"

namespace burin {

// Whether it has a value for every choice of sizes: no axes, no data, no division by what may be 0.
bool can_be_evaluated(const Index& index);

// The only size that a check is about, where it can be told before the run whether it holds; null:
// there are several, or it is about more.
Symbol only_symbol(const Check& check);
// Whether it holds at a size of that.
bool admits(const Check& check, int64_t size);

// A dimension with a range can only be `value`. Refuses as "shape-mismatch" where it is among those
// that are `given`.
void refuse_range_of_one(const SymbolInfo& symbol, int64_t value,
                         const std::vector<std::string>& given);

// The same by trying: every size of a range that is given, of at most kMostTried, and every hint,
// against those checks of `steps` that every run makes and that are about this size alone.
void check_given_sizes(const Steps& steps, const std::vector<Symbol>& params,
                       const std::vector<std::string>& given);

}  // namespace burin
