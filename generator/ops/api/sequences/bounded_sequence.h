// Operations on sequences of dynamic length (Bounded in op_context.h; packing.h has
// how they lie in memory). All of it is movement along the first dimension of ordinary tensors, so
// that a loop carries such a sequence, a branch gives it and an output holds it as they do with any
// tensor of a run-time size.
#pragma once

#include <functional>

#include "ops/api/core/op_context.h"
#include "ops/api/sequences/packing.h"

namespace burin {

Dim length_of(const Operand& sequence);

// A position that input i gives, counted from the end where it is negative, `ends` of them being
// legal: the run checks that it is one of 0 .. ends - 1 (or -length .. -1).
Dim position_of(OpContext& op, int i, const Dim& length, const Dim& ends);

// The tensor at `place`, written to what `declare` makes of its shape.
using Declare = std::function<Operand(Type type, Shape shape)>;
Operand item_at(OpContext& op, const Bounded& sequence, const Dim& place, const Declare& declare);

// With `item` in front of the place that `place` finds from the length.
Bounded with_item(OpContext& op, const Operand& sequence, const Operand& item,
                  const std::function<Dim(const Dim& length)>& place);
// Without the tensor at `place`.
Bounded without_item(OpContext& op, const Bounded& sequence, const Dim& place);

// A sequence of any kind with one more tensor at its end.
Operand with_last(OpContext& op, const Operand& sequence, const Operand& item);

// As an operand. One of a length that is known is a tuple of its tensors again.
Operand to_operand(OpContext& op, Bounded sequence, Tuple::Kind kind = Tuple::Kind::sequence);

}  // namespace burin
