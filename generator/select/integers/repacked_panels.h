// Where a constant factor of an integer product has the elements of the constant that it came from
// (select/products/repacked.h).
#pragma once

#include "select/integers/integer_sum.h"
#include "select/integers/plan.h"
#include "select/products/repacked.h"

namespace burin {

struct PackedNumbers {
  const GivenFactor& factor;
  const std::vector<int>& own;  // axes of the sum that only it has
  int lane = -1;                // which they are in the plan
  Expr body;                    // the number less the offset, over the axes of the plan
  int32_t offset = 0;
};

// What the plan and the bodies of its sum take single elements of they read from panels, which the
// plan tells of. `grouped`: the reduced axis that is cut into groups.
void read_repacked(IntegerPlan& plan, const std::vector<Expr*>& bodies, const IntegerSum& sum,
                   const std::vector<PackedNumbers>& packed, int grouped,
                   const std::vector<Value>& values);

}  // namespace burin
