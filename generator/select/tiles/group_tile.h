// Tiles of products on a device: what a work-group computes together, and each work-item of it.
//
// A work-group has a tile of rows x columns of the result. For a step of the depth it stages the
// rows of one factor and the columns of the other in local memory, every element once; then each
// work-item adds its item_rows x item_columns products per point of the depth in registers
// (YFlows: output anchored). The elements of the next step are loaded into registers while this one
// is multiplied.
//
// Where a result has too few tiles to fill the device, the depth is split: work-groups of their own
// sum parts of it, and another launch adds the parts in order.
#pragma once

#include <cstdint>

#include "hardware/hardware.h"

namespace burin {

struct GroupTile {
  int rows = 1, columns = 4;            // of a work-group
  int item_rows = 1, item_columns = 4;  // of a work-item; columns in vectors
  int depth = 16;                       // points staged at a time
  int64_t splits = 1;                   // parts of the depth that are summed apart
  int items() const { return rows / item_rows * (columns / item_columns); }
  // Local memory of a work-group, at most: both factors of a step, their points apart.
  int64_t local_bytes() const { return int64_t{depth} * (rows + 8 + columns + 8) * 4; }
  bool operator==(const GroupTile&) const = default;
};

struct ProductSize {
  int64_t batch = 1, rows = 1, columns = 1, depth = 1;
  bool splits = true;  // the depth is a number and may be split
  // Operations per element that is staged, of either factor.
  double row_work = 1, column_work = 1;
};

// The tile that takes least time, and that time in microseconds: the longest of what a compute unit
// multiplies, reads from local memory and waits for, over all its work-groups.
struct TileChoice {
  GroupTile tile;
  double us = 0;
};
TileChoice choose_group_tile(const ProductSize& size, const Hardware& hardware);

// What every work-item has beside what its schedule names: addresses, counters, factors.
inline constexpr int kOtherRegisters = 32;

// Of a work-item; and of one step of the depth of one work-group, in cycles: what it takes of its
// compute unit, and how long it is when it has that to itself.
int64_t registers_of(const GroupTile& tile);
struct StepTime {
  double busy = 0, alone = 0;
};
StepTime step_time(const GroupTile& tile, double row_work, double column_work,
                   const Hardware& hardware);

}  // namespace burin
