// TopK: the k largest (or smallest, since opset 11) elements along an axis, best first, and their
// places; equal elements in order. k is an attribute in opset 1 and an input since 10. They come
// sorted also where `sorted` is 0, which leaves the order open.
#include "ops/api/core/op_def.h"
#include "ops/api/core/procedure.h"
#include "support/diagnostics.h"

namespace burin::top_k_op {
namespace {

Dim count_of(OpContext& op, const Dim& extent) {
  if (op.version() < 10) return op.integer("k");
  if (!op.has_input(1)) refuse("arity", "K is absent");
  op.require_equal(product(op.input(1).shape()), 1, "elements of K");
  return op.elements(1, {0, extent})[0];
}

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const int axis = normalize_axis(op.integer("axis", -1), x.rank());
  const Dim k = count_of(op, x.dim(axis));
  op.require({{k, 0, x.dim(axis) + 1}}, "K, of dimension " + std::to_string(axis) + ",");
  const Lines lines = lines_of(x.shape(), axis);
  Shape shape = x.shape();
  shape[static_cast<size_t>(axis)] = k;
  const Operand values = op.output(0, x.type(), shape), places = op.output(1, Type::i64, shape);
  Procedure procedure;
  procedure.function = "top_k";
  procedure.element = x.type();
  procedure.reads = {x.value()};
  procedure.writes = {values.value(), places.value()};
  procedure.arguments = {lines.outer, lines.axis, lines.inner, k, op.integer("largest", 1) != 0};
  procedure.scratch_bytes = k * 8;
  op.emit(std::move(procedure));
}

}  // namespace

OpDef definition() {
  return {.name = "TopK",
          .inputs = {{"X", types::numeric}, {"K", types::i64, Arity::required, since(10)}},
          .outputs = {{"Values", types::all, Arity::optional},
                      {"Indices", types::i64, Arity::optional}},
          .attributes = {{"axis", AttributeKind::integer},
                         {"k", AttributeKind::integer, true, until(9)},
                         {"largest", AttributeKind::integer, false, since(11)},
                         {"sorted", AttributeKind::integer, false, since(11)}},
          .lower = lower};
}

}  // namespace burin::top_k_op
