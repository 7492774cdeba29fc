// Results of a window row by row: tiles of neighbouring rows and columns of its plane.
//
// A depthwise convolution and a pool have no rows of a factor that would share what is read; here
// rows of the plane share it. A tile has some rows x vectors of columns of results in registers
// (YFlows: output anchored, the row of inputs that neighbouring results read auxiliary), all taps
// are written out, and results leave from registers. Columns that fill no vector are computed
// again by the last tile of a row, which ends where the row does; rows that fill no tile are tiles
// of one. Rows shorter than a vector are a vector each, of which the elements that are there leave
// by an array.
//
//   for each block of rows of a band, block of columns:
//     for each tap, row, vector:  sums[row][vector] += weight[tap] * staged[row + tap][column +
//     tap] for each row, vector:       what is made of the sums
#pragma once

#include <optional>
#include <vector>

#include "hardware/hardware.h"
#include "kernel/kernel.h"
#include "select/tiles/window.h"
#include "select/verbs/verbs.h"

namespace burin {

struct PlaneRows {
  int rows = 1;     // of results
  int vectors = 1;  // of columns
  int lanes = 4;
  int columns() const { return vectors * lanes; }
  bool operator==(const PlaneRows&) const = default;
};

// The tile with the least cycles for a row of the plane, at hints; nullopt: taps are not few, or
// rows are shorter than the least vector. `weighted`: there is a factor a. `k`: the reduced axes.
// `given`: verbs "tile" and "plane rows".
std::optional<PlaneRows> choose_plane_rows(const SlidingWindow& window, const std::vector<int>& k,
                                           bool weighted, const Kernel& kernel,
                                           const VectorUnit& unit, const Given& given = {});

// Loads of vectors that a tile needs for all taps, each once.
int64_t loads_of_plane(const PlaneRows& tile, const SlidingWindow& window,
                       const std::vector<int>& k, const Kernel& kernel);

// Whether every band has a multiple of a tile's rows: no row is left for tiles of one.
bool fills_bands(const PlaneRows& tile, const SlidingWindow& window);

// Whether all rows of the plane are shorter than a tile, which is one vector wide.
bool is_narrow(const PlaneRows& tile, const SlidingWindow& window);

// Whether all rows of the plane are at least as long as a tile, or shorter than one.
bool has_only_plane_rows(const PlaneRows& tile, const SlidingWindow& window);

}  // namespace burin
