// Panels of a product's factors as statements: packed by the kernel, or read where they lie
// prepared.
#pragma once

#include <functional>

#include "select/programs/making.h"

namespace burin {

// for (first of each block of `width` points of an axis) with its end; without an axis one block of
// one point.
loops::Stmts blocks_of(
    Making& making, int axis, int width, const Index& begin, const Index& end,
    const std::function<loops::Stmts(const Index& first, const Index& end)>& body);

// The axes of the depth as one.
Index depth_point(const Making& making, const ContractionSchedule& product);

// Where the rows of factor a are packed by the kernel.
loops::BufferId row_panels(Making& making, const ContractionSchedule& product);
// All of them in blocks of `height` rows, the lets of a row before it.
loops::Stmts pack_rows(Making& making, const ContractionSchedule& product, loops::BufferId panels,
                       int height, const Index& begin, const Index& end);
// An element there, of a tile whose rows begin at `first`; of several blocks the last one stands
// for those beyond the end.
Expr packed_row(const Making& making, loops::BufferId panels, int height, const Index& first,
                const Index& end, const Index& depth, const Index& lane);

// The lanes of one panel of a factor at every point of the depth; beyond the end they are zero.
loops::Stmts pack_panel(Making& making, const ContractionSchedule& product,
                        const TileFactor& factor, int axis, int width, const Index& first,
                        const Index& end,
                        const std::function<loops::Stmt(const Index& lane, Expr value)>& put);

// An element of a constant in panels, which are zero beyond the end.
Expr prepared_element(const Making& making, const ContractionSchedule& product,
                      const TileFactor& factor, int axis, const Index& point, const Index& depth);

}  // namespace burin
