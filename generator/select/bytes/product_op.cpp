#include "select/bytes/product_op.h"

#include <algorithm>
#include <cmath>

#include "isa/requantise_rows.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/tensor.h"
#include "select/bytes/exact_bytes.h"
#include "select/bytes/line.h"
#include "select/bytes/values_over.h"
#include "support/at.h"

namespace burin {
namespace {

constexpr int64_t kByteValues = 256;
// Of the scale and the product of each factor, and of the product of both.
constexpr int kRoundings = 7;
constexpr int64_t kOne = int64_t{1} << isa::kLineFraction;
constexpr int64_t kDoubtIsRare = 64;  // one in so many pairs

// A factor in f32: scale * (byte - zero).
struct Factor {
  double scale = 0;
  int64_t zero = 0;
};

bool is_of(const Expr& expr, const Expr& byte) {
  bool found = false;
  visit(expr, [&](const ExprNode& node) { found = found || &node == &*byte; });
  return found;
}

class ProductFinder {
 public:
  ProductFinder(const Expr& value, const std::vector<Expr>& operands, const Kernel& kernel,
                std::vector<Value>& values)
      : value_(value), operands_(operands), kernel_(kernel), values_(values) {}

  std::optional<SaidByteOp> run(const std::map<Expr, Expr>& said) {
    // What is left of it besides its operands does not move.
    Expr rest = value_;
    for (size_t k = 0; k < 2; ++k)
      rest = replaced(rest, operands_[k], standing_for(operands_[k], k));
    if (!axes_of(rest).empty() || !find_product(value_)) return std::nullopt;
    const std::optional<Factor> a = factor_of(product_->operands[0], operands_[0]),
                                b = factor_of(product_->operands[1], operands_[1]);
    if (!a || !b) return std::nullopt;
    std::optional<std::vector<int32_t>> parts = find_product_line(
        value_, product_, a->scale * b->scale, 255 * 255, kRoundings, kernel_, values_);
    if (!parts) return std::nullopt;
    parts_ = std::move(*parts);
    zeros_ = {a->zero, b->zero};
    if (!settle()) return std::nullopt;
    return as_op(said);
  }

 private:
  // The one product of both; its operands in their order.
  bool find_product(const Expr& expr) {
    const bool a = is_of(expr, operands_[0]), b = is_of(expr, operands_[1]);
    if (!a || !b) return false;
    if (expr.kind() == ExprKind::binary && expr->binary() == Binary::mul &&
        expr.type() == Type::f32) {
      const Expr &left = expr->operands[0], &right = expr->operands[1];
      product_ = expr;
      if (is_of(left, operands_[1])) std::swap(operands_[0], operands_[1]);
      if (is_of(left, operands_[0]) && !is_of(left, operands_[1]) && is_of(right, operands_[1]) &&
          !is_of(right, operands_[0]))
        return true;
      return false;
    }
    const auto inside = std::find_if(expr->operands.begin(), expr->operands.end(),
                                     [&](const Expr& one) { return is_of(one, operands_[0]); });
    return inside != expr->operands.end() && find_product(*inside);
  }

  // From what it is for all 256 bytes.
  std::optional<Factor> factor_of(const Expr& expr, const Expr& byte) const {
    if (expr.type() != Type::f32) return std::nullopt;
    Kernel kernel = kernel_;
    const auto axis = static_cast<int>(kernel.axes.size());
    kernel.axes.push_back({kByteValues, AxisKind::parallel, {}});
    const int64_t least = lowest(byte.type());
    const Expr counted = counted_byte(byte.type(), axis);
    const HostTensor numbers = values_over(replaced(expr, byte, counted), kernel, {axis}, values_);
    Factor out;
    out.scale = (numbers.get(kByteValues - 1).number - numbers.get(0).number) / 255;
    if (!std::isfinite(out.scale) || out.scale == 0) return std::nullopt;
    const double zero = std::nearbyint(-numbers.get(0).number / out.scale);
    if (!(zero >= 0 && zero < kByteValues)) return std::nullopt;
    for (int64_t k = 0; k < kByteValues; ++k) {
      const double real = out.scale * (static_cast<double>(k) - zero);
      if (!(std::abs(numbers.get(k).number - real) <= std::abs(real) * 0x1p-22))
        return std::nullopt;
    }
    out.zero = static_cast<int64_t>(zero) + least;
    return out;
  }

  int64_t position(int64_t product) const {
    const int64_t shifted = product * (int64_t{1} << parts_[isa::kLineShift]),
                  whole = shifted * parts_[isa::kLineFactor];
    return (whole >> 31) + parts_[isa::kLineOffset];
  }

  // Every pair whose position is near, or would be with an offset that is moved by as much; false:
  // too many.
  bool settle() {
    const int64_t near = parts_[isa::kLineNear];
    std::vector<ByteCombination> doubts;
    std::vector<int64_t> positions;
    const auto least = [&](size_t k) { return lowest(operands_[k].type()); };
    for (int64_t a = least(0); a < least(0) + kByteValues; ++a) {
      for (int64_t b = least(1); b < least(1) + kByteValues; ++b) {
        const int64_t at = position((a - zeros_[0]) * (b - zeros_[1]));
        if (((at + near) & (kOne - 1)) >= 3 * near) continue;
        doubts.push_back({0, {a, b}});
        positions.push_back(at);
      }
    }
    const std::vector<int64_t> wanted =
        exact_bytes(value_, kernel_, {}, operands_, doubts, values_);
    int64_t lo = -near, hi = near;
    for (size_t k = 0; k < wanted.size(); ++k) {
      if (wanted[k] > parts_[isa::kLineLeast]) lo = std::max(lo, wanted[k] * kOne - positions[k]);
      if (wanted[k] < parts_[isa::kLineGreatest])
        hi = std::min(hi, (wanted[k] + 1) * kOne - 1 - positions[k]);
    }
    sure_ = lo <= hi;
    if (!sure_)
      return static_cast<int64_t>(doubts.size()) * kDoubtIsRare < kByteValues * kByteValues;
    parts_[isa::kLineOffset] += static_cast<int32_t>(std::min(std::max<int64_t>(0, lo), hi));
    parts_[isa::kLineNear] = 0;
    return true;
  }

  SaidByteOp as_op(const std::map<Expr, Expr>& said) {
    SaidByteOp out;
    ByteOp& op = out.op;
    op.exact = value_;
    op.operands = operands_;
    op.product_is_sure = sure_;
    const auto constant = [&](const char* name, const HostTensor& tensor) {
      return add_constant(values_, kernel_.name + name, tensor.type, {tensor.elements()},
                          to_constant(tensor));
    };
    op.constant =
        constant("/line", make_tensor(Type::i32, {isa::kLineParts},
                                      std::vector<int64_t>(parts_.begin(), parts_.end())));
    std::vector<Expr> shifted;
    for (size_t k = 0; k < 2; ++k) {
      const Type type = operands_[k].type();
      op.zeros.push_back(
          constant("/zero", make_tensor(type, {1}, std::vector<int64_t>{zeros_[k]})));
      shifted.push_back(Expr::cast(Type::i32, said.at(operands_[k])) -
                        Expr::cast(Type::i32, Expr::load(op.zeros[k], type, {0})));
    }
    const isa::LineParts part = [&](isa::LinePart which) {
      return Expr::load(op.constant, Type::i32, {static_cast<int64_t>(which)});
    };
    const Expr at = isa::line_position(shifted[0] * shifted[1], part);
    const Expr byte = isa::line_byte(at, part, value_.type());
    out.said =
        sure_ ? byte : Expr::select(isa::line_is_near(at, part(isa::kLineNear)), value_, byte);
    return out;
  }

  const Expr& value_;
  std::vector<Expr> operands_;
  const Kernel& kernel_;
  std::vector<Value>& values_;
  Expr product_;
  std::vector<int32_t> parts_;
  std::vector<int64_t> zeros_;
  bool sure_ = false;
};

}  // namespace

std::optional<SaidByteOp> find_product_op(const Expr& value, const std::vector<Expr>& operands,
                                          const std::map<Expr, Expr>& said, const Kernel& kernel,
                                          std::vector<Value>& values) {
  return ProductFinder(value, operands, kernel, values).run(said);
}

}  // namespace burin
