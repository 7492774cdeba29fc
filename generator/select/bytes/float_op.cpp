#include "select/bytes/float_op.h"

#include "isa/quantise_rows.h"
#include "isa/requantise_rows.h"
#include "kernel/tensor.h"
#include "select/bytes/values_over.h"

namespace burin {

std::optional<SaidByteOp> find_float_op(const Expr& value, const Expr& number, const Kernel& kernel,
                                        std::vector<Value>& values) {
  const std::optional<FloatLine> line = find_float_line(value, number, kernel, values);
  if (!line) return std::nullopt;
  SaidByteOp out;
  ByteOp& op = out.op;
  op.exact = value;
  op.operands = {number};
  op.floats = line;
  const auto constant = [&](const char* name, Type type, const HostTensor& tensor) {
    return add_constant(values, kernel.name + name, type, {tensor.elements()}, to_constant(tensor));
  };
  HostTensor scale = make_tensor(Type::f32, {1});
  scale.set(0, {line->scale, 0});
  op.constant = constant("/scale", Type::f32, scale);
  const std::vector<int64_t> all{line->offset, line->reach, line->least, line->greatest};
  op.float_line = constant("/line", Type::i32, make_tensor(Type::i32, {isa::kFloatLineParts}, all));
  // What the row computes, near or not: the constants are read so.
  const auto part = [&](int which) { return Expr::load(op.float_line, Type::i32, {which}); };
  const isa::LineParts parts = [&](isa::LinePart which) {
    return part(which == isa::kLineLeast ? isa::kFloatLeast : isa::kFloatGreatest);
  };
  const Expr position = isa::quantised_position(number, Expr::load(op.constant, Type::f32, {0}),
                                                part(isa::kFloatOffset));
  const Expr reach = part(isa::kFloatReach),
             near = isa::line_is_near(position + reach, reach + reach);
  const Expr doubt = Expr::binary(Binary::logical_or, near, Expr::unary(Unary::is_nan, number));
  out.said = Expr::select(doubt, value, isa::line_byte(position, parts, value.type()));
  return out;
}

}  // namespace burin
