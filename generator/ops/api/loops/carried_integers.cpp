#include "ops/api/loops/carried_integers.h"

#include "kernel/symbolic/symbolic.h"
#include "ops/api/core/known_elements.h"

namespace burin {
namespace {

constexpr int64_t kMostElements = 8;

bool is_without(const Dim& dim, const Symbol& symbol) {
  return dim == dim.substitute_symbol(symbol->name, 0);
}

// What lies between bounds in all iterations: `initial` at first, `state` at the beginning of each,
// and then what it becomes.
class RangeOfPassage {
 public:
  RangeOfPassage(const OpContext& op, const Passage& passage, const Dim& trips)
      : elements_(elements_of(op)), passage_(passage), trips_(trips) {}

  std::optional<ElementBounds> find() const {
    const std::optional<ElementBounds> first = elements_.range_of(passage_.initial, {});
    if (!first || !is_small(first->hi)) return std::nullopt;
    std::optional<Dim> most;
    // Whatever it was before.
    const std::optional<ElementBounds> any = elements_.range_of(passage_.becomes, {});
    if (any && is_small(any->hi)) most = max(first->hi, any->hi);
    if (!most) most = grown(first->hi);
    if (!most || !is_small(*most)) return std::nullopt;
    return ElementBounds{least(first->lo, *most), *most};
  }

 private:
  // An iteration adds to it at most what does not depend on it.
  std::optional<Dim> grown(const Dim& start) const {
    if (trips_.is_constant(kUnbounded)) return std::nullopt;
    const Symbol symbol = any_integer("carried integer");
    const Dim before = Index::symbol(symbol);
    const std::optional<ElementBounds> after = becomes_of({before, before});
    if (!after) return std::nullopt;
    const Dim added = after->hi - before;
    if (!is_without(added, symbol)) return std::nullopt;
    return start + max(added, 0) * trips_;
  }

  // 0 where it never gets below; else nothing is said.
  Dim least(const Dim& start, const Dim& most) const {
    if (!proven_nonnegative(start)) return -kFar;
    const std::optional<ElementBounds> after = becomes_of({0, most});
    return after && proven_nonnegative(after->lo) ? Dim(0) : Dim(-kFar);
  }

  std::optional<ElementBounds> becomes_of(const ElementBounds& before) const {
    return elements_.range_of(passage_.becomes, {{passage_.state.value(), before}});
  }

  const ElementContext& elements_;
  const Passage& passage_;
  const Dim& trips_;
};

bool may_have_range(const Passage& passage) {
  const Dim count = product(passage.state.shape());
  return passage.state.type() == Type::i64 && passage.becomes.type() == Type::i64 &&
         count.is_constant() && count.constant() >= 1 && count.constant() <= kMostElements;
}

}  // namespace

void CarriedIntegers::tell(size_t k, const Operand& initial, const Operand& state,
                           const Symbol& iteration) const {
  if (known_[k].step) {
    const Dim start = op_.known_of(initial)->front();
    op_.set_known_of(state, {start + Index::symbol(iteration) * *known_[k].step});
  } else if (const std::optional<ElementBounds>& range = known_[k].range) {
    op_.set_range_of(state, range->lo, range->hi);
  }
}

void CarriedIntegers::tell_after(size_t k, const Operand& initial, const Operand& state,
                                 const Dim& trips, bool all) const {
  if (!known_[k].step) return;  // a range holds after the loop, too
  const Dim start = op_.known_of(initial)->front();
  if (trips.is_constant(kUnbounded)) {
    op_.set_range_of(state, -kFar, kFar);
  } else if (const Dim end = start + trips * *known_[k].step; all) {
    op_.set_known_of(state, {end});
  } else {
    op_.set_range_of(state, min(start, end), max(start, end));
  }
}

CarriedIntegers::News CarriedIntegers::steps(
    const Steps& body, const std::function<std::optional<Counter>(size_t)>& counter_of) const {
  News news;
  for (size_t k = 0; k < known_.size(); ++k) {
    const std::optional<Counter> counter = known_[k].unsteady ? std::nullopt : counter_of(k);
    if (!counter) continue;
    const std::optional<int64_t> add = step_of(op_, body, *counter);
    if (add != known_[k].step) news.steps.emplace_back(k, add);
  }
  return news;
}

CarriedIntegers::News CarriedIntegers::ranges(
    const std::function<std::optional<Passage>(size_t)>& passage_of, const Dim& trips) const {
  News news;
  for (size_t k = 0; k < known_.size(); ++k) {
    if (known_[k].step || known_[k].range) continue;
    const std::optional<Passage> passage = passage_of(k);
    if (!passage || !may_have_range(*passage)) continue;
    const std::optional<ElementBounds> range = RangeOfPassage(op_, *passage, trips).find();
    if (range) news.ranges.emplace_back(k, *range);
  }
  return news;
}

bool CarriedIntegers::take(const News& news) {
  bool is_void = false;
  for (const auto& [k, add] : news.steps) {
    known_[k].unsteady = known_[k].step.has_value();
    known_[k].step = known_[k].unsteady ? std::nullopt : add;
    is_void = is_void || known_[k].unsteady;
  }
  for (const auto& [k, range] : news.ranges) known_[k].range = range;
  return is_void;
}

}  // namespace burin
