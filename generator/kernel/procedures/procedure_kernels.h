// Procedures as loop nests: what a device can do where a procedure would bring its host in.
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace burin {

// Operations are counted at the hints of sizes.
struct ProcedureKernels {
  Steps steps;
  double operations = 0;       // of all work-items
  double host_operations = 0;  // of the procedure
  bool needs_fp64 = false;
};

// The same results by kernels and, for the size that it determines, a Bind of what one of them
// wrote; new values are added. Nothing for a procedure that has no such form.
std::optional<ProcedureKernels> as_kernels(const Procedure& procedure, std::vector<Value>& values);

}  // namespace burin
