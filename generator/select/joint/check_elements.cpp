#include "select/joint/check_elements.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace burin {
namespace {

using Reach = std::pair<int64_t, int64_t>;  // least and greatest

int64_t floor_div(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

Reach corners(const Reach& a, const Reach& b, int64_t (*of)(int64_t, int64_t)) {
  const int64_t all[] = {of(a.first, b.first), of(a.first, b.second), of(a.second, b.first),
                         of(a.second, b.second)};
  return {*std::min_element(all, all + 4), *std::max_element(all, all + 4)};
}

// Between which numbers an index lies at the hinted sizes, operation by operation; nullopt where
// data decide.
std::optional<Reach> reach(const Index& index) {
  const auto of_atom = [](const Index& atom) -> std::optional<Reach> {
    switch (atom.kind()) {
      case IndexKind::symbol:
        return Reach{at_hints(atom), at_hints(atom)};
      case IndexKind::axis:
        return Reach{0, std::max<int64_t>(0, at_hints(atom.axis_extent()) - 1)};
      case IndexKind::data:
        return std::nullopt;
      default:
        break;
    }
    const std::optional<Reach> a = reach(atom.operands()[0]), b = reach(atom.operands()[1]);
    if (!a || !b) return std::nullopt;
    if (atom.kind() == IndexKind::min)
      return Reach{std::min(a->first, b->first), std::min(a->second, b->second)};
    if (atom.kind() == IndexKind::max)
      return Reach{std::max(a->first, b->first), std::max(a->second, b->second)};
    if (b->first <= 0) return std::nullopt;
    if (atom.kind() == IndexKind::floordiv) return corners(*a, *b, floor_div);
    const bool whole = a->first >= 0 && a->second < b->first;  // nothing wraps around
    return whole ? *a : Reach{0, b->second - 1};
  };
  Reach sum{index.constant_term(), index.constant_term()};
  for (const Index::Term& term : index.terms()) {
    Reach product{term.coefficient, term.coefficient};
    for (const Index& atom : term.atoms) {
      const std::optional<Reach> one = of_atom(atom);
      if (!one) return std::nullopt;
      product = corners(product, *one, [](int64_t x, int64_t y) { return x * y; });
    }
    sum = {sum.first + product.first, sum.second + product.second};
  }
  return sum;
}

}  // namespace

bool write_other_elements(const Step& a, const Step& b, ValueId value) {
  const Kernel *one = std::get_if<Kernel>(&a), *other = std::get_if<Kernel>(&b);
  if (!one || !other) return false;
  for (const Write& x : one->writes) {
    for (const Write& y : other->writes) {
      if (x.to != value || y.to != value) continue;
      bool apart = false;
      for (size_t d = 0; d < x.at.size(); ++d) {
        const auto in_x = reach(x.at[d]), in_y = reach(y.at[d]);
        apart =
            apart || (in_x && in_y && (in_x->second < in_y->first || in_y->second < in_x->first));
      }
      if (!apart) return false;
    }
  }
  return true;
}

}  // namespace burin
