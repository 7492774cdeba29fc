// Layouts by the names of their tensors: as plan.json has them, and given back by --plan-lock.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "layout/relayout.h"

namespace burin {

// Name of the tensor and text of its layout (kernel/layout.h). Where several tensors of a graph
// have one name, the second is "name#2".
using NamedLayouts = std::vector<std::pair<std::string, std::string>>;

NamedLayouts named_layouts(const Layouts& layouts, const KernelGraph& graph);

// The same for this graph. Refused: a tensor that there is not, or whose layout is not free; a text
// that is no layout of its rank; a block that does not divide its dimension.
Layouts locked_layouts(const NamedLayouts& named, const KernelGraph& graph);

}  // namespace burin
