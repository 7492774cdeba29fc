// How much larger an extent may get that every iteration of a loop changes (SoD2's lattice at loop
// headers: equal, bound by the trip count, nac).
#pragma once

#include <optional>

#include "ops/api/op_context.h"

namespace burin {

// The most that the extent `symbol` may be after `trips` iterations, where it starts at `start` and
// each makes `result` of it: what is added, or the number that it is multiplied by, must not depend
// on extents that change. Over sizes of the caller and, where nothing bounds them, of the run;
// nullopt: not known, or too large to be a size.
std::optional<Dim> bound_of_growth(const Symbol& symbol, const Dim& start, const Dim& result,
                                   const Dim& trips);

}  // namespace burin
