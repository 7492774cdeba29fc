#include "select/bytes/float_op.h"

#include "isa/quantise_rows.h"
#include "isa/requantise_rows.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/tensor.h"
#include "select/bytes/line.h"
#include "select/bytes/values_over.h"
#include "support/at.h"

namespace burin {

namespace {

constexpr int64_t kMostFloatPoints = 1024;

}  // namespace

bool find_point_axes(const Expr& rest, const Kernel& kernel, const std::vector<int>& lanes,
                     std::vector<int>& axes) {
  axes = axes_of(rest);
  int64_t points = 1;
  for (const int axis : axes) {
    const Dim& extent = kernel.axes[at(axis)].extent;
    if (contains(lanes, axis) || !extent.is_constant()) return false;
    points *= extent.constant();
    if (points > kMostFloatPoints) return false;
  }
  return true;
}

std::optional<SaidByteOp> find_float_op(const Expr& value, const Expr& number, const Kernel& kernel,
                                        const std::vector<int>& lanes, std::vector<Value>& values) {
  std::vector<int> axes;
  if (!find_point_axes(replaced(value, number, Expr::constant(Type::f32, 0)), kernel, lanes, axes))
    return std::nullopt;
  const std::vector<FloatLine> lines = find_float_lines(value, number, kernel, axes, values);
  if (lines.empty()) return std::nullopt;
  SaidByteOp out;
  ByteOp& op = out.op;
  op.exact = value;
  op.operands = {number};
  op.floats = true;
  std::vector<int64_t> shape;
  for (const int axis : axes) {
    const Dim& extent = kernel.axes[at(axis)].extent;
    op.point.push_back(Index::axis(axis, extent));
    shape.push_back(extent.constant());
  }
  std::vector<double> scales;
  std::vector<int64_t> parts;
  for (const FloatLine& line : lines) {
    scales.push_back(line.scale);
    parts.insert(parts.end(), {line.offset, line.reach, line.least, line.greatest});
  }
  const auto constant = [&](const char* name, Type type, int64_t each, const auto& numbers) {
    std::vector<int64_t> whole = shape;
    whole.push_back(each);
    return add_constant(values, kernel.name + name, type, whole,
                        to_constant(make_tensor(type, whole, numbers)));
  };
  op.constant = constant("/scale", Type::f32, 1, scales);
  op.float_line = constant("/line", Type::i32, isa::kFloatLineParts, parts);
  // What the row computes, near or not: the constants are read so.
  const auto at_point = [&](int64_t which) {
    std::vector<Index> place = op.point;
    place.emplace_back(which);
    return place;
  };
  const auto part = [&](int which) {
    return Expr::load(op.float_line, Type::i32, at_point(which));
  };
  const isa::LineParts limits = [&](isa::LinePart which) {
    return part(which == isa::kLineLeast ? isa::kFloatLeast : isa::kFloatGreatest);
  };
  const Expr position = isa::quantised_position(
      number, Expr::load(op.constant, Type::f32, at_point(0)), part(isa::kFloatOffset));
  const Expr reach = part(isa::kFloatReach),
             near = isa::line_is_near(position + reach, reach + reach);
  const Expr doubt = Expr::binary(Binary::logical_or, near, Expr::unary(Unary::is_nan, number));
  out.said = Expr::select(doubt, value, isa::line_byte(position, limits, value.type()));
  return out;
}

}  // namespace burin
