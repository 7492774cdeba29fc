#include "loops/verify/distance.h"

#include <vector>

namespace burin::loops {
namespace {

constexpr int kMostDeep = 6;  // extrema inside of each other

// k * (x // k) is at most x.
Index without_whole_parts(const Index& index) {
  for (const Index::Term& term : index.terms()) {
    if (term.atoms.size() != 1 || term.atoms[0].kind() != IndexKind::floordiv) continue;
    const std::vector<Index>& operands = term.atoms[0].operands();
    if (!operands[1].is_constant() || operands[1].constant() <= 0 ||
        term.coefficient != operands[1].constant())
      continue;
    return without_whole_parts(index - term.atoms[0] * term.coefficient + operands[0]);
  }
  return index;
}

std::optional<Dim> free_bound(const Index& index) {
  std::optional<Dim> out = index.upper_bound();
  if (out && (out->has_axes() || out->has_data())) out.reset();
  return out;
}

// rest + k * min(a, b) is the least of rest + k * a and rest + k * b, where k > 0; with the
// greatest, or with k < 0, the other way round. Each of them has fewer variables left: what the
// extremum and the rest share goes away.
std::optional<Dim> bound_of(const Index& index, int deep) {
  const Index whole = without_whole_parts(index);
  std::optional<Dim> best = free_bound(whole);
  if (deep == 0) return best;
  for (const Index::Term& term : whole.terms()) {
    if (term.atoms.size() != 1) continue;
    const Index& atom = term.atoms[0];
    if (atom.kind() != IndexKind::min && atom.kind() != IndexKind::max) continue;
    const bool least = (atom.kind() == IndexKind::min) == (term.coefficient > 0);
    const Index rest = whole - atom * term.coefficient;
    std::optional<Dim> all;
    bool every = true;
    for (const Index& operand : atom.operands()) {
      const std::optional<Dim> one = bound_of(rest + operand * term.coefficient, deep - 1);
      every = every && one;
      if (one) all = !all ? *one : least ? min(*all, *one) : max(*all, *one);
    }
    if (all && (least || every)) best = best ? min(*best, *all) : *all;
    return best;
  }
  return best;
}

}  // namespace

std::optional<Dim> greatest_distance(const Index& begin, const Index& end) {
  return bound_of(end - begin, kMostDeep);
}

}  // namespace burin::loops
