// LRN: y = x / (bias + alpha/size * sum of squares)^beta, the sum over `size` channels around the
// own one that exist.
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "support/diagnostics.h"

namespace burin::lrn_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  if (x.rank() < 2) refuse("shape-mismatch", "the input has rank " + std::to_string(x.rank()));
  const int64_t size = op.integer("size");
  if (size < 1 || size > (int64_t{1} << 31))
    refuse("bad-attribute", "size is " + std::to_string(size));
  const Operand y = op.output(0, x.type(), x.shape());
  KernelBuilder kernel;
  const Indices at = kernel.axes(x.shape());
  const Index tap = kernel.reduce_axis(size, "tap");
  Indices from = at;
  from[1] = at[1] + tap - (size - 1) / 2;
  const Expr element = x.at(from);
  const Expr square = Expr::cases({{{{from[1], 0, x.dim(1)}}, element * element}}, y.zero());
  const Expr sum = kernel.reduce(Combiner::sum, {tap}, square);
  const double alpha = op.real("alpha", 1e-4) / static_cast<double>(size);
  const Expr base = sum * alpha + op.real("bias", 1);
  kernel.write(y, at,
               x.at(at) / Expr::binary(Binary::pow, base, y.constant(op.real("beta", 0.75))));
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
  return {.name = "LRN",
          .inputs = {{"X", types::floats}},
          .outputs = {{"Y"}},
          .attributes = {{"alpha", AttributeKind::real},
                         {"beta", AttributeKind::real},
                         {"bias", AttributeKind::real},
                         {"size", AttributeKind::integer, true}},
          .lower = lower};
}

}  // namespace burin::lrn_op
