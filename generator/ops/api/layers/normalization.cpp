#include "ops/api/layers/normalization.h"

#include "ops/api/core/scalars.h"
#include "support/diagnostics.h"

namespace burin {

Expr mean_of(KernelBuilder& kernel, const Indices& row, const Expr& element, const Dim& count) {
  return kernel.reduce(Combiner::sum, row, element) /
         Expr::cast(element.type(), Expr::index(count));
}

Moments moments_of(KernelBuilder& kernel, const Indices& row, const Expr& element,
                   const Dim& count) {
  const Expr mean = mean_of(kernel, row, element, count);
  const Expr centred = element - mean;
  return {mean, mean_of(kernel, row, centred * centred, count)};
}

Expr inverse_root(const Expr& x, double epsilon) {
  return 1.0 / Expr::unary(Unary::sqrt, x + epsilon);
}

Type stash_type(const OpContext& op) {
  const Type type = type_of_onnx(op.integer("stash_type", 1));
  if (!is_float(type)) refuse("bad-attribute", "stash_type is not a floating-point type");
  return type;
}

}  // namespace burin
