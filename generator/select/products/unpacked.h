// Factors where they lie, not in panels that the kernel packs.
//
// Factor b: a tensor whose neighbours along the columns are neighbours in memory is
// no panel, but a tile reads it as one: at each point of the depth its vectors lie side by side.
//
// The last block of columns, of which some are not there, is packed as ever, or overlaps. What
// packing costs is shared by the rows; where these are few, it is most of the product.
//
// Factor a: a row whose points of the depth are neighbours in memory; a tile reads an element of
// each of its rows at a point, and a line of the cache has the points that follow.
#pragma once

#include "hardware/hardware.h"
#include "select/products/contraction.h"

namespace burin {

// Whether whole blocks of columns may and should be read so. Rows of b that fall into few sets of
// the first cache would push each other out of it: they are packed. `given`: verb
// "unpacked".
bool reads_unpacked(const ContractionSchedule& schedule, const Kernel& kernel,
                    const std::vector<Value>& values, const Hardware& hardware,
                    const Given& given = {});

// Of columns that are read so where code is short: whether the last block ends where they end, and
// computes some columns of the one before again, instead of being packed by loops of its own. Not
// where results are made of tensors, which may lie where results go, nor where threads share
// columns.
bool overlaps_last_columns(const Contraction& contraction, const std::vector<Value>& values,
                           const Hardware& hardware);

// Whether rows of factor a are read where they lie: floats side by side along the depth, and rows a
// number of elements apart that is known. A panel would be a copy, in scratch, which every thread
// that has some of the columns would make. Rows of a tile that begin in too few sets of the first
// cache would push each other out of it: they are packed, as are short rows, and those that very
// many columns share. `given`: verb "unpacked rows".
bool reads_rows_in_place(const Contraction& contraction, const std::vector<Value>& values,
                         const Hardware& hardware, const Given& given = {});

}  // namespace burin
