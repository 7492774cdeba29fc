// RNN: H[t] = f(X[t] W' + H[t-1] R' + Wb + Rb), in one or two directions.
#include "ops/api/layers/recurrent.h"

namespace burin::rnn_op {
namespace {

void lower(OpContext& op) {
  Recurrence recurrence(op, {.gates = 1, .activations = {"Tanh"}});
  recurrence.emit([&](RecurrentCell& cell) {
    const int hidden = cell.next_let() + 1;
    const Expr sum = cell.recurrent(0, cell.before(hidden, 5, cell.other()));
    const Expr next = cell.activate(0, cell.input(0) + sum);
    return std::vector<Expr>{cell.let(next, cell.before(hidden, 5, cell.unit()))};
  });
}

}  // namespace

OpDef definition() {
  return recurrent_op(
      "RNN", {{"initial_h", types::floats, Arity::optional}},
      {{"Y", types::floats, Arity::optional}, {"Y_h", types::floats, Arity::optional}}, {}, lower);
}

}  // namespace burin::rnn_op
