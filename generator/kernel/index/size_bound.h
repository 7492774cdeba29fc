// Bounds of dynamic sizes, known before it: memory is taken for them.
//
// A run symbol is bounded by a number (SymbolInfo::max), or by an expression over other sizes
// (SymbolInfo::most), which may be run symbols with bounds of their own: what a branch grows by one
// is at most what it was plus one.
#pragma once

#include <functional>
#include <optional>

#include "kernel/index/index.h"

namespace burin {

// The least expression over the symbols that `keep` names that is never below `dim`; nullopt where
// nothing bounds it.
std::optional<Dim> bound_over(const Dim& dim, const std::function<bool(const Symbol&)>& keep);

// The same over sizes of the caller.
std::optional<Dim> bound_before_run(const Dim& dim);
bool is_bounded_before_run(const Dim& dim);

// What is never below `dim`, a size: in a product x takes the place of x // y and all factors of y.
Dim without_quotients(const Dim& dim);

// Whether only numbers and sizes of the caller are in it.
bool is_known_before_run(const Dim& dim);

}  // namespace burin
