#include "kernel/symbolic/symbolic_evaluator.h"

#include <algorithm>

#include "kernel/combiner.h"
#include "kernel/index/index_limit.h"

namespace burin {
namespace {

constexpr size_t kDeepestLet =
    128;  // of lets that read lets; a recurrence is as deep as it is long

// The neutral elements that a number stands for; the ends of ranges are left unknown.
MaybeElement neutral(Combiner op, Type type) {
  if (op != Combiner::sum && op != Combiner::product && op != Combiner::logical_and &&
      op != Combiner::logical_or) {
    return std::nullopt;
  }
  const int value = op == Combiner::product || op == Combiner::logical_and ? 1 : 0;
  return symbolic_constant(type, {static_cast<double>(value), value});
}

}  // namespace

SymbolicEvaluator::SymbolicEvaluator(const Kernel& kernel, Source source, int64_t& left)
    : kernel_(kernel), source_(std::move(source)), left_(left), point_(kernel.axes.size()) {}

bool SymbolicEvaluator::each_point(const std::vector<int>& over,
                                   const std::function<bool()>& body) {
  std::vector<size_t> axes;
  for (const int axis : over) axes.push_back(static_cast<size_t>(axis));
  std::stable_partition(axes.begin(), axes.end(), [&](size_t axis) {
    return kernel_.axes[axis].kind == AxisKind::sequential;
  });
  for (const size_t axis : axes) {
    const Dim& extent = kernel_.axes[axis].extent;
    if (!extent.is_constant()) return false;
    if (extent.constant() <= 0) return true;
    point_[axis] = 0;
  }
  for (;;) {
    if (left_ <= 0 || !body()) return false;
    size_t digit = axes.size();
    for (; digit > 0; --digit) {
      const size_t axis = axes[digit - 1];
      if (++point_[axis] < kernel_.axes[axis].extent.constant()) break;
      point_[axis] = 0;
    }
    if (digit == 0) return true;
  }
}

std::optional<Dim> SymbolicEvaluator::index(const Index& index) {
  if (index.is_constant()) return index;
  bool known = true;
  const std::optional<Dim> dim = within_index_limits([&] {
    return index.map_leaves([&](const Index& leaf) -> Index {
      if (leaf.kind() == IndexKind::axis) return point_[static_cast<size_t>(leaf.axis_id())];
      if (leaf.kind() != IndexKind::data || !known) return leaf;
      const MaybeElement value = element(Expr(leaf.as_data()));
      if (!value || !value->is_integer()) {
        known = false;
        return leaf;
      }
      return value->numerator;
    });
  });
  return known ? dim : std::nullopt;
}

std::optional<std::vector<int64_t>> SymbolicEvaluator::constants(const std::vector<Index>& at) {
  std::vector<int64_t> out;
  for (const Index& one : at) {
    const std::optional<Dim> dim = index(one);
    if (!dim || !dim->is_constant()) return std::nullopt;
    out.push_back(dim->constant());
  }
  return out;
}

std::optional<bool> SymbolicEvaluator::holds(const Guard& guard) {
  bool all = true;
  for (const Condition& condition : guard) {
    const auto lo = index(condition.lo), at = index(condition.index), hi = index(condition.hi);
    const std::optional<bool> one = lo && at && hi ? decide(*lo, *at, *hi) : std::nullopt;
    if (one && !*one) return false;
    all = all && one.has_value();
  }
  return all ? std::optional(true) : std::nullopt;
}

MaybeElement SymbolicEvaluator::element(const Expr& expr) {
  if (--left_ <= 0) return std::nullopt;
  return compute(expr);
}

// A comparison that cannot be decided still selects the smaller or larger of its own operands.
MaybeElement SymbolicEvaluator::select_of(const Expr& expr) {
  const Expr& condition = expr->operands[0];
  const MaybeElement c = element(condition);
  if (c && c->is_known() && c->numerator.is_constant()) {
    return element(expr->operands[c->numerator.constant() != 0 ? 1 : 2]);
  }
  const MaybeElement a = element(expr->operands[1]), b = element(expr->operands[2]);
  if (condition.kind() == ExprKind::binary && condition->operands[0].type() == expr.type()) {
    const Binary op = condition->binary();
    const bool less = op == Binary::lt || op == Binary::le;
    if (less || op == Binary::gt || op == Binary::ge) {
      const MaybeElement x = element(condition->operands[0]), y = element(condition->operands[1]);
      if (x && y && x == a && y == b)
        return apply(less ? Binary::min : Binary::max, expr.type(), a, b);
      if (x && y && x == b && y == a)
        return apply(less ? Binary::max : Binary::min, expr.type(), a, b);
    }
  }
  return select(expr.type(), c, a, b);
}

MaybeElement SymbolicEvaluator::compute(const Expr& expr) {
  const ExprNode& node = *expr;
  switch (node.kind) {
    case ExprKind::constant:
      return symbolic_constant(node.type, {node.number, node.integer});
    case ExprKind::index: {
      const std::optional<Dim> dim = index(node.index);
      return dim && fits(*dim, node.type) ? symbolic_integer(*dim) : std::nullopt;
    }
    case ExprKind::load: {
      const auto at = constants(node.at);
      return at ? source_(node.id, *at) : std::nullopt;
    }
    case ExprKind::let:
      return let_at(expr);
    case ExprKind::unary:
      return apply(node.unary(), node.operands[0].type(), element(node.operands[0]));
    case ExprKind::binary:
      return apply(node.binary(), node.operands[0].type(), element(node.operands[0]),
                   element(node.operands[1]));
    case ExprKind::select:
      return select_of(expr);
    case ExprKind::fused:
      return std::nullopt;
    case ExprKind::cast:
      return cast(node.operands[0].type(), node.storage, node.mode, element(node.operands[0]));
    case ExprKind::cases:
      for (const Expr::Case& one : node.cases) {
        const std::optional<bool> chosen = holds(one.guard);
        if (!chosen) return std::nullopt;
        if (*chosen) return element(one.value);
      }
      return element(node.operands[0]);
  }
  return std::nullopt;
}

MaybeElement SymbolicEvaluator::let_at(const Expr& expr) {
  const auto at = constants(expr->at);
  if (!at) return std::nullopt;
  const Key key{expr->id, *at};
  const auto component = static_cast<size_t>(expr->component);
  const auto done = lets_.find(key);
  if (done != lets_.end()) return done->second[component];
  if (in_progress_.size() >= kDeepestLet || !in_progress_.insert(key).second) return std::nullopt;
  const Let& let = kernel_.lets[static_cast<size_t>(expr->id)];
  const std::vector<int64_t> outer = point_;
  for (size_t d = 0; d < let.over.size(); ++d) {
    point_[static_cast<size_t>(let.over[d])] = (*at)[d];
  }
  std::vector<MaybeElement> result = reduce(let);
  point_ = outer;
  in_progress_.erase(key);
  return (lets_[key] = std::move(result))[component];
}

std::vector<MaybeElement> SymbolicEvaluator::reduce(const Let& let) {
  const std::vector<MaybeElement> unknown(let.body.size());
  std::vector<MaybeElement> all;
  bool first = true;
  const bool walked = each_point(let.reduced, [&] {
    std::vector<MaybeElement> one;
    for (size_t c = 0; c < let.body.size(); ++c) {
      MaybeElement value = element(let.body[c]);
      const Type from = let.body[c].type(), to = let.accumulator[c];
      one.push_back(from == to ? value : cast(from, to, CastMode::convert, value));
    }
    if (first) {
      all = std::move(one);
    } else if (const auto op = combining(let.op)) {
      all[0] = apply(*op, let.accumulator[0], all[0], one[0]);
    } else {
      const MaybeElement replaces = apply(better_key(let.op), let.accumulator[0], one[0], all[0]);
      if (!replaces || !replaces->is_known() || !replaces->numerator.is_constant()) return false;
      if (replaces->numerator.constant() != 0) all = std::move(one);
    }
    first = false;
    // A sum of what is not known stays unknown: products of matrices end here, at their first term.
    return let.op != Combiner::sum || all[0].has_value();
  });
  if (!walked) return unknown;
  if (first) {
    all = unknown;
    if (combining(let.op)) all[0] = neutral(let.op, let.accumulator[0]);
  }
  return all;
}

}  // namespace burin
