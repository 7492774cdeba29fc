// Copy, of burin's own: the output is the input (graph/copy.h).
#include "graph/copy.h"

#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"

namespace burin::copy_op {
namespace {

void lower(OpContext& op) { op.forward(0, op.input(0)); }

}  // namespace

OpDef definition() {
  return {.name = kCopyOp,
          .domain = kOwnDomain,
          .since = 1,
          .until = 1,
          .inputs = {{"input", types::tensors | types::sequence | types::optional}},
          .outputs = {{"output"}},
          .lower = lower,
          .note = "made by import: a function's result that is its operand"};
}

}  // namespace burin::copy_op
