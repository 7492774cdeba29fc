// Lanes of a panel that are the pixels of a plane: packed row by row of it.
#pragma once

#include <optional>

#include "select/programs/making.h"

namespace burin {

// The length of the rows: the least number by which the element divides its axis, where that
// divides all others (planes that are enlarged have rows of theirs, longer ones and shorter ones);
// nullopt: there is none, or rows lie one behind the other and need no division.
std::optional<int64_t> row_of_plane(const Making& making, const Expr& element, int axis);

// The columns [from, to) of a row of at most `length`. Where neighbours read one element (a plane
// that is enlarged: column // 2) the loop is over these, and what is left at both ends.
loops::Stmts over_columns(Making& making, int column, int64_t length, const Index& from,
                          const Index& to, const loops::Stmts& body);

}  // namespace burin
