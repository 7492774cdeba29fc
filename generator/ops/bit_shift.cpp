// BitShift: x shifted left or right by y bits, of unsigned integers; a shift by the width or more
// gives 0. Since opset 11.
#include "ops/api/elementwise.h"
#include "support/diagnostics.h"

namespace burin::bit_shift_op {
namespace {

void lower(OpContext& op) {
  const std::string direction = op.text("direction", "");
  if (direction != "LEFT" && direction != "RIGHT")
    refuse("bad-attribute", "direction is " + quoted(direction) + "; LEFT and RIGHT exist");
  const Binary shift = direction == "LEFT" ? Binary::shift_left : Binary::shift_right;
  map_binary(op, shift);
}

}  // namespace

OpDef definition() {
  OpDef def = binary_op("BitShift", types::unsigned_integers, lower, 11);
  def.inputs = {{"X", types::unsigned_integers}, {"Y", types::unsigned_integers}};
  def.outputs = {{"Z"}};
  def.attributes = {{"direction", AttributeKind::text, true}};
  return def;
}

}  // namespace burin::bit_shift_op
