// An order of expressions, by what they say.
#include <cmath>

#include "kernel/expr/expr.h"
#include "kernel/index/index_node.h"

namespace burin {
namespace {

template <class T>
int order(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

int compare_indices(const std::vector<Index>& a, const std::vector<Index>& b) {
  if (const int c = order(a.size(), b.size())) return c;
  for (size_t i = 0; i < a.size(); ++i) {
    if (const int c = compare(a[i], b[i])) return c;
  }
  return 0;
}

int compare_nodes(const ExprNode& x, const ExprNode& y) {
  if (&x == &y) return 0;
  if (const int c = order(x.kind, y.kind)) return c;
  if (const int c = order(x.type, y.type)) return c;
  if (const int c = order(x.storage, y.storage)) return c;
  if (const int c = order(x.op, y.op)) return c;
  if (const int c = order(x.mode, y.mode)) return c;
  if (x.number != y.number) return x.number < y.number ? -1 : 1;
  if (const int c = order(std::signbit(x.number), std::signbit(y.number))) return c;
  if (const int c = order(x.integer, y.integer)) return c;
  if (const int c = order(x.id, y.id)) return c;
  if (const int c = order(x.component, y.component)) return c;
  if (const int c = compare(x.index, y.index)) return c;
  if (const int c = compare_indices(x.at, y.at)) return c;
  if (const int c = order(x.operands.size(), y.operands.size())) return c;
  for (size_t i = 0; i < x.operands.size(); ++i) {
    if (const int c = compare_nodes(*x.operands[i], *y.operands[i])) return c;
  }
  if (const int c = order(x.cases.size(), y.cases.size())) return c;
  for (size_t i = 0; i < x.cases.size(); ++i) {
    const Guard &g = x.cases[i].guard, &h = y.cases[i].guard;
    if (const int c = order(g.size(), h.size())) return c;
    for (size_t k = 0; k < g.size(); ++k) {
      if (const int c = compare(g[k].index, h[k].index)) return c;
      if (const int c = compare(g[k].lo, h[k].lo)) return c;
      if (const int c = compare(g[k].hi, h[k].hi)) return c;
    }
    if (const int c = compare_nodes(*x.cases[i].value, *y.cases[i].value)) return c;
  }
  return 0;
}

}  // namespace

int compare_exprs(const ExprPtr& a, const ExprPtr& b) { return compare_nodes(*a, *b); }
size_t hash_expr(const ExprPtr& expr) { return expr->hash; }

bool operator==(const Expr& a, const Expr& b) {
  if (!a || !b) return !a && !b;
  // A NaN constant is equal to itself: identity is about the node, not about the number.
  return a.ptr() == b.ptr() || (a->hash == b->hash && compare_nodes(*a, *b) == 0);
}

bool operator<(const Expr& a, const Expr& b) { return compare_nodes(*a, *b) < 0; }

}  // namespace burin
