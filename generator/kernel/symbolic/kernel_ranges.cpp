#include "kernel/symbolic/kernel_ranges.h"

#include <algorithm>

#include "kernel/index/index_limit.h"
#include "kernel/symbolic/element_ranges.h"
#include "kernel/symbolic/symbolic_scalar.h"

namespace burin {
namespace {

SymbolicElement between(const Dim& lo, const Dim& hi) { return element_between({lo, hi}); }

bool is_far(const Dim& end) { return end.is_constant() && end.constant() >= kFar / 2; }

// Whether sums of such floats end at sums of these ends: a rounding keeps the order, and keeps
// integers that the type holds; what is far stands for no end.
bool is_exact(const ElementBounds& range, Type type) {
  const auto holds = [&](const Dim& end) {
    return end.is_constant() && (is_far(end) || is_far(-end) ||
                                 std::abs(end.constant()) < int64_t{1} << (precision(type) - 1));
  };
  return is_float(type) && holds(range.lo) && holds(range.hi);
}

}  // namespace

SymbolicElement range_of_type(Type type) {
  switch (type) {
    case Type::boolean:
      return between(0, 1);
    case Type::i8:
      return between(-128, 127);
    case Type::u8:
      return between(0, 255);
    case Type::i16:
      return between(-32768, 32767);
    case Type::u16:
      return between(0, 65535);
    case Type::i32:
      return between(-(int64_t{1} << 31), (int64_t{1} << 31) - 1);
    case Type::u32:
      return between(0, (int64_t{1} << 32) - 1);
    case Type::u64:
      return between(0, kFar);
    default:
      return between(-kFar, kFar);
  }
}

std::optional<ElementBounds> whole_ends(const SymbolicElement& a) {
  if (a.is_integer()) return ElementBounds{a.numerator, a.numerator};
  if (a.number && *a.number == static_cast<double>(static_cast<int64_t>(*a.number)))
    return ElementBounds{static_cast<int64_t>(*a.number), static_cast<int64_t>(*a.number)};
  if (!a.bounds || !a.bounds->denominator.is_constant(1) || a.bounds->relative != 0)
    return std::nullopt;
  return *a.bounds;
}

SymbolicElement KernelRanges::of(const Expr& expr) {
  if (--tensors_.left_ <= 0) return range_of_type(expr.type());
  const MaybeElement found =
      within_index_limits([&] { return computed(expr); }).value_or(std::nullopt);
  return found ? *found : range_of_type(expr.type());
}

MaybeElement KernelRanges::computed(const Expr& expr) {
  const ExprNode& node = *expr;
  switch (node.kind) {
    case ExprKind::constant:
      return symbolic_constant(node.type, {node.number, node.integer});
    case ExprKind::index:
      return of_index(node.index);
    case ExprKind::load:
      return tensors_.of_tensor(node.id);
    case ExprKind::let:
      return of_let(kernel_.lets.at(static_cast<size_t>(node.id)),
                    static_cast<size_t>(node.component));
    case ExprKind::unary:
      return of_unary(node.unary(), expr->operands[0]);
    case ExprKind::binary:
      return of_binary(node.binary(), expr->operands[0], expr->operands[1]);
    case ExprKind::select:
      return of_select(expr);
    case ExprKind::fused:
      return std::nullopt;
    case ExprKind::cast:
      return of_cast(expr->operands[0], node.storage, node.mode);
    case ExprKind::cases: {
      SymbolicElement out = of(expr->operands[0]);
      for (const Expr::Case& one : node.cases) {
        const MaybeElement either = bound_of_either(out, of(one.value), expr.type());
        if (!either) return std::nullopt;
        out = *either;
      }
      return out;
    }
  }
  return std::nullopt;
}

MaybeElement KernelRanges::of_index(const Index& index) {
  if (!index.has_axes() && !index.has_data()) return symbolic_integer(index);
  const std::optional<Dim> lo = index.lower_bound(), hi = index.upper_bound();
  if (!lo || !hi || lo->has_data() || hi->has_data()) return std::nullopt;
  return between(*lo, max(*hi, *lo));
}

MaybeElement KernelRanges::of_let(const Let& let, size_t component) {
  if (!in_progress_.insert(&let).second) return std::nullopt;  // a recurrence
  const Type from = let.body[component].type(), to = let.accumulator[component];
  SymbolicElement body = of(let.body[component]);
  in_progress_.erase(&let);
  if (from != to) body = bound_cast(from, to, body).value_or(range_of_type(to));
  if (let.op == Combiner::none) return body;
  Dim points = 1;
  for (const int axis : let.reduced)
    points = points * kernel_.axes[static_cast<size_t>(axis)].extent;
  const bool one_of_them = let.op == Combiner::max || let.op == Combiner::min;
  if (one_of_them && proven_lt(0, points)) return body;
  const std::optional<ElementBounds> range = whole_ends(body);
  if (!range) return std::nullopt;
  switch (let.op) {
    case Combiner::sum:
      return between(min(range->lo, 0) * points, max(range->hi, 0) * points);
    case Combiner::product:
      return std::nullopt;
    case Combiner::logical_and:
    case Combiner::logical_or:
      return between(0, 1);
    case Combiner::max:  // of nothing: the least there is
      return between(-kFar, range->hi);
    case Combiner::min:
      return between(range->lo, kFar);
    default:  // what goes with an extreme, or nothing
      return between(min(range->lo, 0), max(range->hi, 0));
  }
}

MaybeElement KernelRanges::of_unary(Unary op, const Expr& operand) {
  const SymbolicElement a = of(operand);
  switch (op) {
    case Unary::sign:
    case Unary::sin:
    case Unary::cos:
    case Unary::tanh:
    case Unary::erf:
      return between(-1, 1);
    case Unary::atan:
      return between(-2, 2);
    case Unary::popcount:
      return between(0, 64);
    case Unary::exp: {
      const std::optional<ElementBounds> range = whole_ends(a);
      return between(0, range && proven_le(range->hi, 0) ? Dim(1) : Dim(kFar));
    }
    case Unary::sqrt:  // no further from 0 than what they are of, but for what is less than 1
    case Unary::log:
    case Unary::log1p: {
      const std::optional<ElementBounds> range = whole_ends(a);
      if (!range) return std::nullopt;
      return between(op == Unary::sqrt ? Dim(0) : Dim(-kFar), max(range->hi, 1));
    }
    default:
      return apply(op, operand.type(), a);
  }
}

// Of what is not negative with what may be.
MaybeElement KernelRanges::product_with(Type type, const ElementBounds& a, const ElementBounds& b) {
  const Dim least = is_far(-b.lo) ? Dim(-kFar) : min(b.lo, 0) * a.hi;
  const Dim most = max(b.hi, 0) * a.hi;
  if (!is_float(type) && !(fits(least, type) && fits(most, type))) return std::nullopt;
  return element_between({least, most, 1, is_float(type) ? rounding_of(type) : 0});
}

MaybeElement KernelRanges::of_binary(Binary op, const Expr& x, const Expr& y) {
  const Type type = x.type();
  if (is_comparison(op)) return between(0, 1);
  const SymbolicElement a = of(x), b = of(y);
  if (op == Binary::min || op == Binary::max) return of_extreme(op, type, a, b);
  const std::optional<ElementBounds> left = whole_ends(a), right = whole_ends(b);
  // A quotient by what has no upper end would be of fractions of that.
  const bool divides_by_any = op == Binary::div && right && is_far(right->hi);
  if (left && right && op == Binary::add && is_exact(*left, type) && is_exact(*right, type))
    return between(left->lo + right->lo, left->hi + right->hi);
  const MaybeElement exact = divides_by_any ? std::nullopt : apply(op, type, a, b);
  if (exact) return exact;
  if (!left || !right) return std::nullopt;
  if (op == Binary::mul) {
    if (proven_le(0, left->lo)) return product_with(type, *left, *right);
    if (proven_le(0, right->lo)) return product_with(type, *right, *left);
    return std::nullopt;
  }
  const bool positive = proven_lt(0, right->lo);
  if (is_float(type) && op != Binary::div) return std::nullopt;
  switch (op) {
    case Binary::mod:
      if (!positive) return std::nullopt;
      return between(0, right->hi - 1);
    case Binary::fmod:
      if (!positive) return std::nullopt;
      return between(proven_le(0, left->lo) ? Dim(0) : 1 - right->hi, right->hi - 1);
    case Binary::div:
      if (!positive) return std::nullopt;
      return between(min(left->lo, 0), max(left->hi, 0));
    case Binary::bit_and:
      if (proven_le(0, right->lo)) return between(0, right->hi);
      if (proven_le(0, left->lo)) return between(0, left->hi);
      return std::nullopt;
    case Binary::shift_right:
      if (!proven_le(0, left->lo)) return std::nullopt;
      return between(0, left->hi);
    default:
      return std::nullopt;
  }
}

// An end that stands for none says nothing beside another.
MaybeElement KernelRanges::of_extreme(Binary op, Type type, const SymbolicElement& a,
                                      const SymbolicElement& b) {
  const std::optional<ElementBounds> x = whole_ends(a), y = whole_ends(b);
  if (!x || !y) return apply(op, type, a, b);
  const bool least = op == Binary::min;
  const auto lower = [&](const Dim& p, const Dim& q) {
    return is_far(p) ? q : is_far(q) ? p : min(p, q);
  };
  const auto upper = [&](const Dim& p, const Dim& q) {
    return is_far(-p) ? q : is_far(-q) ? p : max(p, q);
  };
  if (least) return between(min(x->lo, y->lo), lower(x->hi, y->hi));
  return between(upper(x->lo, y->lo), max(x->hi, y->hi));
}

// Either, or the smaller or the larger where their comparison chooses.
MaybeElement KernelRanges::of_select(const Expr& expr) {
  const Expr condition = tensors_.source(expr->operands[0]);
  const Expr &yes = expr->operands[1], &no = expr->operands[2];
  const SymbolicElement a = of(yes), b = of(no);
  if (condition.kind() == ExprKind::binary) {
    const Binary op = condition->binary();
    const Expr &x = condition->operands[0], &y = condition->operands[1];
    const bool here = condition == expr->operands[0];
    const auto same = [&](const Expr& p, const Expr& q) {
      return (here && p == q) || tensors_.are_same(p, q);
    };
    const bool less = op == Binary::lt || op == Binary::le;
    const bool more = op == Binary::gt || op == Binary::ge;
    if ((less || more) && same(x, yes) && same(y, no))
      return of_extreme(less ? Binary::min : Binary::max, expr.type(), a, b);
    if ((less || more) && same(x, no) && same(y, yes))
      return of_extreme(less ? Binary::max : Binary::min, expr.type(), a, b);
  }
  return bound_of_either(a, b, expr.type());
}

MaybeElement KernelRanges::of_cast(const Expr& operand, Type to, CastMode mode) {
  const Type from = operand.type();
  const SymbolicElement a = of(operand);
  if (from == to) return a;
  if (to == Type::boolean) return between(0, 1);
  if (const MaybeElement exact = cast(from, to, mode, a)) return exact;
  // Towards zero, whatever the sign.
  const std::optional<ElementBounds> range = whole_ends(a);
  if (!range || !is_float(from) || !fits(range->lo, to) || !fits(range->hi, to))
    return std::nullopt;
  return between(range->lo, range->hi);
}

}  // namespace burin
