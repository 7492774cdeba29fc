// Mod: the remainder of a / b. With fmod = 0 it has the sign of b (integers only), with fmod = 1
// that of a. A remainder of integers by zero is 0. Since opset 10.
#include "ops/api/elementwise.h"
#include "support/diagnostics.h"

namespace burin::mod_op {
namespace {

void lower(OpContext& op) {
  const bool fmod = op.integer("fmod", 0) != 0;
  if (!fmod && is_float(op.input(0).type()))
    refuse("bad-attribute", "fmod is 0 and the inputs are floats; floats need fmod = 1");
  map_binary(op, fmod ? Binary::fmod : Binary::mod);
}

}  // namespace

OpDef definition() {
  OpDef def = binary_op("Mod", types::numeric, lower, 10);
  def.attributes = {{"fmod", AttributeKind::integer}};
  return def;
}

}  // namespace burin::mod_op
