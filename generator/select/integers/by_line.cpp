#include "select/integers/by_line.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "isa/all_rows.h"
#include "isa/byte_rows.h"
#include "isa/requantise_rows.h"
#include "kernel/expr/expr_axes.h"
#include "select/bytes/known_rows.h"
#include "select/bytes/line.h"
#include "select/bytes/values_over.h"
#include "select/integers/by_table.h"
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
    if (isa::is_named(*row, one.instruction)) return row;
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

namespace {

// What lines are of, over which axes.
struct LineOf {
  Expr sum;   // in the kernel: the product's let, or that less what it lacks
  Expr byte;  // of a let alone, which stands for the sum
  int let = 0;
  std::vector<int> axes;
  size_t along = 1;  // points of the last axis, where that has the lanes
};

// The product's let, or the difference whose first operand it is.
Expr sum_in(const Expr& byte, const IntegerPlan& plan, bool corrected) {
  Expr found;
  rewrite(
      byte,
      [&](const Expr& expr) {
        const bool lacks =
            expr.kind() == ExprKind::binary && expr->binary() == Binary::sub && corrected;
        const Expr& first = lacks ? expr->operands[0] : expr;
        const bool is_product = first.kind() == ExprKind::let && first->id == plan.product;
        if (is_product && !found && (lacks || !corrected)) found = expr;
        return expr;
      },
      [](const Index& index) { return index; });
  return found;
}

// Lines of the product, with a constant factor a. What else it lacks are steps of the lines.
LineOf of_product(const Expr& byte, const IntegerPlan& plan) {
  LineOf out{sum_in(byte, plan, false), byte, plan.product, plan.batch};
  if (plan.m >= 0) out.axes.push_back(plan.m);
  return out;
}

// Lines of the corrected sum. nullopt: constants move with axes that lines cannot have.
std::optional<LineOf> of_corrected(const Expr& byte, const IntegerPlan& plan) {
  const bool lacks = plan.missing_rows || plan.missing_columns;
  LineOf out;
  out.sum = sum_in(byte, plan, lacks);
  if (!out.sum || plan.order != isa::LaneOrder::in_a_row) return std::nullopt;
  out.let = static_cast<int>(plan.kernel.lets.size());
  out.byte = replaced(byte, out.sum, Expr::let(out.let, Type::i32, {}));
  const std::vector<int> moving = axes_of(out.byte);
  const auto moves = [&](int axis) { return axis >= 0 && contains(moving, axis); };
  for (const int axis : plan.batch) {
    if (moves(axis)) out.axes.push_back(axis);
  }
  if (moves(plan.m)) out.axes.push_back(plan.m);
  if (moves(plan.n)) {
    if (plan.window || plan.b.packed == kNoValue || !plan.columns.is_constant())
      return std::nullopt;
    out.axes.push_back(plan.n);
    out.along = static_cast<size_t>(plan.columns.constant());
  }
  if (out.axes.size() != moving.size()) return std::nullopt;
  for (const int axis : out.axes) {
    if (!plan.kernel.axes[at(axis)].extent.is_constant()) return std::nullopt;
  }
  return out;
}

// Bytes of no more than this many products, each at its greatest.
std::optional<int64_t> bound_of_depth(const IntegerPlan& plan) {
  const Dim depth = plan.groups * plan.group;
  constexpr int64_t kMostProduct = 255 * 255, kMostDepth = int64_t{1} << 31;
  if (!depth.is_constant() || depth.constant() > kMostDepth / kMostProduct) return std::nullopt;
  return depth.constant() * kMostProduct;
}

class LineAdder {
 public:
  LineAdder(IntegerPlan& plan, std::vector<Value>& values, const LineOf& of, const SumLines& lines)
      : plan_(plan), values_(values), of_(of), lines_(lines) {}

  // Constants of the lines; the position and what is read of it as expressions.
  void add(ByLine& out) {
    std::vector<int64_t> shape = lines_.extents;
    if (of_.along > 1) {
      shape.pop_back();
      out.along = add_along(shape);
    }
    const std::vector<int64_t> points = shape;
    std::vector<int32_t> parts, limits;
    for (size_t p = 0; p < lines_.parts.size() / isa::kLineParts; p += of_.along) {
      parts.insert(parts.end(),
                   lines_.parts.begin() + static_cast<std::ptrdiff_t>(p * isa::kLineParts),
                   lines_.parts.begin() + static_cast<std::ptrdiff_t>((p + 1) * isa::kLineParts));
      if (!lines_.limits.empty())
        limits.insert(limits.end(), lines_.limits.begin() + static_cast<std::ptrdiff_t>(2 * p),
                      lines_.limits.begin() + static_cast<std::ptrdiff_t>(2 * p + 2));
    }
    shape.push_back(isa::kLineParts);
    out.lines = constant("/lines", shape, parts);
    if (!limits.empty()) {
      shape.back() = 2;
      out.limits = constant("/limits", shape, limits);
    }
    for (const int axis : of_.axes) {
      if (of_.along == 1 || axis != plan_.n) out.axes.push_back(axis);
    }
  }

  // What the line says of the sum, near to an end the byte by floats.
  Expr either(const ByLine& line) const {
    const auto read = [&](ValueId from, std::initializer_list<Index> more) {
      std::vector<Index> place;
      for (const int axis : line.axes) place.push_back(index_of(axis));
      place.insert(place.end(), more);
      return Expr::load(from, Type::i32, place);
    };
    const isa::LineParts part = [&](isa::LinePart which) {
      if (line.along == kNoValue || (which != isa::kLineFactor && which != isa::kLineOffset))
        return read(line.lines, {which});
      const Index column = index_of(plan_.n);
      return read(line.along, {floordiv(column, plan_.lanes), which - isa::kLineFactor,
                               mod(column, plan_.lanes)});
    };
    Expr sum = of_.sum;
    if (line.limits != kNoValue)
      sum = min(max(sum, read(line.limits, {0})), read(line.limits, {1}));
    const Expr position = isa::line_position(sum, part);
    return Expr::select(isa::line_is_near(position, part(isa::kLineNear)), line.byte,
                        isa::line_byte(position, part, lines_.type));
  }

 private:
  Index index_of(int axis) const { return Index::axis(axis, plan_.kernel.axes[at(axis)].extent); }
  ValueId constant(const char* name, const std::vector<int64_t>& shape,
                   const std::vector<int32_t>& numbers) {
    std::vector<std::byte> bytes(numbers.size() * sizeof(int32_t));
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return add_constant(values_, plan_.kernel.name + name, Type::i32, shape,
                        make_constant(std::move(bytes)));
  }
  // [points][vectors of whole tiles][factor, offset][lanes].
  ValueId add_along(std::vector<int64_t> shape) {
    const auto lanes = static_cast<size_t>(plan_.lanes);
    const auto tile = static_cast<size_t>(plan_.tile_columns());
    const size_t vectors = (of_.along + tile - 1) / tile * tile / lanes;
    const size_t points = lines_.parts.size() / isa::kLineParts / of_.along;
    std::vector<int32_t> numbers(points * vectors * isa::kAlongParts * lanes, 1);
    for (size_t p = 0; p < points; ++p) {
      for (size_t n = 0; n < of_.along; ++n) {
        const int32_t* const from = &lines_.parts[(p * of_.along + n) * isa::kLineParts];
        const size_t vector = (p * vectors + n / lanes) * isa::kAlongParts;
        for (size_t part = 0; part < isa::kAlongParts; ++part)
          numbers[(vector + part) * lanes + n % lanes] = from[isa::kLineFactor + part];
      }
    }
    shape.insert(shape.end(), {static_cast<int64_t>(vectors), isa::kAlongParts, plan_.lanes});
    return constant("/along", shape, numbers);
  }

  IntegerPlan& plan_;
  std::vector<Value>& values_;
  const LineOf& of_;
  const SumLines& lines_;
};

// Whether bytes have the limits of their type only.
bool has_no_limits(const SumLines& lines) {
  for (size_t p = 0; p < lines.parts.size(); p += isa::kLineParts) {
    if (lines.parts[p + isa::kLineLeast] > lowest(lines.type) ||
        lines.parts[p + isa::kLineGreatest] < highest(lines.type))
      return false;
  }
  return true;
}

}  // namespace

std::optional<ByLine> find_by_line(IntegerPlan& plan, const std::vector<int64_t>& bounds,
                                   std::vector<Value>& values, const Hardware& hardware) {
  Expr& written = plan.kernel.writes[0].value;
  const Expr byte = byte_of_sum(written);
  const isa::Instruction* row = row_for(byte, plan, hardware);
  if (row == nullptr) return find_by_table(plan, values, hardware);
  if (plan.vectors % vectors_by_line(plan, hardware) != 0) return std::nullopt;
  ByLine out;
  std::optional<LineOf> of;
  std::optional<SumLines> lines;
  if (!bounds.empty()) {
    of = of_product(byte, plan);
    lines = find_lines(byte, plan.kernel, of->let, of->axes, bounds, values);
  }
  if (!lines) {
    of = of_corrected(byte, plan);
    const std::optional<int64_t> bound = bound_of_depth(plan);
    if (!of || !bound) return std::nullopt;
    size_t points = 1;
    for (const int axis : of->axes)
      points *= static_cast<size_t>(plan.kernel.axes[at(axis)].extent.constant());
    lines = find_lines(of->byte, plan.kernel, of->let, of->axes,
                       std::vector<int64_t>(points, *bound), values, of->along);
    out.corrected = plan.missing_rows || plan.missing_columns;
  }
  if (!lines || lines->type != row->values[0].type ||
      (!lines->limits.empty() && !has_row(hardware, isa::kLineInstruction)))
    return std::nullopt;
  const bool whole = has_no_limits(*lines);
  for (const int vectors : {isa::kRequantisedVectors, 3, 2}) {
    for (const isa::Doubts doubts : {isa::Doubts::marks, isa::Doubts::lowest})
      out.rows[{vectors, doubts}] = isa::find_row(
          of->along > 1 ? isa::requantise_along_name(byte->storage, vectors, whole, doubts)
                        : isa::requantise_name(byte->storage, plan.order, vectors, whole, doubts));
  }
  out.exact = written;
  out.byte = byte;
  LineAdder adder(plan, values, *of, *lines);
  adder.add(out);
  const Expr either = adder.either(out);
  if (!(byte == written)) {
    ByteLanes& lanes = out.lanes;
    lanes = {{plan.n}, byte};
    // Columns of a block are those of a tile, in order.
    if (!plan.window && plan.n >= 0 && plan.b.packed != kNoValue && plan.columns.is_constant()) {
      lanes.along = plan.n;
      lanes.step = std::gcd(plan.tile_columns(), isa::kBytesAtOnce);
    }
    if (plan.window) lanes.axes = {plan.window->rows.output, plan.window->columns.output};
    out.rest = find_byte_ops(written, plan.kernel, lanes, values, hardware);
    if (out.rest) out.exact = written = out.rest->value;
  }
  written = replaced(written, byte, either);
  return out;
}

}  // namespace burin
