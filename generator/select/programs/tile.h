// One tile of a product as statements: sums in registers over the whole depth, then stored in an
// array of the function.
#pragma once

#include <functional>

#include "select/programs/making.h"

namespace burin {

struct TileShape {
  int rows = 1, columns = 1;
  int steps = 1;  // points of the depth that are summed apart
};

// An element of a factor at a point of the depth, of one row or column of the tile.
using FactorElement = std::function<Expr(const Index& depth, const Index& lane)>;

// tile[r, c] = sum over k of a(k, r) * b(k, c), in the order of k; with several steps point k goes
// into sum k % steps, what is left at the end into the first one, and the others are added to that.
// Without `a`, b alone is combined by `op`.
loops::Stmts tile_stmts(Making& making, const TileShape& shape, const FactorElement& a,
                        const FactorElement& b, Combiner op, const Dim& depth,
                        loops::BufferId tile);

}  // namespace burin
