#include "ops/api/loops/carried.h"

#include <algorithm>

#include "ops/api/sequences/packing.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

const char* name_of(const Operand& value) {
  if (!value.tuple()) return "a tensor";
  return value.tuple()->kind == Tuple::Kind::sequence ? "a sequence" : "an optional";
}

}  // namespace

Carried::Carried(Operand initial) : initial_(std::move(initial)) {
  if (!is_tensor() && is_nested(*initial_.tuple())) form_ = form_of(initial_);
}

bool Carried::is_packed() const { return form_ || initial_.tuple()->bounded; }

// As many tensors as at first, each of its type and rank.
bool Carried::fits(const Tuple& result) const {
  const Tuple& first = *initial_.tuple();
  if (is_packed() || result.bounded || result.items.size() != first.items.size()) return false;
  if (is_nested(first) && is_nested(result)) return !form_of(result.items[0]);
  for (size_t k = 0; k < first.items.size(); ++k) {
    const Operand &a = first.items[k], &b = result.items[k];
    if (a.tuple() || b.tuple() || a.type() != b.type() || a.rank() != b.rank()) return false;
  }
  return true;
}

// Of a form that has more extents: those that are open start again.
void Carried::close(ItemForm& form) {
  size_t k = 0;
  if (!settled_ && !open_.empty()) {
    for (const auto& [axis, bound] : form_->most) {
      form.most.insert_or_assign(axis, open_[k].start);
      form.shape[static_cast<size_t>(axis)] = open_[k++].start;
    }
  }
  open_.clear();
  settled_ = false;
}

void Carried::raise(OpContext& op, const std::map<int, Dim>& most, const Dim& trips) {
  if (open_.empty()) {
    for (auto& [axis, bound] : form_->most) {
      SymbolInfo open{op.iteration_symbol("longest", {})->name, SymbolOrigin::unknown};
      open_.push_back({std::make_shared<const SymbolInfo>(std::move(open)), most.at(axis), {}});
      bound = Index::symbol(open_.back().symbol);
      form_->shape[static_cast<size_t>(axis)] = bound;
    }
    number_ = op.iteration_symbol("number", {});
    return;
  }
  settled_ = true;
  Growth growth{{}, number_, trips, [](const Symbol& symbol) {
                  return symbol->origin != SymbolOrigin::param;
                }};
  size_t k = 0;
  for (const auto& [axis, bound] : most) {
    open_[k].result = bound;
    growth.extents.push_back(open_[k++]);
  }
  const std::vector<std::optional<Dim>> bounds = bounds_of_growth(growth);
  k = 0;
  for (auto& [axis, bound] : form_->most) {
    bound = bounds[k++].value_or(kUnbounded);
    form_->shape[static_cast<size_t>(axis)] = bound;
  }
}

bool Carried::takes(OpContext& op, const Operand& result, const Dim& trips,
                    const std::function<bool(const Dim&)>& varies) {
  const bool alike = is_tensor() ? !result.tuple()
                                 : result.tuple() && result.tuple()->kind == initial_.tuple()->kind;
  if (!alike) {
    // Between containers an unrolled loop, of trips that are known, may do so.
    refuse(
        is_tensor() || !result.tuple() ? "type-mismatch" : "dynamic-value",
        "a carried value is " + std::string(name_of(initial_)) + " and becomes " + name_of(result));
  }
  if (is_tensor() || fits(*result.tuple())) return true;
  const std::optional<ItemForm> given = form_of(result);
  if (!given && form_) return true;
  const std::optional<ItemForm> before = form_ ? form_ : form_of(initial_);
  if (!given && !before) refuse_unknown_items();
  ItemForm form = given && before ? common_form(*before, *given) : given ? *given : *before;
  form = with_varying(std::move(form), varies);
  const auto same_axes = [](const auto& one, const auto& other) {
    return one.first == other.first;
  };
  const bool alike_before = form_ && std::equal(form.most.begin(), form.most.end(),
                                                form_->most.begin(), form_->most.end(), same_axes);
  if (alike_before && (settled_ || form.most == form_->most)) return true;
  const std::map<int, Dim> most = form.most;
  if (!alike_before) close(form);
  form_ = std::move(form);
  if (alike_before) raise(op, most, trips);
  return false;
}

std::vector<Operand> Carried::tensors(OpContext& op, const Operand& value) const {
  if (is_tensor()) return {value};
  const Tuple& tuple = *value.tuple();
  if (!form_ && !tuple.bounded) {
    if (is_nested(tuple)) return {};  // an empty sequence, of which nothing is known
    for (const Operand& item : tuple.items) form_of_tensor(item);  // refused where it is none
    return tuple.items;
  }
  return tensors_of(to_bounded(op, value, form_ ? *form_ : *form_of(value)));
}

size_t Carried::tensor_of_extent(size_t tensor, size_t dimension) const {
  constexpr size_t kEnds = 1, kTable = 2;
  if (is_tensor() || !is_packed() || tensor != kTable || dimension != 0) return tensor;
  const ItemForm form = form_ ? *form_ : *form_of(initial_);
  return form.most.size() > 1 ? kEnds : tensor;
}

Operand Carried::value_of(const std::vector<Operand>& tensors) const {
  if (is_tensor()) return tensors.at(0);
  const Tuple& first = *initial_.tuple();
  if (!is_packed()) return is_nested(first) ? initial_ : Operand(Tuple{first.kind, tensors});
  const ItemForm form = form_ ? *form_ : *form_of(initial_);
  return Operand(Tuple{.kind = first.kind, .bounded = bounded_of(form, tensors)});
}

}  // namespace burin
