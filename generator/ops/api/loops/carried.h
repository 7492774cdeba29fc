// What a loop carries, as tensors. A tensor is one; a tuple is as many as it has, where their
// number stays; a sequence whose length changes is what Bounded is made of.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "ops/api/core/op_context.h"
#include "ops/api/loops/growth.h"
#include "ops/api/sequences/item_form.h"

namespace burin {

class Carried {
 public:
  explicit Carried(Operand initial);

  // Whether what an iteration of at most `trips` gives can be carried as this says; else this has
  // become wider, at most a few times. `varies`: extents that are not the same in all iterations.
  bool takes(OpContext& op, const Operand& result, const Dim& trips,
             const std::function<bool(const Dim&)>& varies);

  std::vector<Operand> tensors_of_initial(OpContext& op) const { return tensors(op, initial_); }
  // Emits what makes the tensors of a value that this takes.
  std::vector<Operand> tensors(OpContext& op, const Operand& value) const;
  // The value that is made of them.
  Operand value_of(const std::vector<Operand>& tensors) const;
  // The first of its tensors that has the same extent as dimension `dimension` of `tensor`: as many
  // ends as rows of the table of extents.
  size_t tensor_of_extent(size_t tensor, size_t dimension) const;
  bool is_tensor() const { return !initial_.tuple(); }

 private:
  bool fits(const Tuple& result) const;
  bool is_packed() const;
  void close(ItemForm& form);
  void raise(OpContext& op, const std::map<int, Dim>& most, const Dim& trips);

  Operand initial_;
  std::optional<ItemForm>
      form_;  // of what is carried as one tensor: a sequence whose length changes
  // Its largest extents are found as growing extents are: they are open for one round, in which an
  // iteration says what it makes of them, then bound by the trips, or by nothing.
  std::vector<GrowingExtent> open_;
  Symbol number_;
  bool settled_ = false;
};

}  // namespace burin
