// How many rows and vectors the tile of an integer product has.
#pragma once

#include <cstdint>
#include <vector>

#include "hardware/hardware.h"
#include "kernel/expr/expr.h"

namespace burin {

struct IntegerTile {
  int rows = 1, vectors = 1;
  bool operator==(const IntegerTile&) const = default;
};

// The tile that takes the fewest cycles for `rows` x `columns` sums of `groups` groups each, by
// ports, latency and loads of the machine; accumulators, the vectors of b, one group of a and what
// results need share its registers. Results of rows that tiles do not divide go through memory.
// O(registers^2).
// A row of the tile has results for half a vector of its narrowest type at least, `result_bytes`
// each: what follows the sums is computed in vectors of these.
// Vectors are a multiple of `vectors_multiple`. `given`: rows and vectors, which are taken if they
// may be; may be null.
// `lanes_differ`: results' factors do, so that each vector of them takes its own.
IntegerTile choose_integer_tile(int64_t rows, int64_t columns, int64_t groups, int lanes,
                                const RowTiming& timing, const VectorUnit& vector, int result_bytes,
                                int vectors_multiple = 1,
                                const std::vector<int64_t>* given = nullptr,
                                bool lanes_differ = false);

// Of what is computed on the way to a result, as stored: a byte where it is quantised.
int narrowest_bytes(const Expr& result);

}  // namespace burin
