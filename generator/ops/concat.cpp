// Concat: the inputs one after the other along axis (before opset 4, dimension 1 unless given). One
// read in pieces, so that whoever reads the result reads the inputs.
#include "ops/api/op_context.h"
#include "ops/api/op_def.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

void require_alike(OpContext& op, const Operand& first, const Operand& other, int axis) {
  if (other.type() != first.type())
    refuse("type-mismatch", "inputs have types " + std::string(to_string(first.type())) + " and " +
                                std::string(to_string(other.type())));
  if (other.rank() != first.rank()) {
    refuse("shape-mismatch", "inputs have ranks " + std::to_string(first.rank()) + " and " +
                                 std::to_string(other.rank()));
  }
  for (int d = 0; d < first.rank(); ++d) {
    if (d != axis) op.require_equal(first.dim(d), other.dim(d), "input dimension");
  }
}

void lower(OpContext& op) {
  const Operand first = op.input(0);
  if (first.rank() == 0) refuse("shape-mismatch", "scalars cannot be concatenated");
  const int64_t given = op.version() < 4 ? op.integer("axis", 1) : op.integer("axis");
  const int axis = normalize_axis(given, first.rank());
  const size_t along = static_cast<size_t>(axis);

  std::vector<Operand> inputs;
  Shape shape = first.shape();
  shape[along] = 0;
  for (int i = 0; i < op.input_count(); ++i) {
    const Operand input = op.input(i);
    require_alike(op, first, input, axis);
    shape[along] += input.dim(axis);
    if (!input.dim(axis).is_constant(0)) inputs.push_back(input);
  }
  if (inputs.empty()) inputs.push_back(first);

  const Operand y = op.output(0, first.type(), shape);
  op.map(y, [&](const Indices& at) {
    std::vector<Expr::Case> pieces;
    Dim begin = 0;
    for (const Operand& input : inputs) {
      Indices from = at;
      from[along] -= begin;
      const Dim end = begin + input.dim(axis);
      pieces.push_back({{{at[along], begin, end}}, input.at(std::move(from))});
      begin = end;
    }
    const Expr last = pieces.back().value;
    pieces.pop_back();
    return Expr::cases(std::move(pieces), last);
  });
}

}  // namespace

OpDef op_concat() {
  return {.name = "Concat",
          .inputs = {{"inputs", types::all, Arity::variadic}},
          .outputs = {{"concat_result"}},
          .attributes = {{"axis", AttributeKind::integer, false, until(3)},
                         {"axis", AttributeKind::integer, true, since(4)}},
          .lower = lower};
}

}  // namespace burin
