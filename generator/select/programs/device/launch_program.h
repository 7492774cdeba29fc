// Launches of a device (select/device/launches.h) as statements: loops of the host, launches, and
// in each of them its work-groups and work-items.
#pragma once

#include "select/programs/making.h"

namespace burin {

loops::Stmts launch_stmts(Making& making);

// Axes that are flattened in one, as numbers from its point, the last one moving fastest;
// `extents`: of each.
loops::Stmts flattened(const std::vector<int>& vars, const std::vector<Dim>& extents,
                       const Index& point);

// What one point of a launch's work-groups does where their work-items share its loops.
loops::Stmts cooperative_stmts(Making& making, const Launch& launch);

// The tiles of a product along rows and columns, inside of its batch.
loops::Stmts group_product_stmts(Making& making, const Launch& launch);
// The blocks of queries of attention, inside of its batch.
loops::Stmts group_attention_stmts(Making& making, const Launch& launch);

}  // namespace burin
