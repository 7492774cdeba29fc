#include "fuse/constants/byte_extremes.h"

#include <algorithm>
#include <cstring>

#include "fuse/access/known.h"
#include "fuse/constants/byte_forms.h"
#include "kernel/combiner.h"
#include "kernel/rewrite_kernel.h"
#include "support/at.h"

namespace burin {
namespace {

constexpr int64_t kByteValues = 256;
constexpr int64_t kMostTried = 64;  // points of one axis, for a place that is always inside

class ByteExtremes {
 public:
  ByteExtremes(const Kernel& kernel, std::vector<Value>& values)
      : kernel_(kernel), values_(values) {}

  std::optional<Kernel> run() {
    if (kernel_.lets.size() != 1 || is_sequential(kernel_)) return std::nullopt;
    const Let& let = kernel_.lets[0];
    const std::optional<Extreme> extreme = extreme_of(let);
    if (!extreme || let.reduced.empty() || let.accumulator[0] != Type::f32 ||
        extreme->value.type() != Type::f32 || !is_somewhere_inside(extreme->inside) ||
        !find_byte(extreme->value))
      return std::nullopt;
    const int direction = direction_of(extreme->value);
    if (direction == 0) return std::nullopt;
    return with(*extreme, direction > 0);
  }

 private:
  // The one byte that the value is made of, besides numbers that are the same everywhere.
  bool find_byte(const Expr& value) {
    bool plain = true;
    visit(value, [&](const ExprNode& node) {
      plain = plain && node.kind != ExprKind::let && node.kind != ExprKind::cases;
      if (node.kind != ExprKind::load || values_[at(node.id)].kind == ValueKind::constant) return;
      const Expr load = Expr::load(node.id, node.storage, node.at);
      plain = plain && is_byte_storage(node.storage) && node.type == node.storage &&
              (!byte_ || load == byte_) &&
              std::none_of(node.at.begin(), node.at.end(),
                           [](const Index& index) { return index.has_data(); });
      byte_ = load;
    });
    return plain && byte_ && !(byte_ == value) && is_same_everywhere(value, byte_);
  }

  // 1: f never falls; -1: it never rises; 0: neither. Numbers that are equal are the same bits.
  int direction_of(const Expr& value) const {
    const Type type = byte_.type();
    const Expr counted = Expr::cast(type, Expr::index(Index::axis(0, kByteValues) + lowest(type)));
    const std::optional<HostTensor> all = evaluated(
        with_instead(value, byte_, counted), {{kByteValues, AxisKind::parallel, {}}}, {0}, values_);
    if (!all) return 0;
    std::vector<float> numbers(kByteValues);
    std::memcpy(numbers.data(), all->bytes.data(), all->bytes.size());
    bool rises = true, falls = true;
    for (size_t k = 1; k < numbers.size(); ++k) {
      const float a = numbers[k - 1], b = numbers[k];
      const bool same = std::memcmp(&a, &b, sizeof a) == 0;
      rises = rises && (same || a < b);
      falls = falls && (same || a > b);
    }
    return rises ? 1 : falls ? -1 : 0;
  }

  // Whether each result has a place where the guard holds: of each reduced axis a point at which no
  // condition on it can fail.
  bool is_somewhere_inside(const Guard& inside) const {
    const std::vector<int>& reduced = kernel_.lets[0].reduced;
    for (const int axis : reduced) {
      const std::optional<int64_t> extent = kernel_.axes[at(axis)].extent.as_constant();
      if (!extent || *extent < 1) return false;
      bool found = false;
      for (int64_t point = 0; point < std::min(*extent, kMostTried) && !found; ++point)
        found = holds_at(inside, axis, point);
      if (!found) return false;
    }
    return std::all_of(inside.begin(), inside.end(), [&](const Condition& one) {
      const auto moves = std::count_if(reduced.begin(), reduced.end(),
                                       [&](int axis) { return one.index.uses_axis(axis); });
      return moves == 1 || (moves == 0 && holds(one.index, one));
    });
  }
  bool holds_at(const Guard& inside, int axis, int64_t point) const {
    std::vector<Index> axes;
    for (size_t k = 0; k < kernel_.axes.size(); ++k)
      axes.push_back(Index::axis(static_cast<int>(k), kernel_.axes[k].extent));
    axes[at(axis)] = point;
    return std::all_of(inside.begin(), inside.end(), [&](const Condition& one) {
      return !one.index.uses_axis(axis) || holds(one.index.substitute_axes(axes), one);
    });
  }
  static bool holds(const Index& index, const Condition& one) {
    return proven_le(one.lo, index) && proven_lt(index, one.hi);
  }

  Kernel with(const Extreme& extreme, bool rises) const {
    Kernel out = kernel_;
    Let& let = out.lets[0];
    const Type type = byte_.type();
    if (!rises) let.op = let.op == Combiner::max ? Combiner::min : Combiner::max;
    let.accumulator = {type};
    let.body = {extreme.inside.empty()
                    ? byte_
                    : Expr::cases({{extreme.inside, byte_}}, identity_of(let.op, type))};
    rewrite_exprs(out, [&](const Expr& expr) -> Expr {
      if (expr.kind() != ExprKind::let) return expr;
      return with_instead(extreme.value, byte_, Expr::let(expr->id, type, expr->at, 0));
    });
    return out;
  }

  const Kernel& kernel_;
  std::vector<Value>& values_;
  Expr byte_;
};

}  // namespace

KernelGraph with_byte_extremes(KernelGraph graph) {
  for_each_kernel(graph.steps, [&](Kernel& kernel) {
    if (std::optional<Kernel> with = ByteExtremes(kernel, graph.values).run())
      kernel = std::move(*with);
  });
  return graph;
}

}  // namespace burin
