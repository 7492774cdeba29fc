// Dropout at inference: the output is the input, the mask is all true (until opset 9: of the type
// of the data, all one). A training mode that drops anything is refused: its result is random.
#include "ops/api/op_context.h"
#include "ops/api/op_def.h"
#include "ops/api/scalars.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

// Whether the node asks for elements to be dropped.
bool trains(OpContext& op) {
  if (op.version() < 7) return op.integer("is_test", 0) == 0 && op.real("ratio", 0.5) != 0;
  if (op.version() < 12 || !op.has_input(2)) return false;
  const std::optional<double> mode = scalar_of(op.constant(2));
  if (mode == 0.0) return false;
  const std::optional<double> ratio = op.has_input(1) ? scalar_of(op.constant(1)) : 0.5;
  if (ratio == 0.0) return false;
  if (!mode || !ratio) {
    refuse("dynamic-value", "training_mode is not known before the run, and the ratio may not be 0",
           "export the model for inference");
  }
  return true;
}

void lower(OpContext& op) {
  const Operand x = op.input(0);
  if (trains(op)) {
    refuse("unsupported-feature", "the node drops elements at random (training mode)",
           "export the model for inference");
  }
  op.forward(0, x);
  if (!op.has_output(1)) return;
  const Operand mask = op.output(1, op.version() < 10 ? x.type() : Type::boolean, x.shape());
  op.map(mask, [&](const Indices&) { return mask.constant(1); });
}

}  // namespace

OpDef op_dropout() {
  return {.name = "Dropout",
          .inputs = {{"data", types::floats | types::narrow8},
                     {"ratio", types::floats | types::narrow8, Arity::optional, since(12)},
                     {"training_mode", types::boolean, Arity::optional, since(12)}},
          .outputs = {{"output"}, {"mask", types::all, Arity::optional}},
          .attributes = {{"ratio", AttributeKind::real, false, until(11)},
                         {"seed", AttributeKind::integer, false, since(12)},
                         {"is_test", AttributeKind::integer, false, until(6)},
                         {"consumed_inputs", AttributeKind::integers, false, until(5)}},
          .lower = lower};
}

}  // namespace burin
