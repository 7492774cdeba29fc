#include "kernel/element_ranges.h"

#include <algorithm>

#include "kernel/index_magnitude.h"
#include "kernel/symbolic_scalar.h"
#include "kernel/tensor.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr int kMostExpressions = 20000;
constexpr int64_t kFar = int64_t{1} << 60;
constexpr int64_t kMostNumber = int64_t{1} << 28;
constexpr int64_t kMostElements = 4096;  // of a constant that is read

SymbolicElement between(const Dim& lo, const Dim& hi) {
  SymbolicElement out;
  out.bounds = std::make_shared<const ElementBounds>(ElementBounds{lo, hi});
  return out;
}

// Of whatever a type holds.
SymbolicElement any_of(Type type) {
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

// The ends, where they are whole numbers.
std::optional<ElementBounds> ends(const SymbolicElement& a) {
  if (a.is_integer()) return ElementBounds{a.numerator, a.numerator};
  if (a.number && *a.number == static_cast<double>(static_cast<int64_t>(*a.number)))
    return ElementBounds{static_cast<int64_t>(*a.number), static_cast<int64_t>(*a.number)};
  if (!a.bounds || !a.bounds->denominator.is_constant(1) || a.bounds->relative != 0)
    return std::nullopt;
  return *a.bounds;
}

}  // namespace

// Expressions of one kernel, at all of its points together.
class KernelRanges {
 public:
  KernelRanges(ElementRanges& tensors, const Kernel& kernel) : tensors_(tensors), kernel_(kernel) {}

  SymbolicElement of(const Expr& expr) {
    if (--tensors_.left_ <= 0) return any_of(expr.type());
    try {
      const MaybeElement found = computed(expr);
      return found ? *found : any_of(expr.type());
    } catch (const Refused&) {  // beyond 64 bits
      return any_of(expr.type());
    }
  }

 private:
  MaybeElement computed(const Expr& expr) {
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

  MaybeElement of_index(const Index& index) {
    if (!index.has_axes() && !index.has_data()) return symbolic_integer(index);
    const std::optional<Dim> lo = index.lower_bound(), hi = index.upper_bound();
    if (!lo || !hi || lo->has_data() || hi->has_data()) return std::nullopt;
    return between(*lo, max(*hi, *lo));
  }

  MaybeElement of_let(const Let& let, size_t component) {
    if (!in_progress_.insert(&let).second) return std::nullopt;  // a recurrence
    const Type from = let.body[component].type(), to = let.accumulator[component];
    SymbolicElement body = of(let.body[component]);
    in_progress_.erase(&let);
    if (from != to) body = bound_cast(from, to, body).value_or(any_of(to));
    if (let.op == Combiner::none) return body;
    Dim points = 1;
    for (const int axis : let.reduced)
      points = points * kernel_.axes[static_cast<size_t>(axis)].extent;
    const std::optional<ElementBounds> range = ends(body);
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
        return proven_lt(0, points) ? body : between(-kFar, range->hi);
      case Combiner::min:
        return proven_lt(0, points) ? body : between(range->lo, kFar);
      default:  // what goes with an extreme, or nothing
        return between(min(range->lo, 0), max(range->hi, 0));
    }
  }

  MaybeElement of_unary(Unary op, const Expr& operand) {
    const Type type = operand.type();
    const SymbolicElement a = of(operand);
    if (op == Unary::sign) return between(-1, 1);
    if (op == Unary::popcount) return between(0, 64);
    // No further from 0 than what they are of, but for what is less than 1.
    if (op == Unary::sqrt || op == Unary::log || op == Unary::log1p) {
      const std::optional<ElementBounds> range = ends(a);
      if (!range) return std::nullopt;
      return between(op == Unary::sqrt ? Dim(0) : Dim(-kFar), max(range->hi, 1));
    }
    return apply(op, type, a);
  }

  MaybeElement of_binary(Binary op, const Expr& x, const Expr& y) {
    const Type type = x.type();
    if (is_comparison(op)) return between(0, 1);
    const SymbolicElement a = of(x), b = of(y);
    if (op == Binary::min || op == Binary::max) return of_extreme(op, type, a, b);
    if (const MaybeElement exact = apply(op, type, a, b)) return exact;
    if (is_float(type)) return std::nullopt;
    const std::optional<ElementBounds> left = ends(a), right = ends(b);
    if (!left || !right) return std::nullopt;
    const bool positive = proven_lt(0, right->lo);
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
  static MaybeElement of_extreme(Binary op, Type type, const SymbolicElement& a,
                                 const SymbolicElement& b) {
    const std::optional<ElementBounds> x = ends(a), y = ends(b);
    if (!x || !y) return apply(op, type, a, b);
    const bool least = op == Binary::min;
    const auto lower = [&](const Dim& p, const Dim& q) {
      return p.is_constant(kFar) ? q : q.is_constant(kFar) ? p : min(p, q);
    };
    const auto upper = [&](const Dim& p, const Dim& q) {
      return p.is_constant(-kFar) ? q : q.is_constant(-kFar) ? p : max(p, q);
    };
    if (least) return between(min(x->lo, y->lo), lower(x->hi, y->hi));
    return between(upper(x->lo, y->lo), max(x->hi, y->hi));
  }

  // Either, or the smaller or the larger where their comparison chooses.
  MaybeElement of_select(const Expr& expr) {
    const Expr &condition = expr->operands[0], &yes = expr->operands[1], &no = expr->operands[2];
    const SymbolicElement a = of(yes), b = of(no);
    if (condition.kind() == ExprKind::binary) {
      const Binary op = condition->binary();
      const Expr &x = condition->operands[0], &y = condition->operands[1];
      const bool less = op == Binary::lt || op == Binary::le;
      const bool more = op == Binary::gt || op == Binary::ge;
      if ((less || more) && x == yes && y == no)
        return of_extreme(less ? Binary::min : Binary::max, expr.type(), a, b);
      if ((less || more) && x == no && y == yes)
        return of_extreme(less ? Binary::max : Binary::min, expr.type(), a, b);
    }
    return bound_of_either(a, b, expr.type());
  }

  MaybeElement of_cast(const Expr& operand, Type to, CastMode mode) {
    const Type from = operand.type();
    const SymbolicElement a = of(operand);
    if (from == to) return a;
    if (to == Type::boolean) return between(0, 1);
    if (const MaybeElement exact = cast(from, to, mode, a)) return exact;
    // Towards zero, whatever the sign.
    const std::optional<ElementBounds> range = ends(a);
    if (!range || !is_float(from) || !fits(range->lo, to) || !fits(range->hi, to))
      return std::nullopt;
    return between(range->lo, range->hi);
  }

  ElementRanges& tensors_;
  const Kernel& kernel_;
  std::set<const Let*> in_progress_;
};

ElementRanges::ElementRanges(const std::vector<const Steps*>& steps,
                             const std::vector<Value>& values,
                             const std::map<ValueId, SymbolicElements>& known)
    : values_(values), known_(known), left_(kMostExpressions) {
  for (const Steps* one : steps) add_makers(*one);
}

void ElementRanges::add_makers(const Steps& steps) {
  for (const Step& step : steps) {
    if (const Kernel* kernel = std::get_if<Kernel>(&step)) {
      for (const Write& write : kernel->writes) makers_[write.to].push_back({kernel, &write});
    } else if (const auto* branches = std::get_if<std::shared_ptr<If>>(&step)) {
      add_makers((*branches)->then_steps);
      add_makers((*branches)->else_steps);
    } else {
      for (const ValueId id : writes_of(step)) opaque_.insert(id);
    }
  }
}

SymbolicElement ElementRanges::of_tensor(ValueId id) {
  const Type type = compute_type(values_[static_cast<size_t>(id)].type);
  // What is asked for again while it is looked at is not known.
  const auto [at, fresh] = ranges_.emplace(id, any_of(type));
  if (!fresh) return at->second;
  const SymbolicElement range = found(id);
  return ranges_.at(id) = range;
}

SymbolicElement ElementRanges::found(ValueId id) {
  const Value& value = values_[static_cast<size_t>(id)];
  const Type type = compute_type(value.type);
  MaybeElement out;
  const auto add = [&](const MaybeElement& one) {
    out = !one ? any_of(type) : out ? bound_of_either(*out, *one, type) : one;
    if (!out) out = any_of(type);
  };
  const auto at = known_.find(id);
  // Of some elements only: what makes them says something of all.
  const bool all_known = at != known_.end() && std::all_of(at->second.begin(), at->second.end(),
                                                           [](const auto& one) { return !!one; });
  if (all_known) {
    for (const MaybeElement& one : at->second) add(one);
  } else if (value.kind == ValueKind::constant) {
    std::vector<int64_t> shape;
    for (const Dim& dim : value.shape) shape.push_back(dim.constant());
    if (product(value.shape).constant() > kMostElements) return any_of(type);
    const HostTensor tensor = to_tensor(value.type, shape, value.constant);
    for (int64_t i = 0; i < tensor.elements(); ++i) add(symbolic_constant(type, tensor.get(i)));
  } else if (!opaque_.contains(id)) {
    const auto makers = makers_.find(id);
    for (size_t i = 0; makers != makers_.end() && i < makers->second.size(); ++i) {
      const Maker& maker = makers->second[i];
      KernelRanges ranges(*this, *maker.kernel);
      add(maker.write->how == How::store ? MaybeElement(ranges.of(maker.write->value))
                                         : std::nullopt);
    }
  }
  return out.value_or(any_of(type));
}

std::optional<Dim> ElementRanges::most(const Expr& value) {
  if (is_float(value.type())) return std::nullopt;
  const Kernel nothing;
  const std::optional<ElementBounds> range = ends(KernelRanges(*this, nothing).of(value));
  if (!range || !is_small(range->hi)) return std::nullopt;
  // All that its type holds is no bound that memory could be taken for.
  const int64_t numbers = largest_part(range->hi, [](const Index&) { return int64_t{1}; });
  return numbers <= kMostNumber ? std::optional(range->hi) : std::nullopt;
}

}  // namespace burin
