// How a let combines the values of its reduced axes. Only interpreter*.cpp include it.
#pragma once

#include <vector>

#include "kernel/interpreter/interpreter_program.h"
#include "kernel/kernel.h"

namespace burin {

struct PreparedReduction {
  BinaryFunction combine = nullptr;  // of single values
  BinaryFunction better = nullptr;   // of keys: the candidate replaces
  std::vector<ScalarValue> neutral;
};

PreparedReduction reduction_of(const Let& let);

// Takes the results of `program` into the accumulators of one element of a let. Of a keyed
// reduction the first tuple is always taken, so that keys that are all at the end of their range
// still give the payload of the first of them.
void combine(const PreparedReduction& reduction, const Program& program, bool first,
             std::vector<ScalarValue>& accumulator);

}  // namespace burin
