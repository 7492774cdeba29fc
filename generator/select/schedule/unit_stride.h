// Versioning on unit stride: two versions of an innermost loop whose operands advance by dynamic
// strides.
//
// An operand that may be broadcast along the innermost axis i is read at i * stride, with a stride
// of 0 or 1 (ops/api/movement/stretch.h). Compilers neither vectorise that nor see that rows are
// rows. Where all such strides are 1 (nothing is broadcast there, the usual case) a version of the
// loop runs in which they are gone; where one is not, the general one. Two versions, whatever the
// number of operands: further ones would each be for one way in which some are broadcast and others
// are not.
#pragma once

#include "select/schedule/loop_plan.h"

namespace burin {

// Gives every innermost loop over such accesses a second version.
void version_on_unit_stride(LoopPlan& schedule, const std::vector<Value>& values);

// From the definition: why the two versions of some loop would differ where all its strides are 1.
// Empty: they do not.
std::string check_unit_stride(const LoopPlan& schedule);

}  // namespace burin
