// BitCast: the same bits as elements of another type of the same width. Between integers that is a
// cast, which wraps; floats are copied (a procedure). Since opset 26.
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "ops/api/core/scalars.h"
#include "support/diagnostics.h"

namespace burin::bit_cast_op {
namespace {

Type of_width(int bits) {
  return bits == 8 ? Type::u8 : bits == 16 ? Type::u16 : bits == 32 ? Type::u32 : Type::u64;
}

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const Type to = type_of_onnx(op.integer("to"));
  if (size_bits(to) != size_bits(x.type()))
    refuse("type-mismatch",
           std::string(to_string(x.type())) + " has " + std::to_string(size_bits(x.type())) +
               " bits, " + std::string(to_string(to)) + " has " + std::to_string(size_bits(to)));
  const Operand y = op.output(0, to, x.shape());
  if (to == Type::boolean) {
    const Type bits = is_float(x.type()) ? Type::none : x.type();
    if (bits == Type::none) refuse("unsupported-type", "a float as a boolean");
    return op.map(y, [&](const Indices& at) {
      const Expr value = x.at(at);
      return compare(Binary::ne, value, Expr::constant(value.type(), 0));
    });
  }
  if (!is_float(x.type()) && !is_float(to))
    return op.map(y, [&](const Indices& at) { return Expr::cast(to, x.at(at)); });
  if (is_packed(to)) refuse("unsupported-type", "the bits of a float of 4");
  Procedure procedure;
  procedure.function = "copy_bits";
  procedure.element = of_width(size_bits(to));
  procedure.reads = {x.value()};
  procedure.writes = {y.value()};
  procedure.arguments = {product(x.shape())};
  op.emit(std::move(procedure));
}

}  // namespace

OpDef definition() {
  return {.name = "BitCast",
          .since = 26,
          .inputs = {{"input"}},
          .outputs = {{"output"}},
          .attributes = {{"to", AttributeKind::integer, true}},
          .lower = lower};
}

}  // namespace burin::bit_cast_op
