#include "select/bytes/byte_ops.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "isa/all_rows.h"
#include "isa/byte_rows.h"
#include "isa/digit_rows.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/tensor.h"
#include "select/bytes/digit_op.h"
#include "select/bytes/exact_bytes.h"
#include "select/bytes/float_op.h"
#include "select/bytes/known_rows.h"
#include "select/bytes/lanes_of_line.h"
#include "select/bytes/product_op.h"
#include "select/bytes/values_over.h"
#include "support/at.h"

namespace burin {
namespace {

constexpr size_t kMostLineOperands = 8;
constexpr int64_t kMostTableBytes = 64 << 10, kMostLinePoints = 4096;
constexpr int64_t kByteValues = 256;

std::vector<std::byte> bytes_of(const std::vector<int32_t>& words) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(words));
  return {bytes.begin(), bytes.end()};
}

class ByteOpFinder {
 public:
  ByteOpFinder(const Kernel& kernel, const ByteLanes& lanes, std::vector<Value>& values,
               const Hardware& hardware)
      : kernel_(kernel),
        lanes_(lanes),
        values_(values),
        has_lines_(has_row(hardware, isa::kLineInstruction)),
        has_digits_(has_row(hardware, isa::kDigitInstruction)) {}

  std::optional<ByteOps> run(const Expr& value) {
    if (!is_byte(value.type()) || is_leaf(value) || !add(value)) return std::nullopt;
    out_.value = said_.at(value);
    return out_;
  }

 private:
  // --- What an expression is made of ---
  bool is_leaf(const Expr& expr) const {
    if (lanes_.given && expr == lanes_.given) return true;
    return expr.kind() == ExprKind::load && expr->id >= 0 && is_byte(expr->storage) &&
           expr.type() == expr->storage && values_[at(expr->id)].kind != ValueKind::constant &&
           moves_by_itself(expr);
  }
  bool is_float_leaf(const Expr& expr) const {
    return expr.kind() == ExprKind::load && expr->id >= 0 && expr->storage == Type::f32 &&
           expr.type() == Type::f32 && values_[at(expr->id)].kind != ValueKind::constant &&
           moves_by_itself(expr);
  }
  bool moves_by_itself(const Expr& expr) const {
    const std::vector<int> axes = axes_of(expr);
    return std::any_of(axes.begin(), axes.end(),
                       [this](int axis) { return contains(lanes_.axes, axis); });
  }
  bool moves_along_only(const Expr& expr) const {
    const std::vector<int> axes = axes_of(expr);
    return std::all_of(axes.begin(), axes.end(), [this](int axis) {
      return axis == lanes_.along || !contains(lanes_.axes, axis);
    });
  }
  // Whether constants outside of leaves differ from lane to lane.
  bool has_along(const Expr& expr) const {
    bool found = false;
    walk(expr, [&](const Expr& one) {
      found = found || (one.kind() == ExprKind::load && one->id >= 0 && !is_leaf(one) &&
                        values_[at(one->id)].kind == ValueKind::constant && moves_by_itself(one));
    });
    return found;
  }
  bool moves(const Expr& expr) const {
    if (is_of_constants(expr, values_)) return false;
    bool found = moves_by_itself(expr);
    if (lanes_.given && !found)
      walk(expr, [&](const Expr& one) { found = found || one == lanes_.given; });
    return found;
  }
  // Every node but those inside of leaves.
  template <class Visit>
  void walk(const Expr& expr, const Visit& see) const {
    see(expr);
    if (is_leaf(expr)) return;
    for (const Expr& one : expr->operands) walk(one, see);
  }
  struct Parts {
    std::set<Expr> leaves, floats, selectors;
    bool plain = true;  // nothing else arrives as the tree runs
  };
  Parts parts_of(const Expr& expr) const {
    Parts out;
    walk(expr, [&](const Expr& one) {
      if (is_leaf(one)) {
        out.leaves.insert(one);
        return;
      }
      if (is_float_leaf(one)) {
        out.floats.insert(one);
        return;
      }
      // Of indices from data nothing is known here.
      for (const Index& index : one->at) out.plain = out.plain && !index.has_data();
      if (one.kind() == ExprKind::load && values_[at(one->id)].kind != ValueKind::constant) {
        out.plain = out.plain && is_byte(one->storage) && one.type() == one->storage;
        out.selectors.insert(one);
      }
      const bool known = one.kind() != ExprKind::let && one.kind() != ExprKind::cases &&
                         one.kind() != ExprKind::index;
      out.plain = out.plain && known;
      if (one.kind() == ExprKind::load && values_[at(one->id)].kind == ValueKind::constant)
        out.plain = out.plain && moves_along_only(one);
    });
    return out;
  }
  // The bytes that an expression is made of directly.
  void collect_operands(const Expr& expr, std::vector<Expr>& operands) const {
    for (const Expr& one : expr->operands) {
      const bool byte =
          is_leaf(one) || (one.kind() == ExprKind::cast && one->mode == CastMode::saturate &&
                           is_byte(one->storage) && moves(one));
      if (!byte) {
        collect_operands(one, operands);
      } else if (std::find(operands.begin(), operands.end(), one) == operands.end()) {
        operands.push_back(one);
      }
    }
  }

  // --- Operations ---
  bool add(const Expr& value) {
    if (said_.contains(value)) return true;
    if (is_leaf(value)) {
      said_[value] = value;
      return true;
    }
    const Parts parts = parts_of(value);
    if (!parts.plain || parts.leaves.size() + parts.floats.size() == 0) return false;
    if (has_lines_ && parts.leaves.empty() && parts.floats.size() == 1 && parts.selectors.empty() &&
        take(value, find_float_op(value, *parts.floats.begin(), kernel_, lanes_.axes, values_)))
      return true;
    if (parts.leaves.size() == 1 && parts.floats.empty() && parts.selectors.empty() &&
        !has_along(value) && add_table(value, *parts.leaves.begin()))
      return true;
    if (const Expr only = byte_behind(value); only && add_table(value, only)) return true;
    std::vector<Expr> operands;
    collect_operands(value, operands);
    if (operands.empty() || operands.size() > kMostLineOperands) return false;
    for (const Expr& one : operands) {
      if (!add(one)) return false;
    }
    // What is left of it besides its operands.
    Expr rest = value;
    for (size_t k = 0; k < operands.size(); ++k)
      rest = replaced(rest, operands[k], standing_for(operands[k], k));
    std::set<Expr> selectors;
    bool bytes = true;
    visit_loads(rest, [&](const Expr& load) {
      if (values_[at(load->id)].kind == ValueKind::constant) return;
      selectors.insert(load);
      bytes = bytes && is_byte(load->storage);
    });
    if (!bytes) return false;
    if (operands.size() == 1 && selectors.empty() && !has_along(rest) &&
        add_table(value, operands[0]))
      return true;
    if (has_lines_ && operands.size() == 2 && selectors.empty() &&
        take(value, find_product_op(value, operands, said_, kernel_, values_)))
      return true;
    return has_lines_ && selectors.size() <= 1 && add_line(value, operands, selectors);
  }
  // A byte on the way that all of the value is made of, and of constants that are the same for all
  // lanes; the outermost one. Empty: there is none.
  Expr byte_behind(const Expr& value) const {
    std::vector<Expr> next(value->operands.begin(), value->operands.end());
    std::set<Expr> seen;
    for (size_t k = 0; k < next.size(); ++k) {
      const Expr one = next[k];
      if (is_leaf(one) || !seen.insert(one).second) continue;
      next.insert(next.end(), one->operands.begin(), one->operands.end());
      if (one.kind() != ExprKind::cast || one->mode != CastMode::saturate ||
          !is_byte(one->storage) || !moves(one))
        continue;
      const Expr rest = replaced(value, one, Expr::constant(one.type(), 0));
      const Parts parts = parts_of(rest);
      if (parts.plain && parts.leaves.empty() && parts.floats.empty() && parts.selectors.empty() &&
          !has_along(rest))
        return one;
    }
    return {};
  }
  template <class Visit>
  static void visit_loads(const Expr& expr, const Visit& see) {
    if (expr.kind() == ExprKind::load && expr->id >= 0) see(expr);
    for (const Expr& one : expr->operands) visit_loads(one, see);
  }
  int add_byte_axis(Kernel& kernel) const {
    kernel.axes.push_back({kByteValues, AxisKind::parallel, {}});
    return static_cast<int>(kernel.axes.size()) - 1;
  }
  std::vector<Index> place_of(const std::vector<int>& axes) const {
    std::vector<Index> out;
    for (const int axis : axes) out.push_back(Index::axis(axis, kernel_.axes[at(axis)].extent));
    return out;
  }
  // Axes that constants move with; false: their points are not known or too many.
  bool find_points(const Expr& rest, std::vector<int>& axes, int64_t most) const {
    axes = axes_of(rest);
    int64_t count = 1;
    for (const int axis : axes) {
      const Dim& extent = kernel_.axes[at(axis)].extent;
      if (!extent.is_constant()) return false;
      count *= extent.constant();
      if (count > most) return false;
    }
    return true;
  }

  bool add_table(const Expr& value, const Expr& operand) {
    if (!add(operand)) return false;
    const Type from = operand.type(), to = value.type();
    Kernel kernel = kernel_;
    const int axis = add_byte_axis(kernel);
    const Expr rest = replaced(value, operand, counted_byte(from, axis));
    std::vector<int> axes;
    if (!find_points(replaced(value, operand, standing_for(operand, 0)), axes,
                     kMostTableBytes / 256))
      return false;
    ByteOp op;
    op.exact = value;
    op.operands = {operand};
    op.point = place_of(axes);
    op.table = isa::find_row(isa::look_up_name(from, to));
    axes.push_back(axis);
    const HostTensor numbers = values_over(rest, kernel, axes, values_);
    std::vector<std::byte> bytes(static_cast<size_t>(numbers.elements()));
    for (int64_t i = 0; i < numbers.elements(); ++i) {
      const int64_t number = i % kByteValues + lowest(from);
      const int64_t place = i - i % kByteValues + (number & 255);
      bytes[static_cast<size_t>(place)] = static_cast<std::byte>(numbers.get(i).integer & 255);
    }
    axes.pop_back();
    op.constant = add_points("/table", to, kernel, axes, kByteValues, std::move(bytes));
    const Expr byte = Expr::cast(Type::i64, said_.at(operand));
    std::vector<Index> place = op.point;
    place.push_back(mod(Index::data(byte.ptr(), {lowest(from), highest(from)}), kByteValues));
    said_[value] = Expr::load(op.constant, to, place);
    out_.ops.push_back(std::move(op));
    return true;
  }
  ValueId add_points(const char* name, Type type, const Kernel& kernel,
                     const std::vector<int>& axes, int64_t size, std::vector<std::byte> bytes) {
    std::vector<int64_t> shape;
    for (const int axis : axes) shape.push_back(kernel.axes[at(axis)].extent.constant());
    shape.push_back(size);
    return add_constant(values_, kernel_.name + name, type, shape, make_constant(std::move(bytes)));
  }

  bool add_line(const Expr& value, const std::vector<Expr>& operands,
                const std::set<Expr>& selectors) {
    Kernel kernel = kernel_;
    Expr counted_value = value;
    std::vector<int> axes;
    Expr rest = value;
    for (size_t k = 0; k < operands.size(); ++k)
      rest = replaced(rest, operands[k], standing_for(operands[k], k));
    Expr selector;
    if (!selectors.empty()) {
      selector = *selectors.begin();
      rest = replaced(rest, selector, Expr::constant(selector.type(), 0));
    }
    if (!find_points(rest, axes, kMostLinePoints / (selector ? kByteValues : 1))) return false;
    ByteOp op;
    op.exact = value;
    op.operands = operands;
    const bool along = contains(axes, lanes_.along);
    if (along) {
      if (selector) return false;
      axes.erase(std::find(axes.begin(), axes.end(), lanes_.along));
    }
    op.point = place_of(axes);
    if (along) axes.push_back(lanes_.along);
    if (selector) {
      const int axis = add_byte_axis(kernel);
      counted_value = replaced(value, selector, counted_byte(selector.type(), axis));
      axes.push_back(axis);
      const Expr wide = Expr::cast(Type::i64, selector);
      op.point.push_back(
          Index::data(wide.ptr(), {lowest(selector.type()), highest(selector.type())}) -
          lowest(selector.type()));
    }
    const FormContext context{&kernel, &values_, axes, operands};
    const std::optional<RealForm> form = real_form_of(counted_value, context);
    if (!form) return false;
    if (has_digits_ && !along &&
        take(value, find_digit_op(*form, op, counted_value, kernel, axes, said_, values_)))
      return true;
    std::optional<FixedLine> line =
        fixed_line_of(*form, operands, [&](const std::vector<ByteCombination>& all) {
          return exact_bytes(counted_value, kernel, axes, operands, all, values_);
        });
    if (!line || (along && !add_along(op, *line, kernel, axes))) return false;
    if (along) axes.pop_back();
    op.constant = add_points("/line", Type::i32, kernel, axes, line->size, bytes_of(line->parts));
    said_[value] = as_said(op, *line);
    op.line = std::move(line);
    out_.ops.push_back(std::move(op));
    return true;
  }
  Expr as_said(const ByteOp& op, const FixedLine& line) const {
    const auto part = [&](int number) {
      std::vector<Index> place = op.point;
      place.emplace_back(number);
      return Expr::load(op.constant, Type::i32, place);
    };
    const auto part_along = [&](int number) {
      const Index lane = Index::axis(lanes_.along, kernel_.axes[at(lanes_.along)].extent);
      const Index within = mod(lane, lanes_.step);
      std::vector<Index> place = op.point;
      for (const Index& index :
           {floordiv(lane, lanes_.step), Index(number), mod(within, isa::kByteVectors),
            floordiv(within, isa::kByteVectors)})
        place.push_back(index);
      return Expr::load(op.along, Type::i32, place);
    };
    Expr position = op.along_start < 0 ? part(0) : part_along(op.along_start);
    for (size_t s = 0; s < line.stages.size(); ++s) {
      const FixedLine::Stage& stage = line.stages[s];
      if (stage.operand < 0) {
        position = min(max(position, part(stage.part)), part(stage.part + 1));
      } else {
        const Expr& byte = said_.at(op.operands[at(stage.operand)]);
        const bool own = op.along != kNoValue && op.along_stages[s] >= 0;
        const Expr factor = own ? part_along(op.along_stages[s]) : part(stage.part);
        position = position + factor * Expr::cast(Type::i32, byte);
      }
    }
    const Expr byte = isa::byte_of_line(position, part(line.end), part(line.end + 1),
                                        part(line.end + 2), op.exact.type());
    if (line.sure) return byte;
    return Expr::select(isa::is_near_line(position, part(line.near), part(line.near + 1)), op.exact,
                        byte);
  }

  // The lanes of the last axis apart from what they share. false: more differs than can.
  bool add_along(ByteOp& op, FixedLine& line, const Kernel& kernel, const std::vector<int>& axes) {
    const std::optional<LanesOfLine> apart =
        lanes_apart(line, kernel.axes[at(axes.back())].extent.constant(), lanes_.step);
    if (!apart) return false;
    op.along_start = apart->start;
    op.along_stages = apart->stages;
    if (apart->parts == 0) return true;
    std::vector<int64_t> shape;
    for (size_t k = 0; k + 1 < axes.size(); ++k)
      shape.push_back(kernel.axes[at(axes[k])].extent.constant());
    shape.insert(shape.end(), {apart->blocks, apart->parts, isa::kByteVectors, isa::kByteLanes});
    op.along = add_constant(values_, kernel_.name + "/along", Type::i32, shape,
                            make_constant(bytes_of(apart->numbers)));
    return true;
  }

  bool take(const Expr& value, std::optional<SaidByteOp> found) {
    if (!found) return false;
    said_[value] = found->said;
    out_.ops.push_back(std::move(found->op));
    return true;
  }

  const Kernel& kernel_;
  const ByteLanes& lanes_;
  std::vector<Value>& values_;
  const bool has_lines_, has_digits_;
  ByteOps out_;
  std::map<Expr, Expr> said_;  // bytes, as the kernel says them then
};

}  // namespace

std::optional<ByteOps> find_byte_ops(const Expr& value, const Kernel& kernel,
                                     const ByteLanes& lanes, std::vector<Value>& values,
                                     const Hardware& hardware) {
  if (!has_tables(hardware)) return std::nullopt;
  const size_t before = values.size();
  std::optional<ByteOps> out = ByteOpFinder(kernel, lanes, values, hardware).run(value);
  // Constants that nothing reads then.
  if (!out) values.resize(before);
  return out;
}

}  // namespace burin
