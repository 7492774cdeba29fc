#include "kernel/symbolic/bind_range.h"

#include <algorithm>
#include <limits>

#include "kernel/index/size_bound.h"

namespace burin {
namespace {

// Of an i64 expression without axes; no `most`: nothing bounds it.
struct Ends {
  int64_t least = std::numeric_limits<int64_t>::min();
  std::optional<Dim> most = std::nullopt;
};

Ends ends_of(const Expr& expr);

// Either of both.
Ends any_of(const Ends& a, const Ends& b) {
  Ends out{std::min(a.least, b.least)};
  if (a.most && b.most) out.most = max(*a.most, *b.most);
  return out;
}

Ends of_index(const Index& index) {
  const Range range = index.range();
  Ends out{range.lo};
  if (!index.has_data()) {
    out.most = bound_before_run(index);
  } else if (range.hi != kUnbounded) {
    out.most = range.hi;
  }
  return out;
}

Ends of_binary(const ExprNode& node) {
  const Ends a = ends_of(node.operands[0]), b = ends_of(node.operands[1]);
  if (node.binary() == Binary::max) {
    Ends out = any_of(a, b);
    out.least = std::max(a.least, b.least);
    return out;
  }
  if (node.binary() != Binary::min) return {};
  Ends out{std::min(a.least, b.least), a.most ? a.most : b.most};
  if (a.most && b.most) out.most = min(*a.most, *b.most);
  return out;
}

Ends ends_of(const Expr& expr) {
  if (expr.type() != Type::i64) return {};
  switch (expr.kind()) {
    case ExprKind::constant:
      return {expr->integer, expr->integer};
    case ExprKind::index:
      return of_index(expr->index);
    case ExprKind::binary:
      return of_binary(*expr);
    case ExprKind::select:
      return any_of(ends_of(expr->operands[1]), ends_of(expr->operands[2]));
    case ExprKind::cases: {
      Ends out = ends_of(expr->operands[0]);
      for (const Expr::Case& one : expr->cases) out = any_of(out, ends_of(one.value));
      return out;
    }
    default:
      return {};
  }
}

}  // namespace

bool proven_in_range(const Bind& bind) {
  const Ends ends = ends_of(bind.value);
  if (ends.least < bind.symbol->min) return false;
  const std::optional<Dim> allowed = bound_before_run(Index::symbol(bind.symbol));
  return !allowed || (ends.most && proven_le(*ends.most, *allowed));
}

}  // namespace burin
