// Values of control flow: what a loop carries from one iteration to the next, and what branches
// share.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ops/api/core/op_context.h"

namespace burin {

// `to` = `from`, point by point over the extents of `from`.
void copy_value(OpContext& op, const Operand& from, const Operand& to);

// `to`[prefix, at] = `from`[at]
void copy_into(OpContext& op, const Operand& from, const Operand& to, const Indices& prefix,
               size_t position = 0);

// A temporary of the type and shape of `initial`, with its contents.
Operand state_from(OpContext& op, const std::string& what, const Operand& initial);

// states[k] = results[k] for all k at once: a result that is itself a state is saved first.
void update_states(OpContext& op, const std::vector<Operand>& states,
                   const std::vector<Operand>& results);

// An extent of what one of several branches gives, from those of all; where they differ, each
// branch binds it. `within` emits into branch k.
Dim merged_extent(OpContext& op, const std::vector<Dim>& extents,
                  const std::function<void(size_t k, const std::function<void()>& body)>& within);

// Steps that `body` emits.
Steps collected(OpContext& op, const std::function<void()>& body);

// Zeros, where no region is to write the tensor, or not all of it.
void fill_zero(OpContext& op, const Operand& to);

// A region that is executed `trips` times at most.
std::shared_ptr<Loop> make_loop(OpContext& op, const Dim& trips);

// Types and ranks of what a nested graph gives for a state must be those of the state.
void check_state(const Operand& state, const Operand& result);

}  // namespace burin
