// Elements of inputs that are dynamic sizes: a symbol each, the same one for all who ask for the
// same.
#include <algorithm>
#include <cmath>
#include <set>

#include "kernel/symbolic/element_ranges.h"
#include "lower/dim_hints.h"
#include "lower/engine.h"
#include "support/diagnostics.h"
#include "support/dim_flag.h"

namespace burin {
namespace {

std::string formal_name(const OpDef& def, const Node& node, int i) {
  int at = 0;
  for (const Formal& formal : def.inputs) {
    if (formal.opsets.contains(node.version) && at++ == i) return formal.name;
  }
  return "input" + std::to_string(i);
}

}  // namespace

std::string NodeContext::local_name(std::string_view what) const {
  return typeable_name(origin().node + "_" + std::string(what));
}

void NodeContext::require_within(const Dim& size, const SizeRange& range, std::string_view what) {
  const bool open = range.most.is_constant(kUnbounded);
  if (proven_le(range.least, size) && (open || proven_le(size, range.most))) return;
  require({{size, range.least, open ? Dim(kUnbounded) : range.most + 1}}, what);
}

Dim NodeContext::run_size(std::string_view what, const SizeRange& range, const Expr& value) {
  const std::optional<SymbolicElement> known = evaluated(value);
  if (known && known->is_integer()) {
    require_within(known->numerator, range, what);
    return settled(known->numerator);
  }
  return settled(Index::symbol(bound_element(local_name(what), value, range, known)));
}

std::optional<SymbolicElement> NodeContext::evaluated(const Expr& value) const {
  return evaluate_symbolically(value, engine_.lowered_.graph.values, engine_.known_);
}

std::map<ValueId, SymbolicElements> NodeContext::known_after(
    const Steps& steps, const std::set<ValueId>& tensors,
    const std::map<ValueId, Dim>& before) const {
  std::map<ValueId, SymbolicElements> known;
  for (const auto& [id, element] : before) known.emplace(id, to_elements({element}));
  for (const ValueId id : tensors) {
    if (const auto at = engine_.known_.find(id); at != engine_.known_.end())
      known.emplace(id, at->second);
  }
  std::map<ValueId, SymbolicElements> made =
      evaluate_symbolically(steps, engine_.lowered_.graph.values, known);
  for (const Step& step : steps) {
    for (const ValueId id : writes_of(step)) known.erase(id);
  }
  made.merge(known);
  return made;
}

std::optional<Dim> NodeContext::integer_of(const Expr& value,
                                           const std::map<ValueId, SymbolicElements>& known) const {
  const std::optional<SymbolicElement> element =
      evaluate_symbolically(value, engine_.lowered_.graph.values, known);
  if (!element) return std::nullopt;
  if (element->is_integer()) return element->numerator;
  // A float of the model, or one that was folded.
  constexpr double kMost = 0x1p53;
  if (!element->number || std::abs(*element->number) > kMost ||
      *element->number != std::floor(*element->number))
    return std::nullopt;
  return Dim(static_cast<int64_t>(*element->number));
}

std::optional<Dim> NodeContext::most(const Expr& value) const {
  return ElementRanges(engine_.made_steps(), engine_.lowered_.graph.values, engine_.known_)
      .most(value);
}

std::optional<ElementBounds> NodeContext::range_of(
    const Operand& tensor, const std::map<ValueId, ElementBounds>& assumed) const {
  const auto range_by = [&](const std::map<ValueId, SymbolicElements>& known) {
    return ElementRanges(engine_.made_steps(), engine_.lowered_.graph.values, known)
        .range(tensor.value());
  };
  if (assumed.empty()) return range_by(engine_.known_);
  std::map<ValueId, SymbolicElements> known = engine_.known_;
  for (const auto& [id, bounds] : assumed)
    known.insert_or_assign(id, SymbolicElements{element_between(bounds)});
  return range_by(known);
}

void NodeContext::set_range_of(const Operand& tensor, const Dim& lo, const Dim& hi) {
  const auto count = static_cast<size_t>(product(tensor.shape()).constant());
  engine_.known_[tensor.value()] = SymbolicElements(count, element_between({lo, hi}));
}

std::optional<int64_t> NodeContext::filled_with(int i) const {
  const auto at = engine_.filled_.find(input(i).value());
  return at == engine_.filled_.end() ? std::nullopt : std::optional(at->second);
}

// A kernel that writes one number to all elements; what else writes to them makes that untrue.
void NodeContext::learn_filled(const Kernel& kernel) {
  for (const Write& write : kernel.writes) {
    const Value& value = engine_.value(write.to);
    bool all = kernel.writes.size() == 1 && write.how == How::store && write.when.empty() &&
               write.value.is_constant() && is_integer(value.type);
    std::set<int> axes;  // one for each dimension, from end to end
    for (size_t d = 0; all && d < write.at.size(); ++d) {
      const Index& at = write.at[d];
      if (at.kind() == IndexKind::axis) {
        all = axes.insert(at.axis_id()).second && at.axis_extent() == value.shape[d];
      } else {
        all = at.is_constant(0) && value.shape[d].is_constant(1);
      }
    }
    if (!all || engine_.filled_.contains(write.to)) {
      engine_.filled_.erase(write.to);
    } else {
      engine_.filled_.emplace(write.to, write.value->integer);
    }
  }
}

bool NodeContext::is_unknown_integer(ValueId id) const {
  const Value& value = engine_.lowered_.graph.values[static_cast<size_t>(id)];
  return is_integer(value.type) && value.kind != ValueKind::constant &&
         product(value.shape).is_constant(1) && !engine_.known(id);
}

Symbol NodeContext::bound_element(const std::string& name, const Expr& value, SizeRange range,
                                  const std::optional<SymbolicElement>& known) {
  std::optional<Dim> most = known ? most_of(*known) : std::nullopt;
  if (!most) {
    // A bound of the operator's own says more than one that other sizes are in.
    const std::optional<Dim> found = this->most(value);
    if (found && (range.most.is_constant(kUnbounded) || found->is_constant())) most = found;
  }
  if (most)
    range.most =
        range.most.is_constant(kUnbounded) ? max(*most, range.least) : min(range.most, *most);
  // The same number within the same range, as two slices by one list ask for it.
  for (const Engine::BoundElement& one : engine_.bound_elements_) {
    if (one.value == value && one.range == range) return one.symbol;
  }
  const Symbol symbol = bounded_symbol(name, range);
  bind(symbol, value);
  if (is_outside_of_regions()) engine_.bound_elements_.push_back({value, range, symbol});
  return symbol;
}

std::vector<Dim> NodeContext::elements_within(
    int i, const std::vector<SizeRange>& ranges,
    const std::function<Expr(int64_t, const Expr&)>& prepare) {
  const Operand operand = input(i);
  const auto range_of = [&](size_t k) { return ranges[std::min(k, ranges.size() - 1)]; };
  // Numbers are the operator's to refuse in its own words.
  const auto settle = [&](const Dim& dim, size_t k) {
    if (!prepare && !dim.is_constant())
      require_within(dim, range_of(k), formal_name(def_, node_, i));
  };
  if (std::optional<std::vector<Dim>> dims = known(i)) {
    for (size_t k = 0; k < dims->size(); ++k) settle((*dims)[k], k);
    return *dims;
  }
  const std::optional<int64_t> count = product(operand.shape()).as_constant();
  const Value& value = engine_.value(operand.value());
  if (!count || *count > kMostKnown) {
    refuse("dynamic-shape",
           "the number of elements of " + quoted(value.name) +
               " decides a rank or a list of sizes and is not known before the run",
           value.kind == ValueKind::input ? size_to_fix(value.shape)
                                          : "export the model with this operand as a constant");
  }
  // What the caller gives has the caller's name.
  const std::string name = value.kind == ValueKind::input ? typeable_name(value.name)
                                                          : local_name(formal_name(def_, node_, i));
  const std::vector<std::optional<Dim>> before_run = known_elements(i);
  std::vector<Dim> out;
  for (int64_t k = 0; k < *count; ++k) {
    const auto place = static_cast<size_t>(k);
    if (!prepare && !before_run.empty() && before_run[place]) {
      settle(*before_run[place], place);
      out.push_back(*before_run[place]);
      continue;
    }
    const Expr loaded = Expr::cast(Type::i64, operand.at(delinearize(k, operand.shape())));
    const Expr wanted = prepare ? prepare(k, loaded) : loaded;
    const Symbol symbol = bound_element(*count > 1 ? name + "_" + std::to_string(k) : name, wanted,
                                        range_of(place), evaluated(wanted));
    out.push_back(settled(Index::symbol(symbol)));
  }
  // From here on the elements are these symbols, for whoever asks for them as well; unless they are
  // only so inside of a region.
  if (!prepare && is_outside_of_regions()) learned_.emplace_back(operand, out);
  return out;
}

}  // namespace burin
