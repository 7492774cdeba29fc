// Products whose rows are packed in blocks: factor a is made by the kernel, b's panels are there
// already.
//
//   for each block of rows:  pack a
//     for each block of columns, for each tile of these rows:  multiply, write
//
// A block's panels stay in the second cache, where the panels of all rows (a convolution with large
// patches: many times its image) would come from further away for every block of columns, and would
// all need scratch. Rows that are read where they lie come in blocks for the same reason: a block
// stays in the second cache while all columns pass.
#pragma once

#include <string>

#include "hardware/hardware.h"
#include "select/schedule/loop_plan.h"

namespace burin {

// Rows from a multiple of so many on are multiplied together: blocks of rows and chunks of threads
// end between them, so that a row is in the same tile, and has the same bits, in any of them.
int64_t rows_together(const ContractionSchedule& contraction);
// The same for both of two products back to back.
int64_t rows_together(const LoopPlan& schedule);

// Panels of a for the rows of a block, at the beginning of scratch; lets of rows come behind them.
void pack_by_blocks(LoopPlan& schedule, int64_t block);

// Rows of a block of a product: as many as fit in the second cache, where panels of all rows do
// not. Each block reads b again, so b has to fit as well; or panels of all rows would not even fit
// in the last cache, and a block has rows enough to repay that (back_to_back_room). 0: all of them
// at once. Where rows are read as they lie, as many as fit, if b then comes less often than rows
// would.
int64_t rows_in_block(const ContractionSchedule& contraction, const Hardware& hardware,
                    const Given& given = {});
// The rows that the verb "block rows" gives for the product of a schedule; nullopt: it gives none
// that are whole tiles.
std::optional<int64_t> given_block_rows(const ContractionSchedule& product, const Given& given);

// From the definition: why rows of such a schedule could be packed where others still are, or
// beyond their scratch; empty: they cannot.
std::string check_row_blocks(const LoopPlan& schedule);

}  // namespace burin
