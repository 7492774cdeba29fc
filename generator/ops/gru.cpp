// GRU, with gates in the order update z, reset r, new n:
//     z, r = f(X W' + H[t-1] R' + Wb + Rb)
//     n = g(X W' + (r . H[t-1]) R' + Wb + Rb)       linear_before_reset = 0
//     n = g(X W' + r . (H[t-1] R' + Rb) + Wb)       linear_before_reset = 1
//     H[t] = (1 - z) . n + z . H[t-1]
#include "ops/api/layers/recurrent.h"

namespace burin::gru_op {
namespace {

constexpr int kUpdate = 0, kReset = 1, kNew = 2, kInitial = 5;

void lower(OpContext& op) {
  const bool linear_before_reset = op.integer("linear_before_reset", 0) != 0;
  Recurrence recurrence(op, {.gates = 3,
                             .activations = {"Sigmoid", "Tanh"},
                             .separate_biases = linear_before_reset ? 1 : 0});
  recurrence.emit([&](RecurrentCell& cell) {
    const int hidden = cell.next_let() + (linear_before_reset ? 3 : 4);
    const Expr other = cell.before(hidden, kInitial, cell.other());
    const Expr own = cell.before(hidden, kInitial, cell.unit());
    const Expr update = cell.activate(0, cell.input(kUpdate) + cell.recurrent(kUpdate, other));
    const Expr reset = cell.activate(0, cell.input(kReset) + cell.recurrent(kReset, other));
    Expr recurrent;
    if (linear_before_reset) {
      recurrent = cell.recurrent(kNew, other);
      if (op.has_input(3)) recurrent = recurrent + cell.parameter(3, 3 + kNew);
      recurrent = reset * recurrent;
    } else {
      const Expr kept = cell.let(reset * own);
      recurrent = cell.recurrent(kNew, cell.at_unit(kept, cell.other()));
    }
    const Expr next = cell.activate(1, cell.input(kNew) + recurrent);
    return std::vector<Expr>{cell.let((1.0 - update) * next + update * own, own)};
  });
}

}  // namespace

OpDef definition() {
  return recurrent_op("GRU", {{"initial_h", types::floats, Arity::optional}},
                      {{"Y", types::floats, Arity::optional},
                       {"Y_h", types::floats, Arity::required, until(2)},
                       {"Y_h", types::floats, Arity::optional, since(3)}},
                      {{"linear_before_reset", AttributeKind::integer, false, since(3)}}, lower);
}

}  // namespace burin::gru_op
