#include "kernel/combiner.h"

#include <limits>

#include "support/check.h"

namespace burin {

std::optional<Binary> combining(Combiner op) {
  switch (op) {
    case Combiner::sum:
      return Binary::add;
    case Combiner::product:
      return Binary::mul;
    case Combiner::min:
      return Binary::min;
    case Combiner::max:
      return Binary::max;
    case Combiner::logical_and:
      return Binary::logical_and;
    case Combiner::logical_or:
      return Binary::logical_or;
    default:
      return std::nullopt;
  }
}

Expr identity_of(Combiner op, Type type) {
  const double infinity = std::numeric_limits<double>::infinity();
  switch (op) {
    case Combiner::none:
    case Combiner::sum:
    case Combiner::logical_or:
      return Expr::constant(type, 0);
    case Combiner::product:
    case Combiner::logical_and:
      return Expr::constant(type, 1);
    case Combiner::min:
    case Combiner::first_min:
    case Combiner::last_min:
      if (type == Type::boolean) return Expr::constant(type, 1);
      return is_float(type) ? Expr::constant(type, infinity)
                            : Expr::constant(type, type == Type::u64 ? int64_t{-1} : highest(type));
    case Combiner::max:
    case Combiner::first_max:
    case Combiner::last_max:
      if (type == Type::boolean) return Expr::constant(type, 0);
      return is_float(type) ? Expr::constant(type, -infinity) : Expr::constant(type, lowest(type));
  }
  BURIN_CHECK(false);
  return {};
}

bool is_keyed(Combiner op) {
  return op == Combiner::first_max || op == Combiner::last_max || op == Combiner::first_min ||
         op == Combiner::last_min;
}

Binary better_key(Combiner op) {
  switch (op) {
    case Combiner::first_max:
      return Binary::gt;
    case Combiner::last_max:
      return Binary::ge;
    case Combiner::first_min:
      return Binary::lt;
    case Combiner::last_min:
      return Binary::le;
    default:
      BURIN_CHECK(false);
      return Binary::gt;
  }
}

}  // namespace burin
