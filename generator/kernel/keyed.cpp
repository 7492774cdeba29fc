#include "kernel/keyed.h"

#include "support/check.h"

namespace burin {

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
