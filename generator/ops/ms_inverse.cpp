// com.microsoft Inverse: inverses of square matrices, by elimination (a procedure). A matrix that
// has none gives NaN.
#include "ops/api/math/fused.h"
#include "support/diagnostics.h"

namespace burin::ms_inverse_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  if (x.rank() < 2) refuse("shape-mismatch", "X has rank " + std::to_string(x.rank()));
  op.require_equal(x.dim(-1), x.dim(-2), "rows and columns");
  const Operand y = op.output(0, x.type(), x.shape());
  const bool wide = x.type() == Type::f32 || x.type() == Type::f64;
  const Operand from = wide ? x : op.temporary("wide", Type::f32, x.shape()),
                to = wide ? y : op.temporary("inverse", Type::f32, x.shape());
  if (!wide) op.map(from, [&](const Indices& at) { return x.at(at); });
  Procedure procedure;
  procedure.function = "inverse";
  procedure.element = from.type();
  procedure.reads = {from.value()};
  procedure.writes = {to.value()};
  procedure.arguments = {product(Shape(x.shape().begin(), x.shape().end() - 2)), x.dim(-1)};
  procedure.scratch_bytes = x.dim(-1) * x.dim(-1) * 16;
  op.emit(std::move(procedure));
  if (!wide) op.map(y, [&](const Indices& at) { return to.at(at); });
}

}  // namespace

OpDef definition() {
  return ms_op({.name = "Inverse",
                .inputs = {{"X", types::f32 | only(Type::f64) | only(Type::f16)}},
                .outputs = {{"Y"}},
                .lower = lower});
}

}  // namespace burin::ms_inverse_op
