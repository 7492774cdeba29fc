#include "select/bytes/byte_ops.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "isa/all_rows.h"
#include "isa/byte_rows.h"
#include "isa/quantise_rows.h"
#include "isa/requantise_rows.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/tensor.h"
#include "select/bytes/known_rows.h"
#include "select/bytes/values_over.h"
#include "support/at.h"

namespace burin {
namespace {

constexpr size_t kMostLineOperands = 8;
constexpr int64_t kMostTableBytes = 64 << 10, kMostLinePoints = 4096;
constexpr int64_t kByteValues = 256;

class ByteOpFinder {
 public:
  ByteOpFinder(const Kernel& kernel, const ByteLanes& lanes, std::vector<Value>& values)
      : kernel_(kernel), lanes_(lanes), values_(values) {}

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
  bool moves(const Expr& expr) const {
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
        out.plain = out.plain && !moves_by_itself(one);
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
    if (parts.leaves.empty() && parts.floats.size() == 1 && parts.selectors.empty() &&
        add_floats(value, *parts.floats.begin()))
      return true;
    if (parts.leaves.size() == 1 && parts.floats.empty() && parts.selectors.empty())
      return add_table(value, *parts.leaves.begin());
    std::vector<Expr> operands;
    collect_operands(value, operands);
    if (operands.empty() || operands.size() > kMostLineOperands) return false;
    for (const Expr& one : operands) {
      if (!add(one)) return false;
    }
    // What is left of it besides its operands.
    Expr rest = value;
    for (size_t k = 0; k < operands.size(); ++k)
      rest = with(rest, operands[k], standing_for(operands[k], k));
    std::set<Expr> selectors;
    bool bytes = true;
    visit_loads(rest, [&](const Expr& load) {
      if (values_[at(load->id)].kind == ValueKind::constant) return;
      selectors.insert(load);
      bytes = bytes && is_byte(load->storage);
    });
    if (!bytes) return false;
    if (operands.size() == 1 && selectors.empty()) return add_table(value, operands[0]);
    return selectors.size() <= 1 && add_line(value, operands, selectors);
  }
  template <class Visit>
  static void visit_loads(const Expr& expr, const Visit& see) {
    if (expr.kind() == ExprKind::load && expr->id >= 0) see(expr);
    for (const Expr& one : expr->operands) visit_loads(one, see);
  }
  static Expr with(const Expr& expr, const Expr& from, const Expr& to) {
    return rewrite(
        expr, [&](const Expr& one) { return one == from ? to : one; },
        [](const Index& index) { return index; });
  }
  // An operand, as something that no load of the kernel is.
  static Expr standing_for(const Expr& operand, size_t number) {
    return Expr::load(-2 - static_cast<int>(number), operand.type(), {});
  }

  // A byte that axis number `axis` counts.
  static Expr counted(Type type, int axis) {
    return Expr::cast(type, Expr::index(Index::axis(axis, kByteValues) + lowest(type)));
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
    const Expr rest = with(value, operand, counted(from, axis));
    std::vector<int> axes;
    if (!find_points(with(value, operand, standing_for(operand, 0)), axes, kMostTableBytes / 256))
      return false;
    ByteOp op;
    op.exact = value;
    op.operands = {operand};
    op.point = place_of(axes);
    op.table = isa::find_row(isa::look_up_name(from, to));
    axes.push_back(axis);
    const HostTensor numbers = values_over(rest, kernel, axes, values_);
    // By the byte's bits, not by its number.
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
      rest = with(rest, operands[k], standing_for(operands[k], k));
    Expr selector;
    if (!selectors.empty()) {
      selector = *selectors.begin();
      rest = with(rest, selector, Expr::constant(selector.type(), 0));
    }
    if (!find_points(rest, axes, kMostLinePoints / (selector ? kByteValues : 1))) return false;
    ByteOp op;
    op.exact = value;
    op.operands = operands;
    op.point = place_of(axes);
    if (selector) {
      const int axis = add_byte_axis(kernel);
      counted_value = with(value, selector, counted(selector.type(), axis));
      axes.push_back(axis);
      const Expr wide = Expr::cast(Type::i64, selector);
      op.point.push_back(
          Index::data(wide.ptr(), {lowest(selector.type()), highest(selector.type())}) -
          lowest(selector.type()));
    }
    const FormContext context{&kernel, &values_, axes, operands};
    const std::optional<RealForm> form = real_form_of(counted_value, context);
    if (!form) return false;
    std::optional<FixedLine> line =
        fixed_line_of(*form, operands, [&](const std::vector<ByteCombination>& all) {
          return exact_bytes(counted_value, kernel, axes, operands, all);
        });
    if (!line) return false;
    std::vector<std::byte> bytes(line->parts.size() * sizeof(int32_t));
    std::memcpy(bytes.data(), line->parts.data(), bytes.size());
    op.constant = add_points("/line", Type::i32, kernel, axes, line->size, std::move(bytes));
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
    Expr position = part(0);
    for (const FixedLine::Stage& stage : line.stages) {
      if (stage.operand < 0) {
        position = min(max(position, part(stage.part)), part(stage.part + 1));
      } else {
        const Expr& byte = said_.at(op.operands[at(stage.operand)]);
        position = position + part(stage.part) * Expr::cast(Type::i32, byte);
      }
    }
    const Expr byte = isa::byte_of_line(position, part(line.end), part(line.end + 1),
                                        part(line.end + 2), op.exact.type());
    if (line.sure) return byte;
    return Expr::select(isa::is_near_line(position, part(line.near), part(line.near + 1)), op.exact,
                        byte);
  }

  bool add_floats(const Expr& value, const Expr& number) {
    const std::optional<FloatLine> line = find_float_line(value, number, kernel_, values_);
    if (!line) return false;
    ByteOp op;
    op.exact = value;
    op.operands = {number};
    op.floats = line;
    const auto constant = [&](const char* name, Type type, const HostTensor& tensor) {
      return add_constant(values_, kernel_.name + name, type, {tensor.elements()},
                          to_constant(tensor));
    };
    HostTensor scale = make_tensor(Type::f32, {1});
    scale.set(0, {line->scale, 0});
    op.constant = constant("/scale", Type::f32, scale);
    const std::vector<int64_t> all{line->offset, line->reach, line->least, line->greatest};
    op.float_line =
        constant("/line", Type::i32, make_tensor(Type::i32, {isa::kFloatLineParts}, all));
    // What the row computes, near or not: the constants are read so.
    const auto part = [&](int which) { return Expr::load(op.float_line, Type::i32, {which}); };
    const isa::LineParts parts = [&](isa::LinePart which) {
      return part(which == isa::kLineReach   ? isa::kFloatReach
                  : which == isa::kLineLeast ? isa::kFloatLeast
                                             : isa::kFloatGreatest);
    };
    const Expr position = isa::quantised_position(number, Expr::load(op.constant, Type::f32, {0}),
                                                  part(isa::kFloatOffset));
    const Expr doubt = Expr::binary(Binary::logical_or, isa::line_is_near(position, parts),
                                    Expr::unary(Unary::is_nan, number));
    said_[value] = Expr::select(doubt, value, isa::line_byte(position, parts, value.type()));
    out_.ops.push_back(std::move(op));
    return true;
  }

  // By the interpreter, all at once: operands, and the axes of points, come from constants.
  std::vector<int64_t> exact_bytes(const Expr& value, const Kernel& kernel,
                                   const std::vector<int>& axes, const std::vector<Expr>& operands,
                                   const std::vector<ByteCombination>& all) const {
    const auto count = static_cast<int64_t>(all.size());
    std::vector<Value> values = values_;
    Kernel reading;
    reading.axes = {{count, AxisKind::parallel, {}}};
    const Index n = Index::axis(0, count);
    const auto constant = [&](Type type, const auto& number_of) {
      HostTensor tensor = make_tensor(type, {count});
      for (int64_t i = 0; i < count; ++i) tensor.set(i, {0, number_of(all[at(i)])});
      return Expr::load(add_constant(values, "combinations", type, {count}, to_constant(tensor)),
                        type, {n});
    };
    Expr asked = value;
    std::vector<Expr> stand;
    for (size_t k = 0; k < operands.size(); ++k)
      stand.push_back(
          constant(operands[k].type(), [&](const ByteCombination& one) { return one.bytes[k]; }));
    // Behind the axes, which they would take for theirs.
    std::vector<Index> points(kernel.axes.size(), Index(0));
    int64_t inner = 1;
    for (size_t k = axes.size(); k-- > 0;) {
      const int64_t extent = kernel.axes[at(axes[k])].extent.constant();
      const Expr digit = constant(Type::i64, [&](const ByteCombination& one) {
        return static_cast<int64_t>(one.point) / inner % extent;
      });
      points[at(axes[k])] = Index::data(digit.ptr(), {0, extent - 1});
      inner *= extent;
    }
    for (size_t k = 0; k < operands.size(); ++k)
      asked = with(asked, operands[k], standing_for(operands[k], k));
    asked = substitute_axes(asked, points);
    for (size_t k = 0; k < operands.size(); ++k)
      asked = with(asked, standing_for(operands[k], k), stand[k]);
    const HostTensor got = values_over(asked, reading, {0}, values);
    std::vector<int64_t> out;
    for (int64_t i = 0; i < count; ++i) out.push_back(got.get(i).integer);
    return out;
  }

  const Kernel& kernel_;
  const ByteLanes& lanes_;
  std::vector<Value>& values_;
  ByteOps out_;
  std::map<Expr, Expr> said_;  // bytes, as the kernel says them then
};

}  // namespace

std::optional<ByteOps> find_byte_ops(const Expr& value, const Kernel& kernel,
                                     const ByteLanes& lanes, std::vector<Value>& values,
                                     const Hardware& hardware) {
  if (!has_row(hardware, isa::kTableInstruction) || !has_row(hardware, isa::kLineInstruction))
    return std::nullopt;
  const size_t before = values.size();
  std::optional<ByteOps> out = ByteOpFinder(kernel, lanes, values).run(value);
  // Constants that nothing reads then.
  if (!out) values.resize(before);
  return out;
}

}  // namespace burin
