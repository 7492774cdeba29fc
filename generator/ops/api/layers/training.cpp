#include "ops/api/layers/training.h"

#include "ops/api/math/sums_of_products.h"
#include "support/diagnostics.h"

namespace burin {

void map_training(OpContext& op, size_t states,
                  const std::function<std::vector<Expr>(const TrainingStep&)>& f) {
  constexpr int kFirst = 2;  // after R and T
  const int kinds = static_cast<int>(states) + 2, results = static_cast<int>(states) + 1;
  const int tensors = (op.input_count() - kFirst) / kinds;
  if (tensors < 1 || tensors * kinds + kFirst != op.input_count() ||
      op.output_count() != tensors * results) {
    refuse("arity", std::to_string(op.input_count()) + " inputs and " +
                        std::to_string(op.output_count()) + " outputs do not make " +
                        std::to_string(kinds) + " inputs and " + std::to_string(results) +
                        " outputs for each tensor");
  }
  const Operand rate = op.input(0), count = op.input(1);
  for (const Operand& one : {rate, count})
    op.require_equal(product(one.shape()), 1, "elements of R and T");
  for (int k = 0; k < tensors; ++k) {
    std::vector<Operand> from, to;
    for (int kind = 0; kind < kinds; ++kind) {
      from.push_back(op.input(kFirst + kind * tensors + k));
      if (from.back().type() != from[0].type())
        refuse("type-mismatch", "the tensors that belong together have different types");
      if (from.back().rank() != from[0].rank())
        refuse("shape-mismatch", "the tensors that belong together have different ranks");
      for (int d = 0; d < from[0].rank(); ++d)
        op.require_equal(from.back().dim(d), from[0].dim(d), "shapes that belong together");
    }
    KernelBuilder kernel;
    const Indices at = kernel.axes(from[0].shape());
    TrainingStep step{in_type(from[0].compute(), rate.scalar()),
                      count.scalar(),
                      from[0].at(at),
                      from[1].at(at),
                      {}};
    for (size_t s = 0; s < states; ++s) step.states.push_back(from[s + 2].at(at));
    const std::vector<Expr> values = f(step);
    for (int r = 0; r < results; ++r) {
      const int number = r * tensors + k;
      if (!op.has_output(number)) continue;
      kernel.write(op.output(number, from[0].type(), from[0].shape()), at,
                   values[static_cast<size_t>(r)]);
    }
    op.emit(kernel);
  }
}

OpDef training_op(std::string name, std::vector<AttributeDef> attributes,
                  void (*lower)(OpContext&)) {
  const TypeSet reals = types::f32 | only(Type::f64);
  return {.name = std::move(name),
          .domain = "ai.onnx.preview.training",
          .until = 1,
          .inputs = {{"R", reals}, {"T", types::i64}, {"inputs", reals, Arity::variadic}},
          .outputs = {{"outputs", reals, Arity::variadic}},
          .attributes = std::move(attributes),
          .lower = lower};
}

}  // namespace burin
