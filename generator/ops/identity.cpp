// Identity: the output is the input.
#include "ops/api/op_context.h"
#include "ops/api/op_def.h"

namespace burin {
namespace {

void lower(OpContext& op) { op.forward(0, op.input(0)); }

}  // namespace

OpDef op_identity() {
  return {.name = "Identity",
          .inputs = {{"input", types::all | types::sequence | types::optional}},
          .outputs = {{"output"}},
          .lower = lower};
}

}  // namespace burin
