#include "ops/api/core/region.h"

#include <algorithm>

#include "support/diagnostics.h"

namespace burin {

void copy_into(OpContext& op, const Operand& from, const Operand& to, const Indices& prefix,
               size_t position) {
  KernelBuilder kernel;
  const Indices at = kernel.axes(from.shape());
  Indices place(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(position));
  place.insert(place.end(), prefix.begin(), prefix.end());
  place.insert(place.end(), at.begin() + static_cast<std::ptrdiff_t>(position), at.end());
  kernel.write(to, place, from.at(at));
  op.emit(kernel);
}

void copy_value(OpContext& op, const Operand& from, const Operand& to) {
  copy_into(op, from, to, {});
}

Operand state_from(OpContext& op, const std::string& what, const Operand& initial) {
  const Operand state = op.temporary(what, initial.type(), initial.shape());
  copy_value(op, initial, state);
  return state;
}

void update_states(OpContext& op, const std::vector<Operand>& states,
                   const std::vector<Operand>& results) {
  std::vector<Operand> sources;
  for (size_t k = 0; k < states.size(); ++k) {
    const bool unchanged = results[k].value() == states[k].value();
    const bool is_state = std::any_of(states.begin(), states.end(), [&](const Operand& state) {
      return state.value() == results[k].value();
    });
    sources.push_back(is_state && !unchanged
                          ? state_from(op, "saved" + std::to_string(k), results[k])
                          : results[k]);
  }
  for (size_t k = 0; k < states.size(); ++k) {
    if (sources[k].value() != states[k].value()) copy_value(op, sources[k], states[k]);
  }
}

Dim merged_extent(OpContext& op, const std::vector<Dim>& extents,
                  const std::function<void(size_t, const std::function<void()>&)>& within) {
  int64_t least = extents[0].range().lo;
  Dim most = extents[0];
  bool alike = true;
  for (const Dim& extent : extents) {
    least = std::min(least, extent.range().lo);
    most = max(most, extent);
    alike = alike && extent == extents[0];
  }
  if (alike) return extents[0];
  const Symbol symbol = op.run_symbol("extent", {std::max<int64_t>(least, 0), most});
  for (size_t k = 0; k < extents.size(); ++k)
    within(k, [&] { op.bind(symbol, Expr::index(extents[k])); });
  return Index::symbol(symbol);
}

Steps collected(OpContext& op, const std::function<void()>& body) {
  Steps steps;
  op.collect(steps, body);
  return steps;
}

void fill_zero(OpContext& op, const Operand& to) {
  op.map(to, [&](const Indices&) { return to.zero(); });
}

std::shared_ptr<Loop> make_loop(OpContext& op, const Dim& trips) {
  auto loop = std::make_shared<Loop>();
  const bool endless = trips.is_constant(kUnbounded);
  loop->iteration =
      op.iteration_symbol("iteration", {0, endless ? Dim(kUnbounded) : max(trips - 1, 0)});
  loop->trips = trips;
  loop->condition = Expr::boolean(true);
  return loop;
}

void check_state(const Operand& state, const Operand& result) {
  if (state.type() != result.type()) {
    refuse("type-mismatch", "a carried value has type " + std::string(to_string(state.type())) +
                                " and becomes " + std::string(to_string(result.type())));
  }
  if (state.rank() != result.rank()) {
    refuse("dynamic-rank", "a carried value has rank " + std::to_string(state.rank()) +
                               " and becomes one of rank " + std::to_string(result.rank()));
  }
}

}  // namespace burin
