#include "ops/api/layers/lstm_layer.h"

#include "support/diagnostics.h"

namespace burin {
namespace {

enum LstmGate : int { kInputGate, kOutputGate, kForgetGate, kNewGate };
constexpr int kInitialH = 5, kInitialC = 6, kPeepholes = 7;

}  // namespace

RecurrentRule lstm_rule() {
  return {.gates = 4, .activations = {"Sigmoid", "Tanh", "Tanh"}, .initial_states = 2};
}

void lower_lstm(OpContext& op, RecurrentRule rule, const HiddenView& view) {
  const bool coupled = op.integer("input_forget", 0) != 0;
  const Dim hidden_size = op.input(2).dim(rule.w ? 1 : 2);
  Recurrence recurrence(op, std::move(rule));
  if (op.has_input(kPeepholes)) {
    const Operand p = op.input(kPeepholes);
    if (p.rank() != 2) refuse("shape-mismatch", "P has shape " + to_string(p.shape()));
    op.require_equal(p.dim(0), op.input(1).dim(0), "directions of P");
    op.require_equal(p.dim(1), hidden_size * 3, "P");
  }
  recurrence.emit([&](RecurrentCell& cell) {
    const int memory = cell.next_let() + view.lets + (coupled ? 3 : 4), hidden = memory + 1;
    const Expr state = cell.before(hidden, kInitialH, cell.other());
    const Expr other = view.see ? view.see(cell, hidden, state) : state;
    const Expr old = cell.before(memory, kInitialC, cell.unit());
    const auto sum = [&](int gate) { return cell.input(gate) + cell.recurrent(gate, other); };
    const auto peep = [&](int gate, const Expr& x, const Expr& c) {
      return op.has_input(kPeepholes) ? x + cell.parameter(kPeepholes, gate) * c : x;
    };
    const Expr input = cell.activate(0, peep(kInputGate, sum(kInputGate), old));
    const Expr output_sum = sum(kOutputGate);
    const Expr forget =
        coupled ? 1.0 - input : cell.activate(0, peep(kForgetGate, sum(kForgetGate), old));
    const Expr next = cell.activate(1, sum(kNewGate));
    const Expr c = cell.let(forget * old + input * next, old);
    const Expr output = cell.activate(0, peep(kOutputGate, output_sum, c));
    const Expr h =
        cell.let(output * cell.activate(2, c, false), cell.before(hidden, kInitialH, cell.unit()));
    return std::vector<Expr>{h, c};
  });
}

OpDef make_lstm_op(std::string name, void (*lower)(OpContext&)) {
  return recurrent_op(std::move(name),
                      {{"initial_h", types::floats, Arity::optional},
                       {"initial_c", types::floats, Arity::optional},
                       {"P", types::floats, Arity::optional}},
                      {{"Y", types::floats, Arity::optional},
                       {"Y_h", types::floats, Arity::optional},
                       {"Y_c", types::floats, Arity::optional}},
                      {{"input_forget", AttributeKind::integer}}, lower);
}

}  // namespace burin
