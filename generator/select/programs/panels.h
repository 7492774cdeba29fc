// Panels of a product's factors as statements: packed by the kernel, or read where they lie
// prepacked. A panel is [depth][lanes].
#pragma once

#include <functional>

#include "select/axes/guards.h"
#include "select/programs/making.h"

namespace burin {

// for (first of each block of `width` points of an axis) with its end; without an axis one block of
// one point.
loops::Stmts blocks_of(
    Making& making, int axis, int width, const Index& begin, const Index& end,
    const std::function<loops::Stmts(const Index& first, const Index& end)>& body);

// Axes as one, such as those of the depth.
Index depth_point(const Making& making, const std::vector<int>& axes);

// An index over the axes of a product's depth at its point number `depth`.
Index at_depth(const Making& making, const ContractionSchedule& product, Index index,
               const Index& depth);

// What a panel is packed from: along `depth`, `width` points of `axis`, of which those from `first`
// to `end` are there (`whole`: all of them); the rest is zero.
struct PanelSource {
  const TileFactor& factor;
  const std::vector<int>& depth;
  int axis = -1;
  int width = 1;
  Index first = 0, end = 1;
  bool whole = false;
  std::vector<Bounds> limits = {};  // of the first axes of the depth; none: all points
};
// `buffer` at `front`, then depth and lane.
struct PanelPlace {
  loops::BufferId buffer = -1;
  std::vector<Index> front = {};
};
// Point by point, or as its factor says: in pieces along the depth
// (select/products/operand_packing.h), or unpacked from parts that lie in panels
// (select/products/compact.h).
loops::Stmts pack_panel(Making& making, const PanelSource& source, const PanelPlace& to);

// Rows of a tile from `first` on: `blocks` blocks of `height` rows, of which the last one stands
// for those beyond `end`.
struct TileRows {
  int height = 1, blocks = 1;
  Index first = 0, end = 1;
};
// Row number `row` of factor a there: prepacked, or in panels [blocks][depth][rows] that begin with
// the first row of the present block of rows.
loops::Region row_element(const Making& making, const ContractionSchedule& product,
                          loops::BufferId panels, const TileRows& rows, const Index& depth,
                          const Index& row);

// All rows of a block of factor a at a point of the depth, as floats: into a row of an array that
// begins at a place.
using UnpackedRows = std::function<loops::Stmts(const Index& depth, const std::vector<Index>& place,
                                                loops::BufferId to)>;
// ... of a constant of which parts are packed (select/products/compact.h); of any other there is
// none. `whole_depth` makes a point of all of the depth from what it is called with. Both outlive
// it.
UnpackedRows unpacked_rows(
    Making& making, const ContractionSchedule& product, const TileRows& rows,
    const std::function<Index(const Index&)>& whole_depth = [](const Index& depth) {
      return depth;
    });

// `lanes` lanes from `lane` on of block number `block` of a constant's panels.
loops::Region prepacked_lanes(const Making& making, const ContractionSchedule& product,
                              const TileFactor& factor, const Index& block, const Index& depth,
                              const Index& lane, int lanes);

// A point of row `row` of factor a, where it lies.
loops::Region unpacked_row(const Making& making, const ContractionSchedule& product,
                           const Index& depth, const Index& row);
// `lanes` columns from `column` on of factor b, where it lies.
loops::Region unpacked_lanes(const Making& making, const ContractionSchedule& product,
                             const Index& depth, const Index& column, int lanes);

}  // namespace burin
