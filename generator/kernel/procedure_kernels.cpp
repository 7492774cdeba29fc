#include "kernel/procedure_kernels.h"

#include "kernel/procedure_forms.h"

namespace burin {

std::optional<ProcedureKernels> as_kernels(const Procedure& procedure, std::vector<Value>& values) {
  if (procedure.function == "non_zero") return compaction_kernels(procedure, values);
  if (procedure.function == "top_k") return ranking_kernels(procedure, values);
  return std::nullopt;
}

}  // namespace burin
