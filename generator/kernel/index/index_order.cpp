// The order of indices in canonical forms: by structure.
#include <string_view>

#include "kernel/index/index_node.h"

namespace burin {

int compare(const Index& a, const Index& b) {
  const IndexNode &x = a.node(), &y = b.node();
  if (&x == &y) return 0;
  const auto order = [](auto p, auto q) { return p < q ? -1 : q < p ? 1 : 0; };
  if (x.kind != y.kind) return order(x.kind, y.kind);
  if (x.value != y.value) return order(x.value, y.value);
  if (x.symbol) return order(std::string_view(x.symbol->name), std::string_view(y.symbol->name));
  if (x.data) {
    if (const int c = compare_exprs(x.data, y.data)) return c;
  }
  if (x.operands.size() != y.operands.size()) return order(x.operands.size(), y.operands.size());
  for (size_t i = 0; i < x.operands.size(); ++i) {
    if (const int c = compare(x.operands[i], y.operands[i])) return c;
  }
  if (x.terms.size() != y.terms.size()) return order(x.terms.size(), y.terms.size());
  for (size_t i = 0; i < x.terms.size(); ++i) {
    if (const int c = compare_atoms(x.terms[i].atoms, y.terms[i].atoms)) return c;
    if (x.terms[i].coefficient != y.terms[i].coefficient) {
      return order(x.terms[i].coefficient, y.terms[i].coefficient);
    }
  }
  return 0;
}

int compare_atoms(const std::vector<Index>& a, const std::vector<Index>& b) {
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (const int c = compare(a[i], b[i])) return c;
  }
  return a.size() < b.size() ? -1 : a.size() > b.size() ? 1 : 0;
}

bool operator==(const Index& a, const Index& b) {
  return a.hash() == b.hash() && compare(a, b) == 0;
}
bool operator<(const Index& a, const Index& b) { return compare(a, b) < 0; }

}  // namespace burin
