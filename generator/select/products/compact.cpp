#include "select/products/compact.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "kernel/expr/expr_axes.h"
#include "kernel/expr/expr_operands.h"
#include "kernel/tensor.h"
#include "select/axes/working_set.h"
#include "select/products/compact_part.h"
#include "support/at.h"

namespace burin {
namespace {

constexpr int64_t kFloatBits = 32;

bool pays(int64_t bits, int64_t elements) { return 4 * bits <= 3 * kFloatBits * elements; }

class Cutter {
 public:
  Cutter(const Contraction& contraction, int lane, int width, std::vector<Value>& values)
      : contraction_(contraction), lane_(lane), width_(width), values_(values) {}

  // The fewest bits that the parts of an expression take; what does not depend on the lane is read
  // where it lies.
  int64_t cut(const Expr& expr) {
    if (!contains(axes_of(expr), lane_)) return 0;
    const auto known = chosen_.find(expr);
    if (known != chosen_.end()) return known->second.bits;
    Choice choice;
    bool works = expr.kind() == ExprKind::unary || expr.kind() == ExprKind::binary ||
                 expr.kind() == ExprKind::select || expr.kind() == ExprKind::cast;
    if (works || looks_up(expr)) {
      works = true;
      for (const Expr& operand : operands_of(expr)) {
        if (cut(operand) == 0) continue;
        const std::set<Expr>& below = chosen_.at(operand).parts;
        choice.parts.insert(below.begin(), below.end());
      }
    }
    int64_t apart = 0;  // what comes again is stored once
    for (const Expr& part : choice.parts) apart += chosen_.at(part).bits;
    choice.points = points_of(expr, contraction_, lane_, width_);
    const Type held = expr.kind() == ExprKind::load ? expr->storage : expr.type();
    choice.bits = choice.points.elements * size_bits(held);
    if (is_integer(expr.type())) {
      const Constant panels = evaluated(expr, choice.points);
      choice.digits = digits(panels, choice.points, held);
      if (choice.digits) {
        choice.panels = panels;
        choice.bits = choice.points.elements * choice.digits->bits;
      }
    }
    choice.whole = !works || choice.bits <= apart;
    if (choice.whole) {
      choice.parts = {expr};
    } else {
      choice.bits = apart, choice.panels = {};
    }
    const int64_t bits = choice.bits;
    chosen_.emplace(expr, std::move(choice));
    return bits;
  }

  // Points of the depth that share a word of some part.
  int together() const { return together_; }

  // The expression over its parts, which become values.
  Expr over_parts(const Expr& expr, const std::string& name) {
    const auto at = chosen_.find(expr);
    if (at == chosen_.end()) return expr;
    Choice& choice = at->second;
    if (choice.whole) {
      if (!choice.at) {
        const bool held = choice.panels.data != nullptr;
        StoredPart part =
            store_part(expr, choice.points, held ? choice.panels : evaluated(expr, choice.points),
                       choice.digits, contraction_.kernel, lane_, width_,
                       static_cast<ValueId>(values_.size()));
        part.value.name = name;
        if (choice.digits && choice.digits->along == Neighbours::depth)
          together_ = std::max(together_, choice.digits->each());
        values_.push_back(std::move(part.value));
        choice.at = part.at;
        choice.panels = {};
      }
      return choice.at;
    }
    std::vector<Expr> operands;
    for (const Expr& operand : operands_of(expr)) operands.push_back(over_parts(operand, name));
    if (expr.kind() == ExprKind::load)
      return Expr::load(expr->id, expr->storage,
                        {Index::data(operands[0].ptr(), expr->at[0].range())});
    return with_operands(*expr, operands);
  }

 private:
  // An entry of a small table by a number that data give.
  bool looks_up(const Expr& expr) const {
    constexpr int64_t kMostEntries = 256;
    return expr.kind() == ExprKind::load && expr->at.size() == 1 &&
           expr->at[0].kind() == IndexKind::data &&
           values_[at(expr->id)].kind == ValueKind::constant &&
           product(values_[at(expr->id)].shape).constant() <= kMostEntries;
  }

  static std::vector<Expr> operands_of(const Expr& expr) {
    if (expr.kind() == ExprKind::load) return {Expr(expr->at[0].as_data())};
    return expr->operands;
  }

  struct Choice {
    int64_t bits = 0;
    bool whole = true;     // stored as it is; else its operands are
    std::set<Expr> parts;  // that are
    PartPoints points;
    std::optional<Digits> digits;
    Constant panels;  // of an integer
    Expr at;          // once it is a value
  };

  // At the first point of each step.
  Constant evaluated(const Expr& expr, const PartPoints& points) const {
    Contraction own;
    own.kernel.axes = contraction_.kernel.axes;
    own.schedule.batch = points.batch;
    own.schedule.k = points.k;
    std::vector<Index> to;
    for (size_t axis = 0; axis < own.kernel.axes.size(); ++axis)
      to.push_back(Index::axis(static_cast<int>(axis), own.kernel.axes[axis].extent));
    for (size_t i = 0; i < points.k.size(); ++i) {
      Dim& extent = own.kernel.axes[burin::at(points.k[i])].extent;
      extent = ceildiv(extent, points.strides[i]);
      to[burin::at(points.k[i])] = Index::axis(points.k[i], extent) * points.strides[i];
    }
    TileFactor factor;
    factor.element = substitute_axes(expr, to);
    return pack_constant(own, factor, lane_, width_, values_,
                         expr.kind() == ExprKind::load ? expr->storage : expr.type());
  }

  std::optional<Digits> digits(const Constant& panels, const PartPoints& points, Type held) const {
    const int64_t lanes = contraction_.kernel.axes[burin::at(lane_)].extent.constant();
    const int64_t blocks = (lanes + width_ - 1) / width_;
    const LoadFunction load = load_function(held);
    int64_t lo = std::numeric_limits<int64_t>::max(), hi = std::numeric_limits<int64_t>::min();
    for (int64_t i = 0; i < points.elements; ++i) {
      const int64_t block = i / (points.depth * width_) % blocks;
      if (block * width_ + i % width_ >= lanes) continue;
      const int64_t number = load(panels.data, i).integer;
      lo = std::min(lo, number);
      hi = std::max(hi, number);
    }
    // Differences of numbers far apart do not fit.
    if (lo > hi || lo < -(int64_t{1} << 40) || hi > int64_t{1} << 40) return std::nullopt;
    const bool rows = lane_ == contraction_.schedule.m;
    return digits_of(lo, hi, rows ? width_ : points.depth, size_bits(held),
                     rows ? Neighbours::lanes : Neighbours::depth);
  }

  const Contraction& contraction_;
  int lane_, width_, together_ = 1;
  std::vector<Value>& values_;
  std::map<Expr, Choice> chosen_;
};

// Small models are unpacked now: where all narrow constants of a tree take no more than this, or
// would fit in the second cache as floats. A tree grows by less than sixteen times as much.
constexpr int64_t kFewBytes = 8 * 1024;

bool are_few(const std::vector<Value>& values, const Memory& memory) {
  int64_t bytes = 0, as_floats = 0;
  for (const Value& value : values) {
    if (value.kind != ValueKind::constant || size_bits(value.type) >= kFloatBits) continue;
    bytes += static_cast<int64_t>(value.constant.bytes);
    as_floats += static_cast<int64_t>(value.constant.bytes) * kFloatBits / size_bits(value.type);
  }
  return bytes <= kFewBytes && as_floats <= working_set_bytes(memory);
}

}  // namespace

Compactness compactness_of(const Expr& factor, const Kernel& kernel,
                           const std::vector<Value>& values, const Hardware& hardware) {
  if (factor.type() != Type::f32) return Compactness::no;
  int64_t bits = 0, elements = 1;
  std::set<ValueId> counted;
  visit(factor, [&](const ExprNode& node) {
    if (node.kind != ExprKind::load || !counted.insert(node.id).second) return;
    const Value& value = values[at(node.id)];
    bits += product(value.shape).constant() * size_bits(value.type);
  });
  for (const int axis : axes_of(factor)) elements *= kernel.axes[at(axis)].extent.constant();
  if (counted.empty() || !pays(bits, elements)) return Compactness::no;
  return are_few(values, hardware.memory) ? Compactness::few : Compactness::yes;
}

int64_t compact_factor(const Contraction& contraction, TileFactor& factor, int lane, int width,
                       const char* suffix, std::vector<Value>& values) {
  Cutter cutter(contraction, lane, width, values);
  const int64_t bits = cutter.cut(factor.element);
  factor.compact = 0;
  if (!pays(bits, points_of(factor.element, contraction, lane, width).elements)) return 0;
  factor.element = cutter.over_parts(factor.element, contraction.kernel.name + suffix);
  // As many points as share a word, where the depth is whole steps of them.
  const std::vector<int>& k = contraction.schedule.k;
  const Dim& depth = contraction.kernel.axes[at(k.back())].extent;
  factor.compact = static_cast<int>(std::gcd(int64_t{cutter.together()}, depth.constant()));
  return bits;
}

void add_compact_scratch(Dim& scratch_bytes, ContractionSchedule& product) {
  product.b_offset = scratch_bytes;
  scratch_bytes += ceildiv(product.depth * (product.tile.columns() * 4), 64) * 64;
}

}  // namespace burin
