// OpenCL C 1.2 as a Language (print/language.h).
//
// Mathematics is the device's own: the specification states an error for every built-in function,
// and vendors have them faster than portable code could be (README.md says which error that is).
// What OpenCL leaves undefined or defines otherwise (division by zero, NaN in minima, wrapping
// sums, small floats) is in runtime_min/opencl/*.cl, one file per subject; "headers" are those.
#pragma once

#include "print/language.h"

namespace burin::opencl {

const print::Language& opencl_language();

// What a piece of OpenCL C needs of a device, among the files.
inline constexpr const char* kNeedsFp64 = "fp64.cl";
inline constexpr const char* kNeedsFp16 = "fp16.cl";

}  // namespace burin::opencl
