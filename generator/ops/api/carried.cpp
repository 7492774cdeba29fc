#include "ops/api/carried.h"

#include "ops/api/growth.h"
#include "support/check.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

const char* name_of(const Operand& value) {
  if (!value.tuple()) return "a tensor";
  return value.tuple()->kind == Tuple::Kind::sequence ? "a sequence" : "an optional";
}

}  // namespace

// As many tensors as at first, each of its type and rank.
bool Carried::fits(const Tuple& result) const {
  const Tuple& first = *initial_.tuple();
  if (form_ || first.bounded || result.bounded || result.items.size() != first.items.size())
    return false;
  for (size_t k = 0; k < first.items.size(); ++k) {
    const Operand &a = first.items[k], &b = result.items[k];
    if (a.tuple() || b.tuple() || a.type() != b.type() || a.rank() != b.rank()) return false;
  }
  return true;
}

void Carried::raise(OpContext& op, const Dim& most, const Dim& trips) {
  if (!open_) {
    before_ = most;
    SymbolInfo open{op.iteration_symbol("longest", {})->name, SymbolOrigin::unknown};
    open_ = std::make_shared<const SymbolInfo>(std::move(open));
    number_ = op.iteration_symbol("number", {});
    form_->most = Index::symbol(open_);
    return;
  }
  settled_ = true;
  const auto bound = bounds_of_growth(
      {.extents = {{open_, before_, most}},
       .iteration = number_,
       .trips = trips,
       .changes = [](const Symbol& symbol) { return symbol->origin != SymbolOrigin::param; }})[0];
  form_->most = bound.value_or(kUnbounded);
}

bool Carried::takes(OpContext& op, const Operand& result, const Dim& trips,
                    const std::function<bool(const Dim&)>& varies) {
  const bool alike = is_tensor() ? !result.tuple()
                                 : result.tuple() && result.tuple()->kind == initial_.tuple()->kind;
  if (!alike) {
    refuse("type-mismatch", "a carried value is " + std::string(name_of(initial_)) +
                                " and becomes " + name_of(result));
  }
  if (is_tensor() || fits(*result.tuple())) return true;
  const std::optional<ItemForm> given = form_of(result);
  if (!given && form_) return true;
  const std::optional<ItemForm> before = form_ ? form_ : form_of(initial_);
  BURIN_CHECK(given || before);
  ItemForm form = given && before ? common_form(*before, *given) : given ? *given : *before;
  form = with_varying(std::move(form), varies);
  const bool alike_before = form_ && form.axis == form_->axis;
  if (alike_before && (settled_ || form.most == form_->most)) return true;
  const Dim most = form.most;
  form_ = std::move(form);
  if (alike_before) raise(op, most, trips);
  return false;
}

std::vector<Operand> Carried::tensors(OpContext& op, const Operand& value) const {
  if (is_tensor()) return {value};
  if (!form_ && !value.tuple()->bounded) {
    for (const Operand& item : value.tuple()->items)
      form_of_tensor(item);  // refused where it is none
    return value.tuple()->items;
  }
  const Bounded made = to_bounded(op, value, form_ ? *form_ : *form_of(value));
  return made.axis < 0 ? std::vector{made.rows} : std::vector{made.rows, made.ends};
}

Operand Carried::value_of(const std::vector<Operand>& tensors) const {
  if (is_tensor()) return tensors.at(0);
  const Tuple& first = *initial_.tuple();
  if (!form_ && !first.bounded) return Operand(Tuple{first.kind, tensors});
  const std::optional<ItemForm> form = form_ ? form_ : form_of(initial_);
  Bounded made{tensors.at(0), form->axis};
  if (form->axis >= 0) {
    made.ends = tensors.at(1);
    made.most = form->most;
  }
  return Operand(Tuple{.kind = first.kind, .bounded = std::move(made)});
}

}  // namespace burin
