// What a loop carries, as tensors. A tensor is one; a tuple is as many as it has, where their
// number stays; a sequence whose length changes is what Bounded is made of.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "ops/api/bounded_sequence.h"
#include "ops/api/op_context.h"

namespace burin {

class Carried {
 public:
  explicit Carried(Operand initial) : initial_(std::move(initial)) {}

  // Whether what an iteration of at most `trips` gives can be carried as this says; else this has
  // become wider, at most a few times. `varies`: extents that are not the same in all iterations.
  bool takes(OpContext& op, const Operand& result, const Dim& trips,
             const std::function<bool(const Dim&)>& varies);

  std::vector<Operand> tensors_of_initial(OpContext& op) const { return tensors(op, initial_); }
  // Emits what makes the tensors of a value that this takes.
  std::vector<Operand> tensors(OpContext& op, const Operand& value) const;
  // The value that is made of them.
  Operand value_of(const std::vector<Operand>& tensors) const;
  bool is_tensor() const { return !initial_.tuple(); }

 private:
  bool fits(const Tuple& result) const;
  void raise(OpContext& op, const Dim& most, const Dim& trips);

  Operand initial_;
  std::optional<ItemForm> form_;  // of a sequence whose length changes
  // Its largest extent is found as growing extents are: it is open for one round, in which an
  // iteration says what it makes of it, then bound by the trips, or by nothing.
  Symbol open_, number_;
  Dim before_;
  bool settled_ = false;
};

}  // namespace burin
