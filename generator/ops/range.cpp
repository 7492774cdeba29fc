// Range: start, start + delta, ... before limit. The number of elements is known while generating
// where the inputs are, and bound by the run elsewhere. Since opset 11.
#include <fmt/core.h>

#include <cmath>

#include "ops/api/core/known_elements.h"
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "ops/api/core/scalars.h"
#include "support/diagnostics.h"

namespace burin::range_op {
namespace {

std::optional<Dim> known_scalar(OpContext& op, int i) {
  const std::optional<std::vector<Dim>> known = op.known(i);
  return known && known->size() == 1 ? std::optional((*known)[0]) : std::nullopt;
}

// A whole number, whatever the type: floats that are computed from sizes are known too. Integers
// are exact as they are, however large.
std::optional<Dim> known_number(OpContext& op, int i, Type type) {
  if (!is_float(type)) return known_scalar(op, i);
  const std::optional<double> constant = scalar_constant(op, i);
  if (!constant) return known_scalar(op, i);
  if (std::abs(*constant) > 9e15 || *constant != std::floor(*constant)) return std::nullopt;
  return Dim(static_cast<int64_t>(*constant));
}

// max(0, ceil((limit - start) / delta)), while generating.
std::optional<Dim> known_count(OpContext& op, Type type) {
  const std::optional<Dim> delta = known_number(op, 2, type);
  if (delta && delta->is_constant(0)) refuse("bad-attribute", "delta is 0");
  if (is_float(type)) {
    const auto start = scalar_constant(op, 0), limit = scalar_constant(op, 1),
               step = scalar_constant(op, 2);
    if (start && limit && step) {
      const double count = std::ceil((*limit - *start) / *step);
      if (!(std::abs(count) < 9e15))
        refuse("limit", fmt::format("the range from {} to {} in steps of {} has no end", *start,
                                    *limit, *step));
      return Dim(static_cast<int64_t>(std::max(count, 0.0)));
    }
  }
  const auto start = known_number(op, 0, type), limit = known_number(op, 1, type);
  if (!start || !limit || !delta || !delta->is_constant()) return std::nullopt;
  const bool up = delta->constant() > 0;
  return ceildiv(max(up ? *limit - *start : *start - *limit, 0), up ? *delta : -*delta);
}

// Integers: of limit - start without the sign that does not fit 64 bits, as the rounded up quotient
// of magnitudes. A step of 0 gets nowhere: no count is legal.
Expr run_count(const Expr& start, const Expr& limit, const Expr& delta) {
  const Expr zero = Expr::constant(Type::i64, 0);
  if (is_float(start.type())) {
    const auto wide = [](const Expr& x) { return Expr::cast(Type::f64, x); };
    const Expr count = Expr::unary(Unary::ceil, (wide(limit) - wide(start)) / wide(delta));
    return Expr::select(compare(Binary::ne, wide(delta), Expr::constant(Type::f64, 0)),
                        max(Expr::cast(Type::i64, count), zero), Expr::constant(Type::i64, -1));
  }
  const Expr from = Expr::cast(Type::i64, start), to = Expr::cast(Type::i64, limit),
             step = Expr::cast(Type::i64, delta);
  const auto magnitude = [](const Expr& x) { return Expr::cast(Type::u64, x); };
  const Expr one = Expr::constant(Type::u64, 1);
  const auto steps = [&](const Expr& low, const Expr& high, const Expr& by) {
    const Expr last = (magnitude(high) - magnitude(low) - one) / magnitude(by);
    return Expr::select(compare(Binary::lt, low, high), Expr::cast(Type::i64, last + one), zero);
  };
  const Expr count = Expr::select(compare(Binary::gt, step, zero), steps(from, to, step),
                                  steps(to, from, Expr::unary(Unary::neg, step)));
  return Expr::select(compare(Binary::ne, step, zero), count, Expr::constant(Type::i64, -1));
}

// A step of at least 1 has no more elements than lie between.
Dim most_count(OpContext& op, const Expr& start, const Expr& limit) {
  if (is_float(start.type())) return kUnbounded;
  const auto wide = [](const Expr& x) { return Expr::cast(Type::i64, x); };
  const std::optional<Dim> up = elements_of(op).most(wide(limit) - wide(start)),
                           down = elements_of(op).most(wide(start) - wide(limit));
  const std::optional<Dim> step = known_number(op, 2, start.type());
  const bool only_up = step && step->is_constant() && step->constant() > 0;
  const bool only_down = step && step->is_constant() && step->constant() < 0;
  if ((!up && !only_down) || (!down && !only_up)) return kUnbounded;
  const Dim most = only_up ? *up : only_down ? *down : max(*up, *down);
  return ceildiv(max(most, 0), only_up ? *step : only_down ? -*step : Dim(1));
}

void lower(OpContext& op) {
  const Operand start = op.input(0), limit = op.input(1), delta = op.input(2);
  for (const Operand& input : {start, limit, delta}) {
    if (input.type() != start.type()) refuse("type-mismatch", "the inputs must be of one type");
    op.require_equal(product(input.shape()), 1, "elements of an input");
  }
  std::optional<Dim> count = known_count(op, start.type());
  if (!count) {
    count = op.run_size("count", {0, most_count(op, start.scalar(), limit.scalar())},
                        run_count(start.scalar(), limit.scalar(), delta.scalar()));
  }
  const Operand y = op.output(0, start.type(), {*count});
  op.map(y, [&](const Indices& at) {
    return start.scalar() + Expr::cast(y.compute(), Expr::index(at[0])) * delta.scalar();
  });
}

}  // namespace

OpDef definition() {
  const TypeSet types = types::f32 | only(Type::f64) | only(Type::i16) | types::indices;
  const TypeSet later = types | types::floats;
  return {.name = "Range",
          .since = 11,
          .inputs = {{"start", types, Arity::required, until(26)},
                     {"limit", types, Arity::required, until(26)},
                     {"delta", types, Arity::required, until(26)},
                     {"start", later, Arity::required, since(27)},
                     {"limit", later, Arity::required, since(27)},
                     {"delta", later, Arity::required, since(27)}},
          .outputs = {{"output"}},
          // Floats of sixteen bits are computed in f32 anyway.
          .attributes = {{"stash_type", AttributeKind::integer, false, since(27)}},
          .lower = lower};
}

}  // namespace burin::range_op
