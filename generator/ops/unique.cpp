// Unique: the distinct slices along an axis (elements of the flattened input without one), sorted
// or in order of first occurrence, with the place of each first, the number of each slice in the
// result and the counts. Since opset 11.
#include "ops/api/core/op_def.h"
#include "ops/api/core/procedure.h"

namespace burin::unique_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0);
  Shape shape = {product(x.shape())};
  int axis = 0;
  if (op.has("axis")) {
    axis = normalize_axis(op.integer("axis"), x.rank());
    shape = x.shape();
  }
  const Lines lines = lines_of(shape, axis);
  const Symbol symbol = op.run_symbol("count", {0, lines.axis});
  const Dim count = Index::symbol(symbol);
  Procedure procedure;
  procedure.function = "unique";
  // Strings are ordered by their bytes, those behind the end are zeros.
  procedure.element = x.type() == Type::string ? Type::u8 : x.type();
  procedure.reads = {x.value()};
  procedure.arguments = {lines.outer, lines.axis, lines.inner * elements_of(op, x),
                         op.integer("sorted", 1) != 0};
  procedure.scratch_bytes = lines.axis * 24;
  shape[static_cast<size_t>(axis)] = count;
  emit_counted(op, std::move(procedure), symbol, lines.axis,
               {{0, x.type(), shape},
                {1, Type::i64, {count}},
                {2, Type::i64, {lines.axis}},
                {3, Type::i64, {count}}});
}

}  // namespace

OpDef definition() {
  return {.name = "Unique",
          .since = 11,
          .inputs = {{"X", types::numeric | types::boolean | types::string}},
          .outputs = {{"Y"},
                      {"indices", types::i64, Arity::optional},
                      {"inverse_indices", types::i64, Arity::optional},
                      {"counts", types::i64, Arity::optional}},
          .attributes = {{"axis", AttributeKind::integer}, {"sorted", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin::unique_op
