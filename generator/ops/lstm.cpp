// LSTM, with gates in the order input i, output o, forget f, cell c:
//     i, f = f(X W' + H[t-1] R' + P . C[t-1] + Wb + Rb);  n = g(X W' + H[t-1] R' + Wb + Rb)
//     C[t] = f . C[t-1] + i . n;  o = f(... + P . C[t]);  H[t] = o . h(C[t])
// input_forget couples f = 1 - i.
#include "ops/api/recurrent.h"
#include "support/diagnostics.h"

namespace burin::lstm_op {
namespace {

constexpr int kInput = 0, kOutput = 1, kForget = 2, kNew = 3;
constexpr int kInitialH = 5, kInitialC = 6, kPeepholes = 7;

void lower(OpContext& op) {
  const bool coupled = op.integer("input_forget", 0) != 0;
  Recurrence recurrence(
      op, {.gates = 4, .activations = {"Sigmoid", "Tanh", "Tanh"}, .initial_states = 2});
  if (op.has_input(kPeepholes)) {
    const Operand p = op.input(kPeepholes);
    if (p.rank() != 2) refuse("shape-mismatch", "P has shape " + to_string(p.shape()));
    op.require_equal(p.dim(0), op.input(1).dim(0), "directions of P");
    op.require_equal(p.dim(1), op.input(2).dim(2) * 3, "P");
  }
  recurrence.emit([&](RecurrentCell& cell) {
    const int memory = cell.next_let() + (coupled ? 3 : 4), hidden = memory + 1;
    const Expr other = cell.before(hidden, kInitialH, cell.other());
    const Expr old = cell.before(memory, kInitialC, cell.unit());
    const auto sum = [&](int gate) { return cell.input(gate) + cell.recurrent(gate, other); };
    const auto peep = [&](int gate, const Expr& x, const Expr& state) {
      return op.has_input(kPeepholes) ? x + cell.parameter(kPeepholes, gate) * state : x;
    };
    const Expr input = cell.activate(0, peep(kInput, sum(kInput), old));
    const Expr output_sum = sum(kOutput);
    const Expr forget = coupled ? 1.0 - input : cell.activate(0, peep(kForget, sum(kForget), old));
    const Expr next = cell.activate(1, sum(kNew));
    const Expr c = cell.let(forget * old + input * next, old);
    const Expr output = cell.activate(0, peep(kOutput, output_sum, c));
    const Expr h =
        cell.let(output * cell.activate(2, c, false), cell.before(hidden, kInitialH, cell.unit()));
    return std::vector<Expr>{h, c};
  });
}

}  // namespace

OpDef definition() {
  return recurrent_op("LSTM",
                      {{"initial_h", types::floats, Arity::optional},
                       {"initial_c", types::floats, Arity::optional},
                       {"P", types::floats, Arity::optional}},
                      {{"Y", types::floats, Arity::optional},
                       {"Y_h", types::floats, Arity::optional},
                       {"Y_c", types::floats, Arity::optional}},
                      {{"input_forget", AttributeKind::integer}}, lower);
}

}  // namespace burin::lstm_op
