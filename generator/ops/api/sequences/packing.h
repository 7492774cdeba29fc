// The tensors of a sequence one after the other in one (Bounded in op_context.h): where their
// elements lie, and how a tuple, or one that lies otherwise, becomes such a tensor.
//
// Along the dimensions in which all agree rows have these dimensions; along the others, which are
// `most` of the form, an item is as many rows as the product of its extents, in the order of its
// dimensions. So where they differ in one dimension, an item is a range of that dimension of rows.
#pragma once

#include <functional>
#include <vector>

#include "ops/api/core/op_context.h"
#include "ops/api/sequences/item_form.h"

namespace burin {

Dim length_of(const Bounded& sequence);

// Extents of a tensor along the dimensions in `most`, in their order.
std::vector<Dim> own_extents(const Shape& shape, const std::map<int, Dim>& most);

// The row of an item, from its own first one, that holds the element `at`: an index for each
// dimension of the item.
Index row_in_item(const Indices& at, const std::map<int, Dim>& most,
                  const std::vector<Dim>& extents);
// A place in rows: `row`, then the other dimensions of `at`.
Indices place_in_rows(const Index& row, const Indices& at, const std::map<int, Dim>& most);
// The element of an item that lies at `place` in rows, whose first row is number `row` of the item.
Indices place_in_item(const Indices& place, const Index& row, const std::map<int, Dim>& most,
                      const std::vector<Dim>& extents);

// Extent number `k` (of those in `most`) of the item at `place`.
Expr extent_at(const Bounded& sequence, const Index& place, size_t k);
// Where the item in front of `place` ends in rows.
Expr end_before(const Operand& ends, const Index& place);

// Running sums of `length` numbers that are not negative: the first, the first two, ... What is
// more than `most` becomes most + 1, so that no sum leaves 64 bits.
Operand running_sums(OpContext& op, const Dim& length, const Dim& most,
                     const std::function<Expr(const Index& at)>& number);
// The same, where the run checks that all are `total` together.
Operand checked_ends(OpContext& op, const Dim& length, const Dim& total, std::string_view what,
                     const std::function<Expr(const Index& at)>& number);
// For each of `total` places the number of the range that it lies in; `ends`, where ranges end.
Operand range_of_places(OpContext& op, const Operand& ends, const Dim& total);

// What the tensors of a sequence of a form are declared as; they are still to be written. `total`:
// rows.
Bounded declare_packed(OpContext& op, const ItemForm& form, const Dim& length, const Dim& total);

// The sequence or optional as one tensor, for items of `form`: what it holds is copied where it is
// not yet so.
Bounded to_bounded(OpContext& op, const Operand& sequence, const ItemForm& form);

// The sequence of a form that is made of `tensors`, as tensors_of gives them.
Bounded bounded_of(const ItemForm& form, const std::vector<Operand>& tensors);

// Values side by side: parts[k] from begins[k] on, to the end of the last one.
Expr in_parts(const Index& at, const std::vector<Dim>& begins, const std::vector<Expr>& parts);
// One of `numbers`, which are counted from 0.
Expr one_of(const Index& number, const std::vector<Dim>& numbers);

}  // namespace burin
