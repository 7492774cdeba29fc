// SpaceToDepth: blocks of pixels become blocks of channels, channel = (row, column, depth), or
// (depth, row, column) where mode is CRD (since opset 28).
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "support/diagnostics.h"

namespace burin::space_to_depth_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const int64_t block = op.integer("blocksize");
  if (block < 1 || block > highest(Type::i16))
    refuse("bad-attribute", "blocksize is " + std::to_string(block));
  if (x.rank() != 4) {
    refuse("shape-mismatch",
           "the input has shape " + to_string(x.shape()) + "; it must have rank 4");
  }
  const Dim rows = floordiv(x.dim(2), block), columns = floordiv(x.dim(3), block);
  op.require_equal(rows * block, x.dim(2), "rows in whole blocks");
  op.require_equal(columns * block, x.dim(3), "columns in whole blocks");
  const Dim& depth = x.dim(1);
  const std::string mode = op.text("mode", "DCR");
  if (mode != "DCR" && mode != "CRD")
    refuse("bad-attribute", "mode is " + quoted(mode) + "; DCR and CRD exist");
  const Operand y = op.output(0, x.type(), {x.dim(0), depth * (block * block), rows, columns});
  op.map(y, [&](const Indices& at) {
    if (mode == "CRD") {
      const Indices place = delinearize(at[1], {depth, block, block});
      return x.at({at[0], place[0], at[2] * block + place[1], at[3] * block + place[2]});
    }
    const Indices place = delinearize(at[1], {block, block, depth});
    return x.at({at[0], place[2], at[2] * block + place[0], at[3] * block + place[1]});
  });
}

}  // namespace

OpDef definition() {
  return {.name = "SpaceToDepth",
          .inputs = {{"input", types::tensors}},
          .outputs = {{"output"}},
          .attributes = {{"blocksize", AttributeKind::integer, true},
                         {"mode", AttributeKind::text, false, since(28)}},
          .lower = lower};
}

}  // namespace burin::space_to_depth_op
