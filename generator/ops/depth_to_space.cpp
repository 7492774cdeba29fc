// DepthToSpace: blocks of channels become blocks of pixels. Mode DCR (the only one until opset 10):
// channel = (row, column, depth) of the block; CRD: (depth, row, column).
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "support/diagnostics.h"

namespace burin::depth_to_space_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const int64_t block = op.integer("blocksize");
  const std::string mode = op.text("mode", "DCR");
  if (mode != "DCR" && mode != "CRD") refuse("bad-attribute", "mode is " + quoted(mode));
  if (block < 1 || block > highest(Type::i16))
    refuse("bad-attribute", "blocksize is " + std::to_string(block));
  if (x.rank() != 4) {
    refuse("shape-mismatch",
           "the input has shape " + to_string(x.shape()) + "; it must have rank 4");
  }
  const int64_t points = block * block;
  const Dim depth = floordiv(x.dim(1), points);
  op.require_equal(depth * points, x.dim(1), "channels in whole blocks");
  const Operand y = op.output(0, x.type(), {x.dim(0), depth, x.dim(2) * block, x.dim(3) * block});
  op.map(y, [&](const Indices& at) {
    const Index row = mod(at[2], block), column = mod(at[3], block);
    const Index place = row * block + column;
    const Index channel = mode == "DCR" ? place * depth + at[1] : at[1] * points + place;
    return x.at({at[0], channel, floordiv(at[2], block), floordiv(at[3], block)});
  });
}

}  // namespace

OpDef definition() {
  return {.name = "DepthToSpace",
          .inputs = {{"input", types::tensors}},
          .outputs = {{"output"}},
          .attributes = {{"blocksize", AttributeKind::integer, true},
                         {"mode", AttributeKind::text, false, since(11)}},
          .lower = lower};
}

}  // namespace burin::depth_to_space_op
