// Sizes in memory. Memory is taken for the upper bounds of dynamic sizes, so a
// size here depends on `param` symbols only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernel/index/size_bound.h"
#include "kernel/kernel.h"

namespace burin {

// The least Dim over `param` symbols that is never below `dim`; refuses where nothing bounds it,
// which then is called `what`, or by its text. `others` want bounds as well, and are named with it.
Dim bound_of(const Dim& dim, std::string_view what = {}, const std::vector<Symbol>& others = {});

// The dynamic sizes that nothing bounds and that `dim` cannot be bounded without, added to `open`.
void collect_open(const Dim& dim, std::vector<Symbol>& open);

// The text of a size where a user reads it: what has no name in a model, a place along an axis or
// what a tensor holds, is called "position" and "element".
std::string size_text(const Index& size);

// Bytes that a value takes (bound_of its elements, sub-byte types packed). A refusal names the node
// that writes it.
Dim memory_bytes(const KernelGraph& graph, ValueId id, const std::vector<Symbol>& others = {});

Dim align_up(const Dim& bytes, int64_t alignment);

// max(...) without the operands that another one is proven to reach.
Dim largest_of(std::vector<Dim> dims);

// Number of leaves and operators when written out, up to `limit`.
int text_size(const Dim& dim, int limit);

}  // namespace burin
