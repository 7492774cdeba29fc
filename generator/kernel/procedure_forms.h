// The procedures that have a form of kernels (procedure_kernels.h), one by one.
#pragma once

#include "kernel/procedure_kernels.h"

namespace burin {

std::optional<ProcedureKernels> compaction_kernels(const Procedure& procedure,
                                                   std::vector<Value>& values);
std::optional<ProcedureKernels> ranking_kernels(const Procedure& procedure,
                                                std::vector<Value>& values);

}  // namespace burin
