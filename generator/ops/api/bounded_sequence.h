// Sequences whose length only the run knows (Bounded in op_context.h): what their tensors have in
// common, how a tuple becomes one, and the operations on them. All of it is movement along the
// first dimension of ordinary tensors, so that a loop carries such a sequence, a branch gives it
// and an output holds it as they do with any tensor of a run-time size.
#pragma once

#include <functional>
#include <optional>

#include "ops/api/op_context.h"

namespace burin {

// Of operators, for `burin ops`.
inline constexpr const char* kBoundedNote =
    "where only the run knows the length, the tensors differ in one dimension at most";

// What the tensors of a sequence look like. Along dimension `axis` each has an extent of its own,
// at most `most` (known before the run, or kUnbounded); -1: all have one shape.
struct ItemForm {
  Type type = Type::none;
  Shape shape;
  int axis = -1;
  Dim most = kUnbounded;
};

// The largest that an extent may be, where that is known before the run, over sizes of the caller
// and those that are open while lowering; else kUnbounded.
Dim bound_of_extent(const Dim& extent);

// Of a tensor that is to be put into a sequence.
ItemForm form_of_tensor(const Operand& tensor);
// Of the tensors in a sequence; nullopt where it is empty and nothing says what it might hold.
std::optional<ItemForm> form_of(const Operand& sequence);
// Of tensors of both forms. Refused (dynamic-shape) where they differ in more than one dimension.
ItemForm common_form(const ItemForm& a, const ItemForm& b);
// The same form with extents of their own along each dimension that `varies` from one tensor to the
// next; refused where that is more than one.
ItemForm with_varying(ItemForm form, const std::function<bool(const Dim&)>& varies);

// The sequence as one tensor, for items of `form`: what it holds is copied where it is not yet so.
Bounded to_bounded(OpContext& op, const Operand& sequence, const ItemForm& form);

Dim length_of(const Bounded& sequence);
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
