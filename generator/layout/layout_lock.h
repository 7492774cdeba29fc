// Layouts by the names of their tensors: as plan.json has them, and given back by --plan-lock.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "layout/copies.h"
#include "layout/relayout.h"

namespace burin {

// Name of the tensor and text of its layout (kernel/layout.h); behind it, after a semicolon each,
// its copies: "0 2 3 1; 1 3 as row-major" is read as it is by its readers number 0 and 2, and as a
// row-major copy by those of number 1 and 3. Where several tensors of a graph have one name, the
// second is "name#2".
using NamedLayouts = std::vector<std::pair<std::string, std::string>>;

NamedLayouts named_layouts(const Layouts& layouts, const LayoutCopies& copies,
                           const KernelGraph& graph);

struct LockedLayouts {
  Layouts layouts;
  LayoutCopies copies;
};

// The same for this graph. Refused: a tensor that there is not, or whose layout is not free; a text
// that is no layout of its rank; a block that does not divide its dimension; readers that there are
// not.
LockedLayouts locked_layouts(const NamedLayouts& named, const KernelGraph& graph);

}  // namespace burin
