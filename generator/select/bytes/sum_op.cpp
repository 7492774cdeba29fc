#include "select/bytes/sum_op.h"

#include "isa/all_rows.h"
#include "isa/requantise_rows.h"
#include "kernel/tensor.h"
#include "select/bytes/float_op.h"
#include "select/bytes/line.h"
#include "select/bytes/values_over.h"
#include "support/at.h"

namespace burin {

bool has_no_limits(const SumLines& lines) {
  for (size_t p = 0; p < lines.parts.size(); p += isa::kLineParts) {
    if (lines.parts[p + isa::kLineLeast] > lowest(lines.type) ||
        lines.parts[p + isa::kLineGreatest] < highest(lines.type))
      return false;
  }
  return true;
}

std::optional<SaidByteOp> find_sum_op(const Expr& value, const Expr& number, const Kernel& kernel,
                                      const std::vector<int>& lanes, std::vector<Value>& values) {
  std::vector<int> axes;
  if (!find_point_axes(replaced(value, number, Expr::constant(Type::i32, 0)), kernel, lanes, axes))
    return std::nullopt;
  std::vector<int64_t> shape;
  size_t points = 1;
  SaidByteOp out;
  ByteOp& op = out.op;
  for (const int axis : axes) {
    const Dim& extent = kernel.axes[at(axis)].extent;
    op.point.push_back(Index::axis(axis, extent));
    shape.push_back(extent.constant());
    points *= static_cast<size_t>(extent.constant());
  }
  const ExprNode* const from = &*number;
  const IsSum is_number = [from](const ExprNode& node) {
    return node.kind == from->kind && node.id == from->id && node.at == from->at;
  };
  constexpr int64_t kAny = int64_t{1} << 31;
  const std::optional<SumLines> lines =
      find_lines(value, kernel, is_number, axes, std::vector<int64_t>(points, kAny), values);
  if (!lines) return std::nullopt;
  const auto constant = [&](const char* name, int64_t each, const std::vector<int32_t>& numbers) {
    std::vector<int64_t> whole = shape;
    whole.push_back(each);
    return add_constant(
        values, kernel.name + name, Type::i32, whole,
        to_constant(
            make_tensor(Type::i32, whole, std::vector<int64_t>(numbers.begin(), numbers.end()))));
  };
  op.exact = value;
  op.operands = {number};
  op.constant = constant("/line", isa::kLineParts, lines->parts);
  if (!lines->limits.empty()) op.sum_limits = constant("/limits", 2, lines->limits);
  bool sure = true;
  for (size_t p = isa::kLineNear; p < lines->parts.size(); p += isa::kLineParts)
    sure = sure && lines->parts[p] == 0;
  op.sum = isa::find_row(isa::requantise_name(lines->type, isa::LaneOrder::in_a_row,
                                              isa::kRequantisedVectors, has_no_limits(*lines),
                                              sure ? isa::Doubts::lowest : isa::Doubts::marks));
  op.sum_is_sure = sure;
  const auto part_of = [&](ValueId of, int64_t which) {
    std::vector<Index> place = op.point;
    place.emplace_back(which);
    return Expr::load(of, Type::i32, place);
  };
  const isa::LineParts part = [&](isa::LinePart which) { return part_of(op.constant, which); };
  Expr limited = number;
  if (op.sum_limits != kNoValue)
    limited = min(max(number, part_of(op.sum_limits, 0)), part_of(op.sum_limits, 1));
  const Expr position = isa::line_position(limited, part);
  out.said = isa::line_byte(position, part, lines->type);
  if (!sure)
    out.said = Expr::select(isa::line_is_near(position, part(isa::kLineNear)), value, out.said);
  return out;
}

}  // namespace burin
