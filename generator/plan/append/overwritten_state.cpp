#include "plan/append/overwritten_state.h"

#include <algorithm>

#include "kernel/rewrite_kernel.h"
#include "plan/append/append_writes.h"
#include "support/at.h"

namespace burin {
namespace {

// What a case, or what follows all of them, gives; the guard is empty for the latter.
struct Part {
  Guard guard;
  Expr value;
};

std::vector<Part> parts_of(const Expr& value) {
  std::vector<Part> out;
  for (const Expr::Case& one : value->cases) out.push_back({one.guard, one.value});
  out.push_back({{}, value->operands[0]});
  return out;
}

bool keeps_apart(const Condition& one, const Index& index, const Index& begin, const Index& end) {
  return one.index == index && (proven_le(one.hi, begin) || proven_le(end, one.lo));
}

bool keeps_apart(const Guard& guard, const Index& index, const Index& begin, const Index& end) {
  return std::any_of(guard.begin(), guard.end(),
                     [&](const Condition& one) { return keeps_apart(one, index, begin, end); });
}

bool is_free(const Index& index) { return !index.has_axes() && !index.has_data(); }

// The condition of the guard that says where along a dimension, which no let runs over.
std::optional<size_t> place_in(const Guard& guard, const Kernel& kernel, Overwritten& where) {
  const Write& write = kernel.writes[0];
  for (size_t c = 0; c < guard.size(); ++c) {
    const Condition& one = guard[c];
    if (one.index.kind() != IndexKind::axis || !is_free(one.lo) || !is_free(one.hi)) continue;
    const auto along = std::find(write.at.begin(), write.at.end(), one.index);
    if (along == write.at.end() || runs_over(kernel.lets, one.index.axis_id())) continue;
    where = {static_cast<int>(along - write.at.begin()), one.lo, one.hi};
    return c;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Overwrite> overwrite_of(const Kernel& kernel, ValueId state,
                                      const std::vector<Value>& values) {
  if (kernel.writes.size() != 1) return std::nullopt;
  const Write& write = kernel.writes[0];
  if (write.value.kind() != ExprKind::cases || !is_whole(kernel, write, values[at(write.to)].shape))
    return std::nullopt;
  const std::vector<Part> parts = parts_of(write.value);
  const auto is_new = [&](const Part& part) { return !is_old(part.value, write, state); };
  const auto found = std::find_if(parts.begin(), parts.end(), is_new);
  if (found == parts.end() || std::count_if(parts.begin(), parts.end(), is_new) != 1)
    return std::nullopt;
  Overwritten where;
  const std::optional<size_t> condition = place_in(found->guard, kernel, where);
  if (!condition) return std::nullopt;
  const Index along = write.at[at(where.dimension)];
  // What comes first is elsewhere.
  const bool apart = std::all_of(parts.begin(), found, [&](const Part& part) {
    return keeps_apart(part.guard, along, where.begin, where.end);
  });
  if (!apart) return std::nullopt;
  Kernel fresh = kernel;
  fresh.writes[0].value = found->value;
  fresh.writes[0].when = found->guard;
  fresh.writes[0].when.erase(fresh.writes[0].when.begin() +
                             static_cast<std::ptrdiff_t>(*condition));
  fresh = along_part(fresh, along.axis_id(), where.begin, where.end - where.begin);
  // Inside of the state.
  const Index& place = fresh.writes[0].at[at(where.dimension)];
  const Dim& room = values[at(write.to)].shape[at(where.dimension)];
  fresh.writes[0].when.push_back({place, 0, room});
  const std::optional<Guard> left = simplify(fresh.writes[0].when);
  if (!left) return std::nullopt;
  fresh.writes[0].when = *left;
  return Overwrite{std::move(fresh), where};
}

void read_beside(Kernel& kernel, ValueId state, ValueId to, const Overwritten& where) {
  const auto beside = [&](const Expr& part, const Index& index) {
    const auto on_load = [&](const Expr& expr) {
      const bool one = expr.kind() == ExprKind::load && expr->id == state &&
                       expr->at[at(where.dimension)] == index;
      return one ? Expr::load(to, expr->storage, expr->at) : expr;
    };
    return rewrite(part, on_load, [](const Index& leaf) { return leaf; });
  };
  rewrite_exprs(kernel, [&](const Expr& expr) {
    if (expr.kind() != ExprKind::cases) return expr;
    std::vector<Index> passed;  // that what follows is not written at
    std::vector<Expr::Case> cases;
    for (const Expr::Case& one : expr->cases) {
      Expr value = one.value;
      for (const Index& index : passed) value = beside(value, index);
      for (const Condition& condition : one.guard) {
        if (keeps_apart(condition, condition.index, where.begin, where.end))
          value = beside(value, condition.index);
      }
      cases.push_back({one.guard, value});
      if (one.guard.size() == 1 && proven_le(one.guard[0].lo, where.begin) &&
          proven_le(where.end, one.guard[0].hi))
        passed.push_back(one.guard[0].index);
    }
    Expr otherwise = expr->operands[0];
    for (const Index& index : passed) otherwise = beside(otherwise, index);
    return Expr::cases(std::move(cases), otherwise);
  });
}

}  // namespace burin
