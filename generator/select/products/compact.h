// Constant factors that stay as small as the model's file has them: numbers of few bits with scales
// and zero points, fp16. Their panels would be floats, so packing them now makes two to sixteen
// times the bytes; instead parts of the factor lie in panels of their own, and the kernel computes
// a panel of floats from them before it multiplies by it.
//
//   (q[k, n] - 8) * scale[k // 32, n]   q: two points of the depth to a byte; scale: a row for 32
//
// What a factor is made of does not matter: its expression is cut into the parts that take the
// fewest bits together. A part is a load, or any integer, whose range is that of the data.
//
// Decided by bytes, not by operators: where its sources take less than three quarters of the
// panels, and not all such constants of the tree together are few (8 KiB) and fit in the second
// cache as floats: small models are unpacked once, now. Panels of b are made once for all rows;
// rows of a (the filters of a convolution) are read again for every block of columns, and become
// floats beside the tile, some points of the depth at a time.
#pragma once

#include "select/products/contraction.h"

namespace burin {

// Whether a factor of a product is one, by what its loads take; few: it would be, of a larger tree.
enum class Compactness : uint8_t { no, few, yes };
Compactness compactness_of(const Expr& factor, const Kernel& kernel,
                           const std::vector<Value>& values, const Hardware& hardware);

// The parts of a factor as values, and the factor as an expression over them, for every point of
// its panels: lanes beyond the end are there, too. Gives the bits of all parts; 0 where panels of
// floats are no larger: then the factor is compact no longer. Evaluates each part once or twice.
// Of rows numbers share words along the lanes, of columns along the depth.
int64_t compact_factor(const Contraction& contraction, TileFactor& factor, int lane, int width,
                       const char* suffix, std::vector<Value>& values);

// Behind all other scratch: a panel of floats for each product whose factor is one.
void add_compact_scratch(Dim& scratch_bytes, ContractionSchedule& product);

}  // namespace burin
