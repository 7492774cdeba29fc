// Row epilogues: a contraction whose rows are normalised (LayerNorm, RMSNorm,
// Softmax) by the kernel that computes them (fuse/cascade/row_fusion.h, fused_row_epilogue).
//
//   for each block of rows:  the tiles of all its columns, which store the value of the row
//     for each row of it:    the normalisation, as generic loops, reads the row back
//
// The value of a row is a let. Where a write stores it (a residual stream that others read, too) it
// is read from there, else it has scratch for a block of rows, as have the panels of factor a. A
// block is what one thread has of all rows, or as many as stay in the second cache. Rows are what
// threads share, so no call needs what another one computes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "select/schedule/loop_plan.h"

namespace burin {

// A kernel of that form, cut in two: the contraction, whose kernel ends with its product and whose
// write is the value of a row, and what follows.
struct EpilogueContraction {
  Contraction product;
  std::vector<Let> lets;      // that follow, the value's first; numbered as in the joined kernel
  std::vector<Write> writes;  // all of them
  int value = 0;              // the number of the value's let there
  bool kept = false;          // the first write stores the value
};

// nullopt where a kernel is none, or its rows are not the rows of a product with packed constants.
std::optional<EpilogueContraction> find_row_epilogue(const Kernel& kernel,
                                                     const std::vector<Value>& values,
                                                     const Hardware& hardware,
                                                     const Given& given = {});

// The schedule of the contraction, the last one of the schedule, with what follows it.
LoopPlan with_row_epilogue(LoopPlan product, const EpilogueContraction& found,
                           const Hardware& hardware, const Given& given = {});

// Rows that a block has, where there are so many: one thread multiplies them by an element of the
// other factor in twice the time in which memory brings that, which it does for every block.
int64_t least_epilogue_rows(const Hardware& hardware);

// From the definition: why the row epilogue of such a schedule could be made of something else than
// their own, complete values; empty: they cannot.
std::string check_row_epilogue(const LoopPlan& schedule);

}  // namespace burin
