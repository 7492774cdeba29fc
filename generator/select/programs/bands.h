// Bands of a window as statements: rows of results whose operand is staged together.
#pragma once

#include <functional>

#include "select/programs/making.h"

namespace burin {

// What is done for the rows [first, end) of results, for every band of a call.
using OfBand = std::function<loops::Stmts(const Index& first, const Index& end)>;
loops::Stmts each_band(Making& making, const SlidingWindow& window, const OfBand& body);

// Every element of the staged operand of a band, by the loops of `fill_loops`
// (select/schedule/window_loops.h).
loops::Stmts fill_stmts(Making& making, const SlidingWindow& window, loops::BufferId staged,
                        const LoopNodes& nodes);

}  // namespace burin
