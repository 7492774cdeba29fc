// Compress: the slices along an axis (the elements of the flattened input without one) whose
// condition is true. Since opset 9.
#include "ops/api/core/op_def.h"
#include "ops/api/core/procedure.h"
#include "support/diagnostics.h"

namespace burin::compress_op {
namespace {

// Slices are copied whatever they hold, strings byte by byte.
Type carrier(Type type) {
  if (type == Type::string) return Type::u8;
  switch (size_bits(type)) {
    case 8:
      return Type::u8;
    case 16:
      return Type::u16;
    case 32:
      return Type::u32;
    default:
      return Type::u64;
  }
}

void lower(OpContext& op) {
  const Operand x = op.input(0), condition = op.input(1);
  if (condition.rank() != 1) refuse("shape-mismatch", "condition must have one dimension");
  Shape shape = {product(x.shape())};
  int axis = 0;
  if (op.has("axis")) {
    axis = normalize_axis(op.integer("axis"), x.rank());
    shape = x.shape();
  }
  const Lines lines = lines_of(shape, axis);
  const Dim most = min(lines.axis, condition.dim(0));
  const Symbol count = op.run_symbol("count", {0, most});
  Procedure procedure;
  procedure.function = "compress";
  procedure.element = carrier(x.type());
  procedure.reads = {x.value(), condition.value()};
  procedure.arguments = {lines.outer, lines.axis, lines.inner * elements_of(op, x),
                         condition.dim(0)};
  shape[static_cast<size_t>(axis)] = Index::symbol(count);
  emit_counted(op, std::move(procedure), count, most, {{0, x.type(), shape}});
}

}  // namespace

OpDef definition() {
  return {.name = "Compress",
          .since = 9,
          .inputs = {{"input", types::numeric | types::boolean | types::narrow8 | types::string},
                     {"condition", types::boolean}},
          .outputs = {{"output"}},
          .attributes = {{"axis", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin::compress_op
