#include "select/schedule/polyphase.h"

#include <algorithm>
#include <numeric>

#include "kernel/combiner.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/split_axes.h"
#include "select/axes/guards.h"
#include "select/schedule/loop_plan.h"
#include "support/check.h"

namespace burin {
namespace {

constexpr int64_t kLargestModulus = 64;

// (coefficient*axis + rest) % modulus == remainder, for one axis of a condition.
struct Congruence {
  Condition condition;
  int axis = -1;
  int64_t coefficient = 0, modulus = 0, remainder = 0;
  Index rest;

  int64_t common() const { return std::gcd(coefficient, modulus); }
  int64_t period() const { return modulus / common(); }
};

// The congruences that a condition is: one for each axis that is linear in it.
std::vector<Congruence> congruences_of(const Condition& condition) {
  std::vector<Congruence> out;
  const Index& index = condition.index;
  if (index.kind() != IndexKind::mod || !index.operands()[1].is_constant()) return out;
  if (!condition.lo.is_constant() || !(condition.hi - condition.lo).is_constant(1)) return out;
  const int64_t modulus = index.operands()[1].constant();
  if (modulus < 2 || modulus > kLargestModulus) return out;
  const Index& x = index.operands()[0];
  for (const Index::Term& term : x.terms()) {
    if (term.atoms.size() != 1 || term.atoms[0].kind() != IndexKind::axis) continue;
    Congruence one{condition, term.atoms[0].axis_id(), term.coefficient,
                   modulus,   condition.lo.constant(), x - term.atoms[0] * term.coefficient};
    if (!one.rest.uses_axis(one.axis) && !one.rest.has_data() && one.period() > 1)
      out.push_back(std::move(one));
  }
  return out;
}

// Whether a let is the only one to use an axis, which it reduces.
bool reduces_alone(const Kernel& kernel, size_t let, int axis) {
  if (!contains(kernel.lets[let].reduced, axis)) return false;
  for (size_t i = 0; i < kernel.lets.size(); ++i) {
    const Let& other = kernel.lets[i];
    if (contains(other.over, axis) || (i != let && contains(other.reduced, axis))) return false;
  }
  return std::none_of(kernel.writes.begin(), kernel.writes.end(),
                      [&](const Write& write) { return contains(write.over, axis); });
}

// The congruences on axes that let number `let` reduces: outside them it adds nothing.
std::vector<Congruence> congruences_of(const Kernel& kernel, size_t let) {
  std::vector<Congruence> out;
  const Let& one = kernel.lets[let];
  if (one.op == Combiner::none || one.body.size() != 1) return out;
  for (const Condition& condition : strip_guard(one.op, one.body[0]).guard) {
    for (Congruence& congruence : congruences_of(condition)) {
      if (reduces_alone(kernel, let, congruence.axis)) out.push_back(std::move(congruence));
    }
  }
  return out;
}

// The body where `conditions` hold, and what adds nothing elsewhere. A product stays one: each
// factor gets the conditions on its own axes.
Expr restricted(Combiner op, const Expr& body, const Guard& conditions) {
  if (conditions.empty()) return body;
  const auto guarded = [](const Expr& value, const Guard& guard, const Expr& otherwise) {
    if (guard.empty()) return value;
    if (value.kind() == ExprKind::cases && value->cases.size() == 1 &&
        value->operands[0] == otherwise) {
      Expr::Case one = value->cases[0];
      one.guard.insert(one.guard.begin(), guard.begin(), guard.end());
      return Expr::cases({one}, otherwise);
    }
    return Expr::cases({{guard, value}}, otherwise);
  };
  if (op != Combiner::sum || body.kind() != ExprKind::binary || body->binary() != Binary::mul)
    return guarded(body, conditions, identity_of(op, body.type()));
  std::vector<Expr> factors;
  std::vector<bool> placed(conditions.size(), false);
  for (const Expr& factor : body->operands) {
    const std::vector<int> axes = axes_of(factor);
    Guard own;
    for (size_t i = 0; i < conditions.size(); ++i) {
      std::vector<int> used;
      conditions[i].index.collect_axes(used);
      if (std::none_of(used.begin(), used.end(), [&](int axis) { return contains(axes, axis); }))
        continue;
      own.push_back(conditions[i]);
      placed[i] = true;
    }
    factors.push_back(guarded(factor, own, Expr::constant(factor.type(), 0)));
  }
  Guard left;
  for (size_t i = 0; i < conditions.size(); ++i) {
    if (!placed[i]) left.push_back(conditions[i]);
  }
  return guarded(factors[0] * factors[1], left, identity_of(op, body.type()));
}

// Every axis of the congruences cut into phases: t = period*j + e, o = period*p + f.
Kernel cut_into_phases(const Kernel& kernel) {
  std::vector<int64_t> periods(kernel.axes.size(), 1);
  for (size_t i = 0; i < kernel.lets.size(); ++i) {
    for (const Congruence& found : congruences_of(kernel, i)) {
      if (!may_split(kernel, found.axis)) continue;
      for (const Congruence& one : congruences_of(found.condition)) {
        int64_t& period = periods[static_cast<size_t>(one.axis)];
        if (may_split(kernel, one.axis)) period = std::lcm(period, one.period());
      }
    }
  }
  std::vector<std::vector<Dim>> chains(kernel.axes.size());
  Guard inside;  // of the extents that are no multiples
  bool any = false;
  int next = 0;
  for (size_t a = 0; a < kernel.axes.size(); ++a) {
    const Dim& extent = kernel.axes[a].extent;
    const int64_t period = periods[a];
    if (period == 1 || period > kLargestModulus || extent.is_constant(period)) {
      next += extent.is_constant(1) ? 0 : 1;
      continue;
    }
    any = true;
    chains[a] = {period};
    const Dim outer = ceildiv(extent, period);
    const Index p = Index::axis(next, outer);
    next += outer.is_constant(1) ? 0 : 1;
    const Index whole = p * period + Index::axis(next++, period);
    if (outer * period != extent) inside.push_back({whole, 0, extent});
  }
  if (!any) return kernel;
  Kernel out = split_axes(kernel, chains);
  if (inside.empty()) return out;
  const auto about = [&](const std::vector<int>& axes, const std::vector<int>& more) {
    Guard guard;
    for (const Condition& condition : inside) {
      std::vector<int> used;
      condition.index.collect_axes(used);
      if (contains(axes, used[0]) || contains(more, used[0])) guard.push_back(condition);
    }
    return guard;
  };
  for (Let& let : out.lets) {
    for (Expr& body : let.body) body = restricted(let.op, body, about(let.over, let.reduced));
  }
  for (Write& write : out.writes) {
    const Guard guard = about(write.over, {});
    write.when.insert(write.when.end(), guard.begin(), guard.end());
  }
  return out;
}

int64_t inverse(int64_t a, int64_t modulus) {
  for (int64_t x = 1; x < modulus; ++x) {
    if ((a * x - 1) % modulus == 0) return x * 2 > modulus ? x - modulus : x;
  }
  return 0;
}

// Takes out an axis over one period that a congruence determines.
Kernel solved(const Kernel& kernel, size_t let, const Congruence& one) {
  Kernel out = kernel;
  const int64_t common = one.common(), period = one.period();
  const Index needed = one.rest - one.remainder;  // coefficient*axis == -needed
  const Index place =
      mod(floordiv(needed, common) * -inverse(one.coefficient / common, period), period);
  std::vector<Index> replacement;
  int next = 0;
  for (size_t a = 0; a < kernel.axes.size(); ++a) {
    if (static_cast<int>(a) == one.axis) {
      replacement.emplace_back(0);
    } else {
      replacement.push_back(Index::axis(next++, kernel.axes[a].extent));
    }
  }
  Guard left;
  if (common > 1) left.push_back({mod(needed, common).substitute_axes(replacement), 0, 1});
  const auto renumber = [&](std::vector<int>& axes) {
    axes.erase(std::remove(axes.begin(), axes.end(), one.axis), axes.end());
    for (int& axis : axes) axis -= axis > one.axis ? 1 : 0;
  };
  const Index solution = place.substitute_axes(replacement);
  out.axes.erase(out.axes.begin() + one.axis);
  for (size_t i = 0; i < out.lets.size(); ++i) {
    Let& it = out.lets[i];
    renumber(it.over);
    renumber(it.reduced);
    replacement[static_cast<size_t>(one.axis)] = solution;
    for (Expr& body : it.body) {
      if (i == let) body = assume(body, one.condition, true);
      body = substitute_axes(body, replacement);
      if (i == let) body = restricted(it.op, body, left);
    }
  }
  for (Write& write : out.writes) {
    renumber(write.over);
    for (Index& index : write.at) index = index.substitute_axes(replacement);
    write.when = substitute_axes(write.when, replacement);
    write.value = substitute_axes(write.value, replacement);
  }
  return out;
}

}  // namespace

Kernel polyphase(const Kernel& kernel) {
  Kernel out = cut_into_phases(kernel);
  for (size_t i = 0; i < out.lets.size(); ++i) {
    for (bool again = true; again;) {
      again = false;
      for (const Congruence& one : congruences_of(out, i)) {
        if (!out.axes[static_cast<size_t>(one.axis)].extent.is_constant(one.period())) continue;
        out = solved(out, i, one);
        again = true;
        break;
      }
    }
  }
  return out;
}

}  // namespace burin
