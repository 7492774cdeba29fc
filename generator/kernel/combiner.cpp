#include "kernel/combiner.h"

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
