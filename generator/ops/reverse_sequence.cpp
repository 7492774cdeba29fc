// ReverseSequence: of every sequence in the batch the first sequence_lens elements in reverse, the
// others as they are. Lengths are clipped to the time dimension. Since opset 10.
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "support/diagnostics.h"

namespace burin::reverse_sequence_op {
namespace {

Expr number(int64_t value) { return Expr::constant(Type::i64, value); }

void lower(OpContext& op) {
  const Operand x = op.input(0), lengths = op.input(1);
  if (x.rank() < 2)
    refuse("shape-mismatch", "the input has rank " + std::to_string(x.rank()) + "; it needs two");
  const int batch = normalize_axis(op.integer("batch_axis", 1), x.rank(), "batch_axis");
  const int time = normalize_axis(op.integer("time_axis", 0), x.rank(), "time_axis");
  if (batch == time) refuse("bad-attribute", "batch_axis and time_axis are the same");
  if (lengths.rank() != 1) refuse("shape-mismatch", "sequence_lens must be a list");
  op.require_equal(lengths.dim(0), x.dim(batch), "number of sequences");
  const Dim& steps = x.dim(time);
  const Operand y = op.output(0, x.type(), x.shape());
  op.map(y, [&](const Indices& at) {
    Indices from = at;
    Index& now = from[static_cast<size_t>(time)];
    const Expr length = min(lengths.at({at[static_cast<size_t>(batch)]}), Expr::index(steps));
    const Expr step = Expr::index(now);
    const Expr mirrored = max(length - number(1) - step, number(0));
    const Expr chosen = Expr::select(compare(Binary::lt, step, length), mirrored, step);
    if (!now.is_constant()) now = Index::data(chosen.ptr(), {0, now.range().hi});
    return x.at(std::move(from));
  });
}

}  // namespace

OpDef definition() {
  return {
      .name = "ReverseSequence",
      .since = 10,
      .inputs = {{"input", types::tensors}, {"sequence_lens", types::i64}},
      .outputs = {{"Y"}},
      .attributes = {{"batch_axis", AttributeKind::integer}, {"time_axis", AttributeKind::integer}},
      .lower = lower};
}

}  // namespace burin::reverse_sequence_op
