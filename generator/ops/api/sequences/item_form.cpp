#include "ops/api/sequences/item_form.h"

#include "kernel/index/size_bound.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

// What bounds both; one that nothing bounds is the largest.
Dim larger(const Dim& a, const Dim& b) {
  return a.is_constant(kUnbounded) || b.is_constant(kUnbounded) ? Dim(kUnbounded) : max(a, b);
}

Dim most_along(const ItemForm& form, int axis) {
  const auto own = form.most.find(axis);
  return own != form.most.end() ? own->second
                                : bound_of_extent(form.shape[static_cast<size_t>(axis)]);
}

}  // namespace

Dim bound_of_extent(const Dim& extent) {
  const auto keep = [](const Symbol& symbol) {
    return symbol->origin == SymbolOrigin::param || symbol->origin == SymbolOrigin::unknown;
  };
  return bound_over(extent, keep).value_or(kUnbounded);
}

bool is_nested(const Tuple& optional) {
  if (optional.kind != Tuple::Kind::optional) return false;
  if (optional.bounded) return static_cast<bool>(optional.bounded->holds);
  return !optional.items.empty() && optional.items[0].tuple() != nullptr;
}

void refuse_unknown_items() {
  refuse("dynamic-value", "an optional may hold a sequence, but nothing says what that holds",
         "let it hold a sequence with a tensor in it");
}

ItemForm form_of_tensor(const Operand& tensor) {
  if (tensor.tuple()) {
    refuse("dynamic-value", "a sequence of sequences or optionals has a dynamic length");
  }
  return {tensor.type(), tensor.shape()};
}

ItemForm form_of(const Bounded& sequence) {
  const Shape& rows = sequence.rows.shape();
  ItemForm form{sequence.rows.type(), Shape(rows.begin() + 1, rows.end()), sequence.most,
                static_cast<bool>(sequence.holds)};
  for (const auto& [axis, most] : form.most) form.shape.insert(form.shape.begin() + axis, most);
  return form;
}

std::optional<ItemForm> form_of(const Operand& sequence) {
  const Tuple& tuple = *sequence.tuple();
  if (tuple.bounded) return form_of(*tuple.bounded);
  if (is_nested(tuple)) {
    std::optional<ItemForm> form = form_of(tuple.items[0]);
    if (form) form->nested = true;
    return form;
  }
  std::optional<ItemForm> form;
  for (const Operand& item : tuple.items) {
    const ItemForm one = form_of_tensor(item);
    form = form ? common_form(*form, one) : one;
  }
  return form;
}

ItemForm common_form(const ItemForm& a, const ItemForm& b) {
  if (a.type != b.type) {
    refuse("type-mismatch", "a sequence of " + std::string(to_string(a.type)) +
                                " gets a tensor of " + std::string(to_string(b.type)));
  }
  if (a.shape.size() != b.shape.size()) {
    refuse("dynamic-rank", "a sequence of dynamic length holds tensors of shapes " +
                               to_string(a.shape) + " and " + to_string(b.shape) +
                               "; they must have one rank");
  }
  if (a.nested != b.nested) refuse("type-mismatch", "an optional of a tensor gets a sequence");
  ItemForm form = a;
  for (int d = 0; d < static_cast<int>(a.shape.size()); ++d) {
    const auto at = static_cast<size_t>(d);
    const bool differ = a.most.contains(d) || b.most.contains(d) || a.shape[at] != b.shape[at];
    if (!differ) continue;
    form.most.insert_or_assign(d, larger(most_along(a, d), most_along(b, d)));
    form.shape[at] = form.most.at(d);
  }
  return form;
}

ItemForm with_varying(ItemForm form, const std::function<bool(const Dim&)>& varies) {
  for (int d = 0; d < static_cast<int>(form.shape.size()); ++d) {
    Dim& extent = form.shape[static_cast<size_t>(d)];
    if (form.most.contains(d) || !varies(extent)) continue;
    extent = form.most.emplace(d, bound_of_extent(extent)).first->second;
  }
  return form;
}

}  // namespace burin
