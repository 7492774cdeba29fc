// Layouts by the names of their tensors: as plan.json has them, and given back by --plan-lock.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "layout/copies.h"
#include "layout/forms.h"
#include "layout/relayout.h"

namespace burin {

// Name of the tensor and text of its layout (kernel/layout.h); behind it, after a semicolon each,
// its copies: "0 2 3 1; 1 3 as row-major" is read as it is by its readers number 0 and 2, and as a
// row-major copy by those of number 1 and 3. "computed by its readers" is the form without the
// tensor (layout/forms.h); a tensor that only a form has says that the form is taken. Where several
// tensors of a graph have one name, the second is "name#2".
using NamedLayouts = std::vector<std::pair<std::string, std::string>>;

struct LockedLayouts {
  Layouts layouts;
  LayoutCopies copies;
  std::vector<int> forms;
};

NamedLayouts named_layouts(const LockedLayouts& locked, const Forms& forms);

// The same for this graph. Refused: a tensor that there is not, or whose layout is not free; one
// that its readers cannot compute; a text that is no layout of its rank; a block that does not
// divide its dimension; readers that there are not.
LockedLayouts locked_layouts(const NamedLayouts& named, const KernelGraph& graph,
                             const Forms& forms);

}  // namespace burin
