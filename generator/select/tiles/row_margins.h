// Margins at both ends of the rows of a window's plane.
#pragma once

#include <optional>

#include "select/tiles/window.h"

namespace burin {

// The first and the last positions of a row that hold `fill`, in every row.
struct RowMargins {
  int64_t before = 0, behind = 0;
  Expr fill;
};

// Of columns that lie one behind the other; nullopt: the element is no such, or sizes are open.
std::optional<RowMargins> margins_of_rows(const Expr& element, const SlidingAxis& columns,
                                          const Kernel& kernel);

}  // namespace burin
