// How many rows and vectors the tile of an integer product has.
#pragma once

#include <cstdint>

#include "hardware/hardware.h"

namespace burin {

struct IntegerTile {
  int rows = 1, vectors = 1;
  bool operator==(const IntegerTile&) const = default;
};

// The tile that takes the fewest cycles for `rows` x `columns` sums, by ports, latency and loads of
// the machine; accumulators, the vectors of b and one group of a share its registers.
// O(registers^2).
// A row of the tile has results for half a vector of its narrowest type at least, `result_bytes`
// each: what follows the sums is computed in vectors of these.
IntegerTile choose_integer_tile(int64_t rows, int64_t columns, int lanes, const RowTiming& timing,
                                const VectorUnit& vector, int result_bytes);

}  // namespace burin
