#include "fuse/constants/byte_forms.h"

#include "kernel/combiner.h"
#include "kernel/expr/expr_axes.h"

namespace burin {

Expr with_instead(const Expr& whole, const Expr& part, const Expr& other) {
  return rewrite(
      whole, [&](const Expr& one) { return one == part ? other : one; },
      [](const Index& index) { return index; });
}

bool is_same_everywhere(const Expr& whole, const Expr& part) {
  return axes_of(with_instead(whole, part, Expr::constant(part.type(), 0))).empty();
}

std::optional<Extreme> extreme_of(const Let& let) {
  if ((let.op != Combiner::max && let.op != Combiner::min) || let.body.size() != 1)
    return std::nullopt;
  const Expr& body = let.body[0];
  if (body.kind() != ExprKind::cases) return Extreme{{}, body};
  if (body->cases.size() != 1 || !(body->operands[0] == identity_of(let.op, body.type())))
    return std::nullopt;
  return Extreme{body->cases[0].guard, body->cases[0].value};
}

}  // namespace burin
