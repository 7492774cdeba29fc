// A parallel loop goes into the statements of its body: what `enters` names has the loop inside of
// its blocks instead of around it, and what stands between gets a loop of its own.
//
//   for lane { alloc sum; sum = 0; for k { sum += x[k, lane] }; y[lane] = sum }
//   alloc sum[4]; for lane { sum[lane] = 0 }
//   for k { for lane { sum[lane] += x[k, lane] } };  for lane { y[lane] = sum[lane] }
//
// What one of these loops leaves for another becomes an array over the points; names of numbers are
// said again. Barriers end a loop and are gone behind it: all points have come there. (Loop
// distribution and scalar expansion.)
#pragma once

#include <functional>

#include "loops/program.h"

namespace burin::loops {

// The statements that stand in place of `loop`, which begins at 0; buffers of the program change.
// Points share nothing that is written but across barriers, and no loop or condition that is
// entered moves with the point.
Stmts inward(Program& program, const For& loop, const std::function<bool(const Stmt&)>& enters);

}  // namespace burin::loops
