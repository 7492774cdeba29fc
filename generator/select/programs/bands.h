// Bands of a window as statements: rows of results whose operand is staged together.
#pragma once

#include <functional>

#include "select/programs/making.h"

namespace burin {

// What is done for the rows [first, end) of results, for every band of a call.
using OfBand = std::function<loops::Stmts(const Index& first, const Index& end)>;
loops::Stmts each_band(Making& making, const SlidingWindow& window, const OfBand& body);

// Elements of the staged operand of a band, by the loops of `fill_loops`
// (select/schedule/window_loops.h): all, those of margins, which are one number, or the others.
enum class Filled : uint8_t { all, margins, inside };
loops::Stmts fill_stmts(Making& making, const SlidingWindow& window, loops::BufferId staged,
                        const LoopNodes& nodes, Filled which = Filled::all);

}  // namespace burin
