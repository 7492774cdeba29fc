// The statements of an integer product: stage what is no constant, tiles of an instruction's calls,
// then what is written of their sums.
#pragma once

#include "loops/program.h"
#include "select/integers/plan.h"

namespace burin {

loops::Program integer_program(const IntegerPlan& plan, const std::vector<Value>& values);

}  // namespace burin
