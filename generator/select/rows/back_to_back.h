// Two products back to back (fuse/cascade/back_to_back_fusion.h): the second one's factor a is what
// the first one makes, row by row.
//
//   for each block of rows:  the tiles of all columns of the first product, whose elements go, with
//                            what is computed from them, into panels of the second
//                            the tiles of all columns of the second product
//
// The intermediate rows are a let whose scratch is those panels: nothing is packed. A block is as
// many rows as stay in the second cache. Rows are what threads share. The results of the second
// product may be normalised behind it (select/rows/row_epilogue.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fuse/cascade/back_to_back_fusion.h"
#include "select/rows/row_epilogue.h"

namespace burin {

// A kernel of that form, cut in two, both over the axes of the whole.
struct BackToBack {
  Contraction first;
  EpilogueContraction second;  // whose lets and writes are those behind it; none: `product` writes
  Expr between;                // an element of the rows, over m and the columns of the first
  std::vector<Axis> axes;
  int64_t block = 1;  // rows
};

// nullopt where a kernel is none.
std::optional<BackToBack> find_back_to_back(const Kernel& kernel, const std::vector<Value>& values,
                                            const Hardware& hardware, const Given& given = {});

// One schedule of those of both products.
LoopPlan with_second(LoopPlan first, LoopPlan second, const BackToBack& found,
                     const Hardware& hardware);

// Rows of a block repay reading both constants again: their multiplications take eight times as
// long as that, from the last cache or from memory.
BackToBackRoom back_to_back_room(const Hardware& hardware);

// From the definition: why the second product of such a schedule could read something else than
// complete rows of the first; empty: it cannot.
std::string check_back_to_back(const LoopPlan& schedule);

}  // namespace burin
