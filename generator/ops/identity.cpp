// Identity: the output is the input.
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"

namespace burin::identity_op {
namespace {

void lower(OpContext& op) { op.forward(0, op.input(0)); }

}  // namespace

OpDef definition() {
  return {.name = "Identity",
          .inputs = {{"input", types::all | types::string | types::sequence | types::optional}},
          .outputs = {{"output"}},
          .lower = lower};
}

}  // namespace burin::identity_op
