// Several neighbouring points of an axis at one work-item of a device: lanes of vectors, which are
// texels where tensors are images.
#pragma once

#include "select/programs/making.h"

namespace burin {

// `body` for the points of `axis` that are `lanes` in number from `lanes` * `group` on; those
// beyond the axis are left out.
loops::Stmts in_lanes(Making& making, int axis, int64_t lanes, const Index& group,
                      loops::Stmts body);

// All points of an axis, four at a time.
loops::Stmts by_texels(Making& making, int axis, loops::Stmts body);

// The same for everything that a work-item does: what it has of each point becomes an array of
// them, and loops that all of them share have the lanes inside.
loops::Stmts item_lanes(Making& making, int axis, int64_t lanes, const Index& group,
                        loops::Stmts body);

}  // namespace burin
