// Sums of products inside of other loops, in register tiles.
//
// What a kernel multiplies with constants beside other things: a row of pooled features of a
// classifier and, above all, the state of a recurrence at every step, where a product of a few rows
// (sequences side by side) and all units of a gate stands between loops that run in order. As one
// sum after the other it waits for each addition and reads the weights again for every row. In a
// tile, rows x vectors of sums stay in registers across the depth (YFlows: output anchored), and
// the weights, which are constant, lie in panels of the tile's columns.
//
//   for t:  for each gate, block of columns, block of rows:  a tile of sums
//           for each row and unit:  what is made of the sums
//
// Such a let has loops of its own and an array for its sums. Every element is summed in the order
// of the depth by one accumulator, whichever tile it is in, so bits depend on no tile and no chunk.
#pragma once

#include <vector>

#include "kernel/kernel.h"
#include "select/tiles/register_tile.h"

namespace burin {

struct SumTile {
  int let = 0;
  int row = -1;    // axes of the let; -1: one row
  int column = 0;  // the last of them
  Tile tile;
  std::vector<int> batch;     // further axes that the weights have
  ValueId panels = kNoValue;  // of the weights: [batch][blocks of columns][reduced][columns]
  Expr factor;                // the other one
  // Where it is another element unless a condition holds: which, and the condition.
  Expr otherwise = {};
  Guard when = {};
  int prefetch = 0;  // bytes by which panels are asked for before they are read
  bool operator==(const SumTile&) const = default;
};

// The lets of a kernel of several that are such sums: of two factors in f32, one loaded from a
// constant at an affine address along the last axis of the let (a product by itself is a
// contraction). Panels are appended to `values`, and the lets of `kernel` read them.
std::vector<SumTile> find_sum_tiles(Kernel& kernel, std::vector<Value>& values,
                                    const Hardware& hardware, const Given& given = {});

}  // namespace burin
