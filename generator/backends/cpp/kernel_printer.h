// Prints a scheduled kernel as one C++ function: any kernel of any family and type. Nothing is
// decided here.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "backends/cpp/vocabulary.h"
#include "select/schedule.h"

namespace burin::cpp {

// One parameter of an emitted kernel, in order: values read, values written, sizes, scratch.
struct KernelParameters {
  std::vector<ValueId> reads;  // in order of appearance
  std::vector<ValueId> writes;
  std::vector<Symbol> symbols;
  bool scratch = false;
};

struct PrintedKernel {
  std::string body;       // from the opening brace of the function on
  std::string signature;  // "(const float* x0, float* y0, int64_t n0)", without a name
  KernelParameters parameters;
  Headers headers;      // of runtime_min
  std::string formula;  // the cascade as text over parameter names, one line each
};

// `aliased`: values that the memory plan lets share bytes with another operand of this kernel;
// their pointers are not declared restrict.
PrintedKernel print_kernel(const KernelSchedule& schedule, const std::vector<Value>& values,
                           const std::vector<ValueId>& aliased);

}  // namespace burin::cpp
