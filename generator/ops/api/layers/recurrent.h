// What RNN, GRU and LSTM share: shapes, directions, sequence lengths, initial states, and the form
// of their kernels.
//
// The products of the inputs are one contraction over all steps, with the biases added, in a kernel
// of its own. Each direction is then a kernel whose time axis is sequential and whose states are
// lets that read themselves one step back. A sequence that has ended keeps its state and gives
// zeros (ONNX, operator RNN; the reverse direction starts at the end of each sequence).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ops/api/core/op_def.h"
#include "ops/api/math/activation.h"

namespace burin {

// One direction at one step.
class RecurrentCell {
 public:
  const Index& unit() const { return unit_; }
  const Index& other() const { return other_; }  // the reduced unit of the step before
  // The product of the input for gate number `gate`, with its biases.
  Expr input(int gate) const;
  // sum over units k of state[k] * R[gate][unit][k]: a let.
  Expr recurrent(int gate, const Expr& state_at_other);
  // State number `let` one step back at a unit; `initial` (input number) before the first step.
  Expr before(int let, int initial, const Index& at_unit) const;
  // The least or greatest of all units of the batch, one step back: a let.
  Expr extreme_before(Combiner which, int let, int initial);
  // A value of this step at another unit.
  Expr at_unit(const Expr& let, const Index& at_unit) const;
  // A let over step, batch and unit; `held`: what it stays at where the sequence has ended.
  Expr let(const Expr& value, const Expr& held = {});
  int next_let() const { return kernel_.next_let(); }
  // Activation number `number` of the direction, after clipping its argument (that of a gate).
  Expr activate(size_t number, const Expr& x, bool clipped = true) const;
  // Entry of a parameter [directions, ...] of this direction: block `block` of hidden_size.
  Expr parameter(int input, int64_t block) const;

 private:
  friend class Recurrence;
  OpContext& op_;
  const class Recurrence& all_;
  KernelBuilder kernel_;
  int direction_;
  Index step_, batch_, unit_, other_, time_;
  RecurrentCell(OpContext& op, const Recurrence& all, int direction);
};

struct RecurrentRule {
  int gates = 1;
  std::vector<std::string> activations;  // of one direction
  int initial_h = 5;                     // input number
  int initial_states = 1;                // inputs from there on
  // Gates whose recurrent bias is not added to the input's product (GRU, linear_before_reset).
  int separate_biases = 0;  // of the last gates
  // Of weights [directions, input or hidden, gates * hidden], with parameters of their own behind
  // the other inputs: the element for a row (gate * hidden + unit) and a column.
  using Weight = std::function<Expr(const Index& direction, const Index& row, const Index& column)>;
  Weight w = {}, r = {};
  Operand x = {};  // instead of input 0
};

class Recurrence {
 public:
  Recurrence(OpContext& op, RecurrentRule rule);

  // `cell` gives the states after the step: those of the outputs Y_h, Y_c ...; the first is Y, too.
  void emit(const std::function<std::vector<Expr>(RecurrentCell&)>& cell);

 private:
  friend class RecurrentCell;
  Indices state_at(const Index& direction, const Index& batch, const Index& unit) const;
  void project();
  void keep_initial(const Operand& last, int initial, int direction);
  bool given() const { return rule_.w != nullptr; }  // weights that are the rule's

  OpContext& op_;
  RecurrentRule rule_;
  Operand x_, w_, r_, projection_;
  bool batch_first_ = false;
  int directions_ = 1;
  std::vector<bool> reverse_;
  std::vector<Activation> activations_;
  double clip_ = 0;
  Dim steps_, batch_, hidden_;
};

OpDef recurrent_op(std::string name, std::vector<Formal> inputs, std::vector<Formal> outputs,
                   std::vector<AttributeDef> attributes, void (*lower)(OpContext&));

}  // namespace burin
