// BitShift: x shifted left or right by y bits; a shift by the width or more gives 0. Of signed
// integers (since opset 28) a right shift brings in copies of the sign, and a negative y is a shift
// by more than the width. Since opset 11.
#include "ops/api/math/elementwise.h"
#include "support/diagnostics.h"

namespace burin::bit_shift_op {
namespace {

Type unsigned_of(Type type) {
  return type == Type::i8    ? Type::u8
         : type == Type::i16 ? Type::u16
         : type == Type::i32 ? Type::u32
         : type == Type::i64 ? Type::u64
                             : type;
}

void lower(OpContext& op) {
  const std::string direction = op.text("direction", "");
  if (direction != "LEFT" && direction != "RIGHT")
    refuse("bad-attribute", "direction is " + quoted(direction) + "; LEFT and RIGHT exist");
  const Binary shift = direction == "LEFT" ? Binary::shift_left : Binary::shift_right;
  const Type type = op.input(0).type();
  if (!is_signed(type)) return map_binary(op, shift);
  const Type plain = unsigned_of(type);
  map_binary(op, [&](const Expr& x, const Expr& y) {
    const Expr by = Expr::cast(plain, y);
    const auto shifted = [&](const Expr& bits) {
      return Expr::cast(type, Expr::binary(shift, Expr::cast(plain, bits), by));
    };
    if (shift == Binary::shift_left) return shifted(x);
    const auto flipped = [](const Expr& bits) { return Expr::unary(Unary::bit_not, bits); };
    const Expr negative = compare(Binary::lt, x, Expr::constant(type, 0));
    return Expr::select(negative, flipped(shifted(flipped(x))), shifted(x));
  });
}

}  // namespace

OpDef definition() {
  OpDef def = binary_op("BitShift", types::integers, lower, 11);
  def.inputs = {{"X", types::unsigned_integers, Arity::required, until(27)},
                {"Y", types::unsigned_integers, Arity::required, until(27)},
                {"X", types::integers, Arity::required, since(28)},
                {"Y", types::integers, Arity::required, since(28)}};
  def.outputs = {{"Z"}};
  def.attributes = {{"direction", AttributeKind::text, true}};
  return def;
}

}  // namespace burin::bit_shift_op
