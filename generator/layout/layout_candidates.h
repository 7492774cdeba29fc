// The layouts that each tensor may have: a part of the problem of layouts (layout/layout_plan.h).
#pragma once

#include <map>
#include <vector>

#include "layout/layout_plan.h"

namespace burin {

// Of the tensors whose layout is free and that are large enough: row-major first. Those of forms
// are there whatever else they may have.
std::map<ValueId, std::vector<Layout>> layout_candidates(const KernelGraph& graph,
                                                         const Forms& forms,
                                                         const Hardware& hardware,
                                                         const LayoutOptions& options);

}  // namespace burin
