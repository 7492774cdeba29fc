// How many rows and vectors the tile of an integer product has.
#pragma once

#include <cstdint>
#include <vector>

#include "hardware/hardware.h"
#include "kernel/expr/expr.h"

namespace burin {

struct IntegerTile {
  int rows = 1, vectors = 1;
  // Whether what lines do not know of bytes is looked for once for all tiles of a block of rows.
  bool looked_at_once = false;
  int64_t cycles = 0;  // of all of it
  bool operator==(const IntegerTile&) const = default;
};

// Where an instruction does several rows at a time.
struct TileBundle {
  int rows = 1;
  int vector_registers = 1;    // that a vector of b takes, a load each
  int loads_of_rows = 1;       // of groups of a, for so many rows
  bool loads_permute = false;  // vectors take a unit of products
  int copies = 0;              // units of products that groups of a take, each once
};
// What tiles are made of; where bytes of several vectors at a time are made by lines, how.
struct LineTiles {
  int multiple = 1;            // of how many; 1: there are no lines
  bool differ = false;         // each vector has its own factors
  bool may_look_once = false;  // a block of rows is done by one loop over its tiles
  bool narrow_last = false;    // whose last one has only the vectors that it needs
  TileBundle bundle = {};
  bool fours = false;  // of four vectors a loop over tiles is pipelined, of more it is not
};

// The tile that takes the fewest cycles for `rows` x `columns` sums of `groups` groups each, by
// ports, latency and loads of the machine; accumulators, the vectors of b, one group of a and what
// results need share its registers. Results of rows that tiles do not divide go through memory.
// O(registers^2).
// A row of the tile has results for half a vector of its narrowest type at least, `result_bytes`
// each: what follows the sums is computed in vectors of these.
// `given`: rows and vectors, which are taken if they may be; may be null.
IntegerTile choose_integer_tile(int64_t rows, int64_t columns, int64_t groups, int lanes,
                                const RowTiming& timing, const VectorUnit& vector, int result_bytes,
                                const LineTiles& lines = {},
                                const std::vector<int64_t>* given = nullptr);

// Of what is computed on the way to a result, as stored: a byte where it is quantised.
int narrowest_bytes(const Expr& result);

}  // namespace burin
