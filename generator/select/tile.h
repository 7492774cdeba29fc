// The register tile of a product: rows x vectors of accumulators, with one row of b and one factor
// (YFlows: output anchored, weights and inputs auxiliary).
#pragma once

#include <algorithm>
#include <vector>

#include "hardware/hardware.h"
#include "kernel/index.h"

namespace burin {

struct Tile {
  int rows = 1;     // of the tile
  int vectors = 1;  // per row
  int lanes = 4;    // per vector
  int columns() const { return vectors * lanes; }
  bool operator==(const Tile&) const = default;
};

// A size at the hints of its symbols, for costs.
inline int64_t at_least_one(const Dim& dim) { return std::max<int64_t>(1, at_hints(dim)); }

// Rows of the smaller tiles that a product with so many rows wants beside one of `tile` rows.
std::vector<int> choose_fewer_rows(const Dim& rows, int tile);

// The shape of the tile for a product of these sizes; of `given_vectors` vectors a row unless 0.
// The one with the least cycles, padding included.
Tile choose_tile(int64_t rows, int64_t columns, const VectorUnit& unit, int given_vectors = 0);

// The same where sizes are known to the run only: the tile of their hints, or one that is clearly
// less behind the best of each likely size, on average. `versions`: tiles of fewer rows stand
// beside it, over the same panels, so its vectors are those of all of them (SoD2's fat, regular and
// skinny versions, 4.4.2): a network that usually decodes one word reads a long prompt well.
Tile choose_tile(const Dim& rows, const Dim& columns, const VectorUnit& unit, bool versions);

}  // namespace burin
