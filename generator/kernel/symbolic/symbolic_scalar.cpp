// Constants are computed as the interpreter computes them; integers with symbols by proofs.
#include "kernel/symbolic/symbolic_scalar.h"

#include "kernel/index/index_limit.h"
#include "kernel/index/index_node.h"

namespace burin {
namespace {

constexpr int64_t kAssumed = int64_t{1} << 20;

bool is_constant(const SymbolicElement& a, Type type) {
  if (!a.is_known()) return false;
  return is_float(type) ? a.number.has_value() : a.numerator.is_constant();
}

ScalarValue to_scalar(const SymbolicElement& a, Type type) {
  return is_float(type) ? ScalarValue{*a.number, 0} : ScalarValue{0, a.numerator.constant()};
}

MaybeElement integer(const Dim& dim, Type type) {
  if (!fits(dim, type)) return std::nullopt;
  return SymbolicElement{dim};
}

// 1 where a < b, else 0: proven, or as the sizes decide.
Dim is_less(const Dim& a, const Dim& b) {
  if (proven_lt(a, b)) return 1;
  if (proven_le(b, a)) return 0;
  return min(1, max(0, b - a));
}

Dim differs(const Dim& a, const Dim& b) {
  if (a == b) return 0;
  if (proven_ne(a, b)) return 1;
  return min(1, max(a - b, b - a));
}

MaybeElement compare(Binary op, const Dim& a, const Dim& b) {
  switch (op) {
    case Binary::lt:
      return SymbolicElement{is_less(a, b)};
    case Binary::le:
      return SymbolicElement{1 - is_less(b, a)};
    case Binary::gt:
      return SymbolicElement{is_less(b, a)};
    case Binary::ge:
      return SymbolicElement{1 - is_less(a, b)};
    case Binary::eq:
      return SymbolicElement{1 - differs(a, b)};
    default:
      return SymbolicElement{differs(a, b)};
  }
}

// One of two integers by a condition that is 0 or 1. Its range is theirs: where that of the sum is
// wider, it is cut off.
MaybeElement chosen(const Dim& condition, const Dim& a, const Dim& b) {
  const Dim sum = b + condition * (a - b);
  constexpr size_t kMostTerms = 8;
  if (sum.terms().size() > kMostTerms) return std::nullopt;
  const Range range = sum.range(), of_a = a.range(), of_b = b.range();
  if (range.lo >= std::min(of_a.lo, of_b.lo) && range.hi <= std::max(of_a.hi, of_b.hi))
    return SymbolicElement{sum};
  return SymbolicElement{max(min(a, b), min(max(a, b), sum))};
}

MaybeElement apply_integer(Unary op, Type type, const Dim& a) {
  switch (op) {
    case Unary::neg:
      return integer(-a, type);
    case Unary::abs:
      return integer(max(a, -a), type);
    case Unary::sign:
      return SymbolicElement{min(max(a, -1), 1)};
    case Unary::logical_not:
      return SymbolicElement{1 - a};
    default:
      return std::nullopt;
  }
}

MaybeElement apply_integer(Binary op, Type type, const Dim& a, const Dim& b) {
  switch (op) {
    case Binary::add:
      return integer(a + b, type);
    case Binary::sub:
      return integer(a - b, type);
    case Binary::mul:
      return integer(a * b, type);
    case Binary::div:
      if (!proven_lt(0, b)) return std::nullopt;
      return SymbolicElement{truncated_quotient(a, b)};
    case Binary::mod:
      return proven_lt(0, b) ? MaybeElement(SymbolicElement{mod(a, b)}) : std::nullopt;
    case Binary::fmod:
      if (!proven_lt(0, b)) return std::nullopt;
      return SymbolicElement{a - b * truncated_quotient(a, b)};
    case Binary::min:
      return SymbolicElement{min(a, b)};
    case Binary::max:
      return SymbolicElement{max(a, b)};
    case Binary::logical_and:
      return SymbolicElement{min(a, b)};
    case Binary::logical_or:
      return SymbolicElement{max(a, b)};
    default:
      return is_comparison(op) ? compare(op, a, b) : std::nullopt;
  }
}

// Of one element, in nodes when written out. Each operation walks its operands, so the length that
// they may have is what the next link of a chain takes; shapes of networks stay far below.
constexpr int64_t kLongestElement = 256;

bool is_short(const Dim& dim) { return dim.node().written <= kLongestElement; }

bool is_short(const SymbolicElement& one) {
  if (!one.bounds) return is_short(one.numerator);
  return is_short(one.bounds->lo) && is_short(one.bounds->hi) && is_short(one.bounds->denominator);
}

// A result that exceeds 64 bits, or is that long, is an unknown one.
template <class Body>
MaybeElement guarded(const Body& body) {
  MaybeElement out = within_index_limits(body).value_or(std::nullopt);
  return out && is_short(*out) ? out : std::nullopt;
}

}  // namespace

Range assumed_range(const Dim& dim) {
  const Effort effort(kEffort);  // for all that is made again
  return dim
      .map_leaves([](const Index& leaf) -> Index {
        if (leaf.kind() != IndexKind::symbol) return leaf;
        SymbolInfo info = *leaf.as_symbol();
        if (info.max == kUnbounded && info.min <= kAssumed) info.max = kAssumed;
        if (info.min == std::numeric_limits<int64_t>::min()) info.min = -kAssumed;
        return Index::symbol(std::make_shared<const SymbolInfo>(std::move(info)));
      })
      .range();
}

bool fits(const Dim& dim, Type type) {
  if (type == Type::i64) return true;
  const Range range = assumed_range(dim);
  if (type == Type::boolean) return range.lo >= 0 && range.hi <= 1;
  return range.lo >= lowest(type) && range.hi <= highest(type);
}

std::optional<bool> decide(const Dim& lo, const Dim& index, const Dim& hi) {
  if (proven_le(lo, index) && proven_lt(index, hi)) return true;
  if (proven_lt(index, lo) || proven_le(hi, index)) return false;
  return std::nullopt;
}

// Where the sign is known, one of the two parts is proven to be zero and vanishes.
Dim truncated_quotient(const Dim& a, const Dim& b) {
  if (b.is_constant(1)) return a;
  return max(floordiv(a, b), 0) - max(floordiv(-a, b), 0);
}

MaybeElement symbolic_constant(Type type, ScalarValue value) {
  if (is_float(type)) {
    SymbolicElement out;
    out.number = value.number;
    return out;
  }
  if (type == Type::u64 && value.integer < 0) return std::nullopt;
  return SymbolicElement{value.integer};
}

MaybeElement symbolic_integer(const Dim& dim) { return SymbolicElement{dim}; }

MaybeElement apply(Unary op, Type type, const MaybeElement& a) {
  if (!a) return std::nullopt;
  if (is_constant(*a, type)) {
    const bool boolean = op == Unary::is_nan || op == Unary::is_inf;
    return symbolic_constant(boolean ? Type::boolean : type, apply(op, type, to_scalar(*a, type)));
  }
  return guarded([&]() -> MaybeElement {
    MaybeElement exact;
    if (a->is_known())
      exact = is_float(type) ? apply_float(op, type, *a) : apply_integer(op, type, a->numerator);
    return exact ? exact : bound(op, type, *a);
  });
}

MaybeElement apply(Binary op, Type type, const MaybeElement& a, const MaybeElement& b) {
  // One operand can be enough.
  for (const MaybeElement* one : {&a, &b}) {
    if (!*one || type != Type::boolean || !(*one)->is_known()) continue;
    if (op == Binary::logical_and && (*one)->numerator.is_constant(0)) return *one;
    if (op == Binary::logical_or && (*one)->numerator.is_constant(1)) return *one;
  }
  if (!a || !b) return std::nullopt;
  if (is_constant(*a, type) && is_constant(*b, type)) {
    return symbolic_constant(is_comparison(op) ? Type::boolean : type,
                             apply(op, type, to_scalar(*a, type), to_scalar(*b, type)));
  }
  return guarded([&]() -> MaybeElement {
    MaybeElement exact;
    if (a->is_known() && b->is_known()) {
      exact = is_float(type) ? apply_float(op, type, *a, *b)
                             : apply_integer(op, type, a->numerator, b->numerator);
    }
    return exact ? exact : bound(op, type, *a, *b);
  });
}

MaybeElement select(Type type, const MaybeElement& condition, const MaybeElement& a,
                    const MaybeElement& b) {
  if (!a || !b) return std::nullopt;
  if (*a == *b) return a;
  const bool decides = condition && condition->is_known();
  if (decides && condition->numerator.is_constant())
    return condition->numerator.constant() != 0 ? a : b;
  return guarded([&]() -> MaybeElement {
    MaybeElement exact;
    if (decides && a->is_integer() && b->is_integer())
      exact = chosen(condition->numerator, a->numerator, b->numerator);
    return exact ? exact : bound_of_either(*a, *b, type);
  });
}

MaybeElement cast(Type from, Type to, CastMode mode, const MaybeElement& a) {
  if (!a) return std::nullopt;
  if (is_constant(*a, from)) {
    return symbolic_constant(compute_type(to), cast(from, to, mode, to_scalar(*a, from)));
  }
  return guarded([&]() -> MaybeElement {
    if (!a->is_known()) return bound_cast(from, to, *a);
    if (is_float(to)) {
      if (a->rounded && from == to) return a;
      const MaybeElement exact =
          a->rounded ? std::nullopt : make_quotient(a->numerator, a->denominator, to);
      return exact ? exact : bound_cast(from, to, *a);
    }
    if (to == Type::boolean) return SymbolicElement{differs(a->numerator, 0)};
    const Dim dim = truncated_quotient(a->numerator, a->denominator);
    if (fits(dim, to)) return SymbolicElement{dim};
    if (mode == CastMode::convert && !is_float(from)) return std::nullopt;
    return SymbolicElement{max(min(dim, highest(to)), lowest(to))};
  });
}

}  // namespace burin
