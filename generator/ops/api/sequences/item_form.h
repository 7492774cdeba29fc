// What the tensors of a sequence of dynamic length have in common.
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "ops/api/core/op_context.h"

namespace burin {

// Along the dimensions in `most` each tensor has an extent of its own, at most that (known before
// the run, or kUnbounded), which stands in the shape; the other extents are those of all.
struct ItemForm {
  Type type = Type::none;
  Shape shape;
  std::map<int, Dim> most = {};
  bool nested = false;  // they are those of a sequence that an optional may hold
};

// The largest that an extent may be, where that is known before the run, over sizes of the caller
// and those that are open while lowering; else kUnbounded.
Dim bound_of_extent(const Dim& extent);

// Whether it holds a sequence, or may.
bool is_nested(const Tuple& optional);

// Refused (dynamic-value): only empty sequences say what it may hold.
[[noreturn]] void refuse_unknown_items();

// Of a tensor that is to be put into a sequence.
ItemForm form_of_tensor(const Operand& tensor);
ItemForm form_of(const Bounded& sequence);
// Of the tensors in a sequence or an optional; nullopt where it is empty and nothing says what it
// might hold.
std::optional<ItemForm> form_of(const Operand& sequence);
// Of tensors of both forms. Refused where types or ranks differ.
ItemForm common_form(const ItemForm& a, const ItemForm& b);
// The same form with extents of their own along each dimension that `varies` from one tensor to the
// next.
ItemForm with_varying(ItemForm form, const std::function<bool(const Dim&)>& varies);

}  // namespace burin
