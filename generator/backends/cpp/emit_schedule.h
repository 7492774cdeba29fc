// The body of <name>_run: one call per kernel with the ONNX nodes it stands for.
#pragma once

#include "backends/cpp/emit_cpp.h"
#include "backends/cpp/vocabulary.h"
#include "render/printed_code.h"

namespace burin::cpp {

struct PrintedSchedule {
  Code body;        // indented as the body of a function
  Headers headers;  // of runtime_min that the body needs
};

PrintedSchedule print_schedule(const ModelPlan& plan, const TreeNames& names,
                               const KernelSet& kernels);

}  // namespace burin::cpp
