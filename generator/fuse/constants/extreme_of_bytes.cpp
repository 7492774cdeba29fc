#include "fuse/constants/extreme_of_bytes.h"

#include <algorithm>

#include "fuse/access/access.h"
#include "fuse/access/products.h"
#include "kernel/combiner.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/rewrite_kernel.h"
#include "support/at.h"

namespace burin {
namespace {

bool reads(const Expr& expr, const Expr& part) {
  bool found = false;
  visit(expr, [&](const ExprNode& node) { found = found || &node == part.ptr().get(); });
  return found || expr == part;
}

// Wide enough for whatever a byte and a zero point make.
bool is_wide(Type type) { return type == Type::i32 || type == Type::i64 || is_float(type); }
bool is_small(const Expr& expr) {
  constexpr int64_t kMost = 1 << 20;
  if (expr.kind() == ExprKind::constant) return -kMost < expr->integer && expr->integer < kMost;
  return expr.kind() == ExprKind::cast && is_wide(expr.type()) &&
         expr->operands[0].kind() == ExprKind::load && size_bits(expr->operands[0]->storage) <= 16;
}

// Integers to wider ones or to floats, floats to floats: whatever is greater stays so, or becomes
// the same.
bool widens(const Expr& cast) {
  const Type from = cast->operands[0].type(), to = cast.type();
  if (cast->storage != to) return false;
  return is_float(to) || (!is_float(from) && is_wide(to) && size_bits(from) <= size_bits(to));
}

// What terms are made of: an element, and where there is one.
struct Term {
  Expr load;
  Guard guard;
};
std::optional<Term> term_of(const Let& let, ValueId value) {
  const Expr& body = let.body[0];
  Term out{body, {}};
  if (body.kind() == ExprKind::cases) {
    if (body->cases.size() != 1 || !(body->operands[0] == identity_of(let.op, body.type())))
      return std::nullopt;
    out = {body->cases[0].value, body->cases[0].guard};
  }
  if (out.load.kind() != ExprKind::load || out.load->id != value) return std::nullopt;
  return out;
}

// Whether some tap of each reduced axis meets the conditions at every point: one of 0 .. T - 1 lies
// in lo - base .. hi - base.
bool has_a_term(const Kernel& kernel, const Let& let, const Guard& guard) {
  std::vector<int> seen;
  for (const Condition& one : guard) {
    if (one.index.has_data() || one.lo.has_data() || one.hi.has_data()) return false;
    int tap = -1;
    for (const int axis : let.reduced) {
      if (one.lo.uses_axis(axis) || one.hi.uses_axis(axis)) return false;
      if (!one.index.uses_axis(axis)) continue;
      if (tap >= 0 || contains(seen, axis)) return false;
      tap = axis;
    }
    if (tap < 0) return false;
    seen.push_back(tap);
    const Dim& taps = kernel.axes[at(tap)].extent;
    const Index base = one.index - Index::axis(tap, taps);
    if (base.uses_axis(tap) || !proven_le(one.lo - base, taps - 1) ||
        !proven_le(base, one.hi - 1) || !proven_le(one.lo + 1, one.hi))
      return false;
  }
  return std::all_of(let.reduced.begin(), let.reduced.end(),
                     [&](int axis) { return proven_le(1, kernel.axes[at(axis)].extent); });
}

}  // namespace

int direction_of(const Expr& f, const Expr& made, ValueBounds& bounds) {
  if (f == made) return 1;
  if (f.kind() == ExprKind::cast) return widens(f) ? direction_of(f->operands[0], made, bounds) : 0;
  if (f.kind() != ExprKind::binary) return 0;
  const bool second = reads(f->operands[1], made);
  if (second == reads(f->operands[0], made)) return 0;
  const Expr &varies = f->operands[second ? 1 : 0], &same = f->operands[second ? 0 : 1];
  const int along = direction_of(varies, made, bounds);
  const bool floats = is_float(f.type());
  if (floats && !bounds.of(same).is_finite()) return 0;
  if (!floats && !is_small(same)) return 0;
  switch (f->binary()) {
    case Binary::add:
      return along;
    case Binary::sub:
      return second ? -along : along;
    case Binary::mul:
    case Binary::div: {
      const FloatBounds& its = bounds.of(same);
      if (!floats || (f->binary() == Binary::div && second) || its.zero || its.lo * its.hi <= 0)
        return 0;
      return its.lo > 0 ? along : -along;
    }
    default:
      return 0;
  }
}

std::optional<int> extreme_over(const Kernel& kernel, ValueId value) {
  std::optional<int> found;
  for (size_t number = 0; number < kernel.lets.size(); ++number) {
    const Let& let = kernel.lets[number];
    const bool reads_it = std::any_of(let.body.begin(), let.body.end(),
                                      [&](const Expr& one) { return loads(one, value); });
    if (!reads_it) continue;
    if (found || (let.op != Combiner::max && let.op != Combiner::min) || let.body.size() != 1 ||
        let.reduced.empty())
      return std::nullopt;
    const std::optional<Term> term = term_of(let, value);
    if (!term || !has_a_term(kernel, let, term->guard)) return std::nullopt;
    found = static_cast<int>(number);
  }
  for (const Write& write : kernel.writes) {
    if (loads(write.value, value)) return std::nullopt;
  }
  return found;
}

std::optional<Kernel> with_extreme_of_bytes(
    const Kernel& kernel, int number, Type type, int direction,
    const std::function<Expr(const Expr& byte, const std::vector<Index>& element)>& made_of) {
  Kernel out = kernel;
  Let& let = out.lets[at(number)];
  const Expr body = let.body[0];
  const bool guarded = body.kind() == ExprKind::cases;
  const Expr load = guarded ? body->cases[0].value : body;
  if (direction < 0) let.op = let.op == Combiner::max ? Combiner::min : Combiner::max;
  const Expr byte = Expr::load(load->id, type, load->at);
  let.body[0] =
      guarded ? Expr::cases({{body->cases[0].guard, byte}}, identity_of(let.op, type)) : byte;
  let.accumulator[0] = type;
  std::vector<Index> own;
  for (const int axis : let.over) own.push_back(Index::axis(axis, kernel.axes[at(axis)].extent));
  const Expr result = made_of(Expr::let(number, type, own), load->at);
  const std::vector<int> used = axes_of(result);
  for (const int axis : let.reduced) {
    if (contains(used, axis)) return std::nullopt;
  }
  const std::vector<int> over = let.over;
  rewrite_exprs(out, [&](const Expr& expr) -> Expr {
    if (expr.kind() != ExprKind::let || expr->id != number || expr.type() == type) return expr;
    std::vector<Index> axes;
    for (size_t a = 0; a < kernel.axes.size(); ++a)
      axes.push_back(Index::axis(static_cast<int>(a), kernel.axes[a].extent));
    for (size_t d = 0; d < over.size(); ++d) axes[at(over[d])] = expr->at[d];
    return substitute_axes(result, axes);
  });
  return out;
}

}  // namespace burin
