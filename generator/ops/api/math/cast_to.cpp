#include "ops/api/math/cast_to.h"

#include "ops/api/core/op_def.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

// A power of two: `up`, which Cast rounds to, or the one below it. Half-way goes up, as the
// specification's own code has it: among the numbers below the smallest normal one, what is above
// 2^-127.
Expr power_of_two(const Expr& value, const std::string& mode, bool saturate) {
  const Expr x = Expr::unary(Unary::abs, value);
  const Expr up = Expr::cast(Type::f8e8m0, x, CastMode::saturate);
  const auto number = [](double literal) { return Expr::constant(Type::f32, literal); };
  if (mode == "up") return saturate ? up : Expr::cast(Type::f8e8m0, x, CastMode::convert);
  const Expr below = up * number(0.5);
  if (mode == "down") return Expr::select(compare(Binary::gt, up, x), below, up);
  const Expr normal = compare(Binary::lt, x, up * number(0.75));
  const Expr small = compare(Binary::le, x, number(0x1p-127));
  const Expr least = compare(Binary::eq, up, number(0x1p-126));
  const Expr nearest = Expr::select(Expr::select(least, small, normal), below, up);
  if (saturate) return nearest;
  return Expr::select(compare(Binary::ge, x, number(0x1.8p127)),
                      Expr::cast(Type::f8e8m0, x, CastMode::convert), nearest);
}

// The type that text is read as and written from.
Type widest(Type type) {
  const Type compute = compute_type(type);
  if (is_float(compute)) return compute == Type::f64 ? Type::f64 : Type::f32;
  return type == Type::u64 ? Type::u64 : Type::i64;
}

void emit_texts(OpContext& op, const char* function, Type element, const Operand& from,
                const Operand& to) {
  Procedure procedure;
  procedure.function = function;
  procedure.element = element;
  procedure.reads = {from.value()};
  procedure.writes = {to.value()};
  procedure.arguments = {product(from.shape()), op.string_bytes()};
  op.emit(std::move(procedure));
}

void cast_to_string(OpContext& op, const Operand& x) {
  const Type wide = widest(x.type());
  Operand numbers = x;
  if (wide != x.type()) {
    numbers = op.temporary("numbers", wide, x.shape());
    op.map(numbers, [&](const Indices& at) { return Expr::cast(wide, x.at(at)); });
  }
  emit_texts(op, "write_numbers", wide, numbers, op.output(0, Type::string, x.shape()));
}

}  // namespace

void cast_to(OpContext& op, const Operand& given, Type to) {
  Operand x = given;
  if (to == Type::string && x.type() != Type::string) return cast_to_string(op, x);
  if (to == Type::string)
    return op.map(op.output(0, to, x.shape()), [&](const Indices& at) { return x.at(at); });
  if (to != Type::string && x.type() == Type::string) {
    x = op.temporary("numbers", widest(to), given.shape());
    emit_texts(op, "read_numbers", x.type(), given, x);
  }
  const bool saturate = op.integer("saturate", 1) != 0;
  const bool clips = types::narrow8.contains(to) && saturate;
  const CastMode mode = clips ? CastMode::saturate : CastMode::convert;
  // Of a float that an integer of few bits cannot hold, the low bits stay.
  const bool by_bits = is_integer(to) && is_packed(to) && is_float(x.compute());
  const std::string rounding = op.text("round_mode", "up");
  if (rounding != "up" && rounding != "down" && rounding != "nearest")
    refuse("bad-attribute", "round_mode is " + quoted(rounding));
  const Operand y = op.output(0, to, x.shape());
  op.map(y, [&](const Indices& at) {
    const Expr value = x.at(at);
    if (to == Type::f8e8m0 && x.type() != Type::f8e8m0)
      return Expr::cast(to, power_of_two(Expr::cast(Type::f32, value), rounding, saturate));
    return Expr::cast(to, by_bits ? Expr::cast(Type::i32, value) : value, mode);
  });
}

}  // namespace burin
