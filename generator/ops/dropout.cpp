// Dropout. At inference the output is the input, the mask is all true (until opset 9: of the type
// of the data, all one). In training mode each element is dropped with the probability `ratio`, and
// those that stay are scaled by 1 / (1 - ratio). The same draws in each run, from the attribute
// seed or the place of the node (ops/api/layers/random.h).
#include "ops/api/core/declared_draws.h"
#include "ops/api/core/op_def.h"
#include "ops/api/core/scalars.h"
#include "ops/api/layers/random.h"
#include "support/diagnostics.h"

namespace burin::dropout_op {
namespace {

// What the node asks for; what is no number is known by the run alone.
struct Request {
  std::optional<bool> trains;
  std::optional<double> ratio;
  bool drops() const { return trains.value_or(true) && ratio != 0.0; }
};

Request request(OpContext& op) {
  if (op.version() < 12) {
    const bool trains = op.version() < 7 && op.integer("is_test", 0) == 0;
    return {trains, op.real("ratio", 0.5)};
  }
  Request out{false, 0.5};
  if (op.has_input(2)) {
    const std::optional<double> mode = scalar_of(op.constant(2));
    out.trains = mode ? std::optional(*mode != 0) : std::nullopt;
  }
  if (op.has_input(1)) out.ratio = scalar_of(op.constant(1));
  return out;
}

void drop(OpContext& op, const Operand& x, const Request& asked) {
  if (asked.ratio && !(*asked.ratio >= 0 && *asked.ratio < 1))
    refuse("bad-attribute", "ratio is not in [0, 1)");
  const Type compute = x.compute();
  const uint64_t key = random_key(op);
  const Expr ratio =
      asked.ratio ? x.constant(*asked.ratio) : Expr::cast(compute, op.input(1).scalar());
  const auto kept = [&](const Indices& at) {
    const Expr drawn = random_uniform(compute, key, element_number(at, x.shape()));
    const Expr stays = compare(Binary::ge, drawn, ratio);
    if (asked.trains) return stays;
    return Expr::binary(Binary::logical_or, stays,
                        Expr::unary(Unary::logical_not, op.input(2).scalar()));
  };
  const Operand y = op.output(0, x.type(), x.shape());
  draws_of(op).drawn(0, std::nullopt);
  op.map(y, [&](const Indices& at) {
    const Expr scaled = x.at(at) * (x.constant(1) / (x.constant(1) - ratio));
    const Expr stays = asked.trains ? scaled : Expr::select(op.input(2).scalar(), scaled, x.at(at));
    return Expr::select(kept(at), stays, y.zero());
  });
  if (!op.has_output(1)) return;
  const Operand mask = op.output(1, op.version() < 10 ? x.type() : Type::boolean, x.shape());
  std::optional<Distribution> known;
  if (asked.trains && asked.ratio) known = {DrawKind::bernoulli, 1 - *asked.ratio};
  draws_of(op).drawn(1, known);
  op.map(mask,
         [&](const Indices& at) { return Expr::select(kept(at), mask.constant(1), mask.zero()); });
}

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const Request asked = request(op);
  if (asked.drops()) return drop(op, x, asked);
  op.forward(0, x);
  if (!op.has_output(1)) return;
  const Operand mask = op.output(1, op.version() < 10 ? x.type() : Type::boolean, x.shape());
  op.map(mask, [&](const Indices&) { return mask.constant(1); });
}

}  // namespace

OpDef definition() {
  return {.name = "Dropout",
          .inputs = {{"data", types::floats | types::narrow8},
                     {"ratio", types::floats | types::narrow8, Arity::optional, since(12)},
                     {"training_mode", types::boolean, Arity::optional, since(12)}},
          .outputs = {{"output"}, {"mask", types::all, Arity::optional}},
          .attributes = {{"ratio", AttributeKind::real, false, until(11)},
                         {"seed", AttributeKind::integer, false, since(12)},
                         {"is_test", AttributeKind::integer, false, until(6)},
                         {"consumed_inputs", AttributeKind::integers, false, until(5)}},
          .lower = lower};
}

}  // namespace burin::dropout_op
