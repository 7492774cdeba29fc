#include "select/integers/by_line.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "isa/all_rows.h"
#include "isa/byte_rows.h"
#include "isa/requantise_rows.h"
#include "select/bytes/known_rows.h"
#include "select/bytes/line.h"
#include "select/bytes/values_over.h"
#include "support/at.h"

namespace burin {
namespace {

// The innermost byte that is made of the sum; empty: there is none.
Expr byte_of_sum(const Expr& value) {
  Expr found;
  const auto has_sum = [](const Expr& expr) {
    bool has = false;
    visit(expr, [&](const ExprNode& node) { has = has || node.kind == ExprKind::let; });
    return has;
  };
  rewrite(
      value,
      [&](const Expr& expr) {
        const bool byte = expr.kind() == ExprKind::cast && expr->mode == CastMode::saturate &&
                          (expr->storage == Type::u8 || expr->storage == Type::i8);
        if (byte && !found && has_sum(expr)) found = expr;
        return expr;
      },
      [](const Index& index) { return index; });
  return found;
}

const isa::Instruction* row_for(const Expr& byte, const IntegerPlan& plan,
                                const Hardware& hardware) {
  if (!byte || plan.lanes != isa::kRequantisedLanes) return nullptr;
  const isa::Instruction* row = isa::find_row(isa::requantise_name(byte->storage, plan.order));
  for (const RowTiming& one : hardware.rows) {
    if (one.instruction == row->instruction) return row;
  }
  return nullptr;
}

}  // namespace

int vectors_by_line(const IntegerPlan& plan, const Hardware& hardware) {
  const Expr byte = byte_of_sum(plan.kernel.writes[0].value);
  if (row_for(byte, plan, hardware) == nullptr) return 1;
  const bool halves = isa::find_row(isa::requantise_name(byte->storage, plan.order, 2)) != nullptr;
  return halves ? 2 : isa::kRequantisedVectors;
}

std::vector<int64_t> bounds_of_sums(const FactorNumbers& factor, size_t depths, int32_t offset,
                                    Type other) {
  const int64_t most = std::max(-lowest(other), highest(other));
  size_t depth = 1;
  for (size_t d = factor.extents.size() - depths; d < factor.extents.size(); ++d)
    depth *= static_cast<size_t>(factor.extents[d]);
  std::vector<int64_t> out(factor.numbers.size() / std::max<size_t>(1, depth));
  for (size_t point = 0; point < out.size(); ++point) {
    for (size_t k = 0; k < depth; ++k)
      out[point] += std::abs(int64_t{factor.numbers[point * depth + k]} - offset) * most;
  }
  return out;
}

std::optional<ByLine> find_by_line(IntegerPlan& plan, const std::vector<int64_t>& bounds,
                                   std::vector<Value>& values, const Hardware& hardware) {
  Expr& written = plan.kernel.writes[0].value;
  const Expr byte = byte_of_sum(written);
  const isa::Instruction* row = row_for(byte, plan, hardware);
  if (row == nullptr || plan.vectors % vectors_by_line(plan, hardware) != 0) return std::nullopt;
  ByLine out;
  out.row = row;
  out.half = isa::find_row(isa::requantise_name(byte->storage, plan.order, 2));
  out.any = isa::find_row(isa::kAnyRow);
  out.exact = written;
  out.byte = byte;
  out.axes = plan.batch;
  if (plan.m >= 0) out.axes.push_back(plan.m);
  const std::optional<SumLines> lines =
      find_lines(byte, plan.kernel, plan.product, out.axes, bounds, values);
  if (!lines || lines->type != row->values[0].type ||
      (!lines->limits.empty() && !has_row(hardware, isa::kLineInstruction)))
    return std::nullopt;
  std::vector<int64_t> shape = lines->extents;
  shape.push_back(isa::kLineParts);
  std::vector<std::byte> bytes(lines->parts.size() * sizeof(int32_t));
  std::memcpy(bytes.data(), lines->parts.data(), bytes.size());
  out.lines = add_constant(values, plan.kernel.name + "/lines", Type::i32, shape,
                           make_constant(std::move(bytes)));
  if (!lines->limits.empty()) {
    shape.back() = 2;
    std::vector<std::byte> limits(lines->limits.size() * sizeof(int32_t));
    std::memcpy(limits.data(), lines->limits.data(), limits.size());
    out.limits = add_constant(values, plan.kernel.name + "/limits", Type::i32, shape,
                              make_constant(std::move(limits)));
  }
  std::vector<Index> point;
  for (const int axis : out.axes)
    point.push_back(Index::axis(axis, plan.kernel.axes[at(axis)].extent));
  const isa::LineParts part = [&](isa::LinePart which) {
    std::vector<Index> place = point;
    place.emplace_back(which);
    return Expr::load(out.lines, Type::i32, place);
  };
  Expr sum;
  visit(byte, [&](const ExprNode& node) {
    if (node.kind == ExprKind::let) sum = Expr::let(node.id, node.type, node.at, node.component);
  });
  if (out.limits != kNoValue) {
    const auto limit = [&](int which) {
      std::vector<Index> place = point;
      place.emplace_back(which);
      return Expr::load(out.limits, Type::i32, place);
    };
    sum = min(max(sum, limit(0)), limit(1));
  }
  const Expr position = isa::line_position(sum, part);
  const Expr either = Expr::select(isa::line_is_near(position, part), byte,
                                   isa::line_byte(position, part, lines->type));
  if (!(byte == written)) {
    ByteLanes lanes{{plan.n}, byte};
    if (plan.window) lanes.axes = {plan.window->rows.output, plan.window->columns.output};
    out.rest = find_byte_ops(written, plan.kernel, lanes, values, hardware);
    if (out.rest) out.exact = written = out.rest->value;
  }
  written = rewrite(
      written, [&](const Expr& expr) { return expr == byte ? either : expr; },
      [](const Index& index) { return index; });
  return out;
}

}  // namespace burin
