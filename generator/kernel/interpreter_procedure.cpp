// Calls to runtime_min/procedures: the same code that an emitted tree runs.
#include "kernel/interpreter_steps.h"
#include "support/check.h"

namespace burin {

void run_procedure(const Procedure& procedure, RunState&) {
  check_failed("a known procedure", __FILE__, __LINE__, procedure.function);
}

}  // namespace burin
