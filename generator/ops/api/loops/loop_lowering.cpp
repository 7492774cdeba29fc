#include "ops/api/loops/loop_lowering.h"

#include <algorithm>
#include <set>
#include <string>

#include "kernel/procedures/procedures.h"
#include "ops/api/core/region.h"
#include "ops/api/loops/carried.h"
#include "ops/api/loops/carried_integers.h"
#include "ops/api/loops/emitted_extents.h"
#include "ops/api/loops/growth.h"
#include "ops/api/loops/loop_trips.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

class LoopLowering {
 public:
  LoopLowering(OpContext& op, const RepeatedBody& given)
      : op_(op), given_(given), trips_(op, given), integers_(op, given.initial.size()) {
    begin();
  }

  void lower() {
    go_ = op_.temporary("go", Type::boolean, {});
    op_.map(go_, [&](const Indices&) {
      return given_.condition ? given_.condition : Expr::boolean(true);
    });
    Steps before;
    // Every round finds that a value is carried in another way, or another extent that changes;
    // then those that grow evenly get a bound, which is the last round (of SoD2's lattice: equal,
    // bound by the trip count, else nac).
    for (Found found;; settle(found)) {
      const bool done = op_.attempt([&] {
        initial_.clear();
        states_.clear();
        before = collected(op_, [&] { make_states(); });
        loop_ = make_loop(op_, trips_.most());
        loop_->body = collected(op_, [&] { lower_body(); });
        found = changes();
        return found.empty();
      });
      if (done) break;
    }
    for (Step& step : before) op_.emit(std::move(step));
    const bool kept = going_on_.value() == go_.value();
    trips_.require_end(kept || given_.goes_on, emitted_.empty());
    const bool none = trips_.most().is_constant(0);
    const bool fixed = none || (given_.starts && (kept || given_.goes_on));
    if (!fixed) loop_->condition = go_.scalar();
    emit_stacks(fixed);
    op_.collect(loop_->body, [&] { finish_iteration(fixed); });
    if (!fixed && !emitted_.empty())
      loop_->executed = op_.run_symbol("executed", {0, trips_.most()});
    if (!none) op_.emit(Step(loop_));
    // Where it would go on beyond its bound, the run stops.
    if (trips_.are_limited()) op_.emit(stop_if(go_.value(), Stop::iterations));
    finish(fixed);
  }

 private:
  // A tensor of what is carried, by number, and one of its dimensions.
  struct Extent {
    size_t carried, tensor, dimension;
  };
  using Bounded = std::pair<Extent, Dim>;  // it is at most that
  struct Found {
    CarriedIntegers::News integers;
    bool ranked = false;          // its condition says something else of the trips than it did
    std::vector<size_t> widened;  // values that are carried in another way
    std::vector<Extent> changed;  // beyond those that are known to
    std::vector<Extent> lowered;  // that get shorter than they are at first, after all
    std::vector<Bounded> bounded;
    bool empty() const {
      return integers.empty() && !ranked && widened.empty() && changed.empty() && lowered.empty() &&
             bounded.empty();
    }
  };

  void begin() {
    carried_ = {given_.initial.begin(), given_.initial.end()};
    growing_.assign(carried_.size(), {});
  }

  // Tensors of one value may have an extent in common: then it is that of the first.
  Symbol& growing(const Extent& e) {
    const size_t tensor = carried_[e.carried].tensor_of_extent(e.tensor, e.dimension);
    return growing_[e.carried][tensor][e.dimension];
  }
  bool is_first(const Extent& e) const {
    return carried_[e.carried].tensor_of_extent(e.tensor, e.dimension) == e.tensor;
  }

  void make_states() {
    for (size_t k = 0; k < carried_.size(); ++k) {
      states_.emplace_back();
      initial_.push_back(carried_[k].tensors_of_initial(op_));
      const std::vector<Operand>& initial = initial_.back();
      growing_[k].resize(initial.size());
      for (size_t t = 0; t < initial.size(); ++t) {
        Shape shape = initial[t].shape();
        growing_[k][t].resize(shape.size());
        for (size_t d = 0; d < shape.size(); ++d) {
          const Symbol& symbol = growing({k, t, d});
          if (!symbol) continue;
          if (is_first({k, t, d})) op_.bind(symbol, Expr::index(shape[d]));
          shape[d] = Index::symbol(symbol);
        }
        states_[k].push_back(op_.temporary(name_of("state", k, t), initial[t].type(), shape));
        copy_value(op_, initial[t], states_[k].back());
      }
    }
  }

  std::string name_of(const char* what, size_t k, size_t t) const {
    const std::string name = what + std::to_string(k);
    return carried_[k].is_tensor() ? name : name + "_" + std::to_string(t);
  }

  void lower_body() {
    for (size_t k = 0; k < carried_.size(); ++k) {
      if (carried_[k].is_tensor())
        integers_.tell(k, initial_[k][0], states_[k][0], loop_->iteration);
    }
    std::vector<Operand> values;
    for (size_t k = 0; k < carried_.size(); ++k) values.push_back(carried_[k].value_of(states_[k]));
    std::vector<Operand> given = given_.body(Index::symbol(loop_->iteration), go_, values);
    going_on_ = given[0];
    if (going_on_.type() != Type::boolean || !product(going_on_.shape()).is_constant(1))
      refuse("type-mismatch", "the body's condition is not one boolean");
    const auto first = given.begin() + 1,
               last = first + static_cast<std::ptrdiff_t>(carried_.size());
    becomes_.assign(first, last);
    emitted_.assign(last, given.end());
    for (const Operand& one : emitted_) {
      if (one.tuple()) refuse("type-mismatch", "the body emits a sequence or an optional");
    }
  }

  // Sizes that are bound in the body, or with every iteration.
  Varies varies_in_body() const {
    std::set<std::string> names = {loop_->iteration->name};
    for (const auto& value : growing_) {
      for (const auto& tensor : value) {
        for (const Symbol& symbol : tensor) {
          if (symbol) names.insert(symbol->name);
        }
      }
    }
    return varies_in(loop_->body, names);
  }

  Found changes() {
    Found found;
    const Varies varies = varies_in_body();
    found.integers = integers_.steps(loop_->body, [&](size_t k) { return counter_of(k); });
    if (!found.integers.empty()) return found;
    if (trips_.may_be_ranked()) {
      found.ranked = trips_.rank(
          loop_->body, {counters(), going_on_.scalar(),
                        [&](const Symbol& symbol) { return varies(Index::symbol(symbol)); }});
      if (found.ranked) return found;
    }
    for (size_t k = 0; k < carried_.size(); ++k) {
      if (!carried_[k].takes(op_, becomes_[k], trips_.to_grow(), varies))
        found.widened.push_back(k);
    }
    if (!found.widened.empty()) return found;
    results_.clear();
    op_.collect(loop_->body, [&] {
      for (size_t k = 0; k < carried_.size(); ++k)
        results_.push_back(carried_[k].tensors(op_, becomes_[k]));
    });
    for_each_extent([&](const Extent& e) {
      const Symbol& symbol = growing(e);
      if (!symbol && !(result_extent(e) == states_[e.carried][e.tensor].shape()[e.dimension]))
        found.changed.push_back(e);
      if (symbol && symbol->min > 0 && !proven_le(symbol->min, result_extent(e)))
        found.lowered.push_back(e);
    });
    if (found.changed.empty() && found.lowered.empty()) bound_extents(found.bounded, varies);
    if (!found.empty()) return found;
    op_.collect(loop_->body, [&] {
      found.integers = integers_.ranges([&](size_t k) { return passage_of(k); }, trips_.to_grow());
    });
    return found;
  }

  std::optional<Counter> counter_of(size_t k) const {
    if (!carried_[k].is_tensor() || becomes_[k].tuple()) return std::nullopt;
    return burin::counter_of(op_, k, initial_[k][0], states_[k][0], becomes_[k]);
  }

  std::optional<Passage> passage_of(size_t k) const {
    if (!carried_[k].is_tensor() || becomes_[k].tuple()) return std::nullopt;
    return Passage{initial_[k][0], states_[k][0], becomes_[k]};
  }

  // Integers, and the extents that change.
  std::vector<Counter> counters() const {
    std::vector<Counter> out;
    for (size_t k = 0; k < carried_.size(); ++k) {
      if (std::optional<Counter> counter = counter_of(k)) out.push_back(std::move(*counter));
      if (!carried_[k].is_tensor() || becomes_[k].tuple()) continue;
      const Shape &first = initial_[k][0].shape(), &next = becomes_[k].shape();
      for (size_t d = 0; d < growing_[k][0].size() && next.size() == first.size(); ++d) {
        if (const Symbol& symbol = growing_[k][0][d])
          out.push_back({symbol, first[d], kNoValue, next[d], {}});
      }
    }
    return out;
  }

  template <class Visit>
  void for_each_extent(const Visit& visit) {
    for (size_t k = 0; k < states_.size(); ++k) {
      for (size_t t = 0; t < states_[k].size(); ++t) {
        check_state(states_[k][t], results_[k][t]);
        for (size_t d = 0; d < states_[k][t].shape().size(); ++d) {
          if (is_first({k, t, d})) visit(Extent{k, t, d});
        }
      }
    }
  }

  const Dim& result_extent(const Extent& e) const {
    return results_[e.carried][e.tensor].shape()[e.dimension];
  }

  // What the extents are at most that change, where that can be told.
  void bound_extents(std::vector<Bounded>& found, const Varies& varies) {
    Growth growth{{}, loop_->iteration, trips_.to_grow(), [&](const Symbol& symbol) {
                    return varies(Index::symbol(symbol));
                  }};
    std::vector<Extent> places;
    bool open = false;
    for_each_extent([&](const Extent& e) {
      const Symbol& symbol = growing(e);
      if (!symbol) return;
      places.push_back(e);
      growth.extents.push_back(
          {symbol, initial_[e.carried][e.tensor].shape()[e.dimension], result_extent(e)});
      open = open || !is_bounded(symbol);
    });
    if (!open) return;
    const std::vector<std::optional<Dim>> bounds = bounds_of_growth(growth);
    for (size_t i = 0; i < places.size(); ++i) {
      if (bounds[i] && !is_bounded(growth.extents[i].symbol))
        found.push_back({places[i], *bounds[i]});
    }
  }

  // So that the next round takes what this one found out.
  void settle(const Found& found) {
    // Bounds of what grows are of the trips as they were taken to be.
    if (found.ranked && trips_.take_rank()) begin();
    if (integers_.take(found.integers)) begin();
    for (const size_t k : found.widened) growing_[k].clear();
    // As long as at first, until an iteration says otherwise.
    for (const auto& [k, t, d] : found.changed) {
      const int64_t least = std::max<int64_t>(initial_[k][t].shape()[d].range().lo, 0);
      growing({k, t, d}) = op_.run_symbol("carried", {least, kUnbounded});
    }
    for (const Extent& e : found.lowered) growing(e) = op_.run_symbol("carried", {0, kUnbounded});
    for (const auto& [e, most] : found.bounded)
      growing(e) = op_.run_symbol("growing", {growing(e)->min, most});
  }

  // The trips, then extents that are the same in every iteration: of the first, checked in each.
  Shape stacked(const Shape& extents) {
    const Varies varies = varies_in_body();
    const Expr is_first =
        compare(Binary::eq, Expr::index(Index::symbol(loop_->iteration)), Expr::index(0));
    Shape out = {trips_.most()};
    for (const Dim& extent : extents) {
      Dim first = extent.substitute_symbol(loop_->iteration->name, 0);
      for_each_extent([&](const Extent& e) {
        if (const Symbol& symbol = growing(e))
          first = first.substitute_symbol(symbol->name,
                                          initial_[e.carried][e.tensor].shape()[e.dimension]);
      });
      if (varies(first)) {
        const Symbol kept = extent_of_first(op_, extent, varies);
        op_.collect(loop_->body, [&] { keep_extent(op_, kept, extent, is_first); });
        first = Index::symbol(kept);
      } else if (!(first == extent)) {
        op_.collect(loop_->body, [&] { op_.require_equal(extent, first, "emitted extent"); });
      }
      out.push_back(first);
    }
    return out;
  }

  // Where the emitted values go: an output of all trips, or a temporary whose first ones count.
  void emit_stacks(bool fixed) {
    for (size_t k = 0; k < emitted_.size(); ++k) {
      const Operand& each = emitted_[k];
      const Shape shape = stacked(each.shape());
      const auto declare = [&] {
        stacks_.push_back(
            fixed ? op_.output(static_cast<int>(carried_.size() + k), each.type(), shape)
                  : op_.temporary("all" + std::to_string(k), each.type(), shape));
      };
      check_emitted(op_, collected(op_, declare), loop_->body);
      if (shape[0].is_constant(0)) fill_zero(op_, stacks_.back());  // nobody else writes it
      const Indices at = {Index::symbol(loop_->iteration)};
      op_.collect(loop_->body, [&] { copy_into(op_, each, stacks_.back(), at); });
    }
  }

  // A result over new extents, which are checked, so that what is written stays inside.
  Operand staged(size_t k, size_t t, std::vector<std::pair<Symbol, Symbol>>& extents) {
    const Operand result = results_[k][t];
    Shape shape = result.shape();
    bool changes = false;
    for (size_t d = 0; d < shape.size(); ++d) {
      const Symbol& symbol = growing({k, t, d});
      if (!symbol) continue;
      changes = true;
      if (is_first({k, t, d})) {
        const Symbol next = op_.run_symbol("next", {symbol->min, most_of_symbol(symbol)});
        op_.bind(next, Expr::index(shape[d]));
        extents.emplace_back(symbol, next);
      }
      const auto next = std::find_if(extents.begin(), extents.end(),
                                     [&](const auto& one) { return one.first == symbol; });
      shape[d] = Index::symbol(next->second);
    }
    if (!changes) return result;
    const Operand to = op_.temporary(name_of("next", k, t), result.type(), shape);
    op_.map(to, [&](const Indices& at) { return result.at(at); });
    return to;
  }

  void finish_iteration(bool fixed) {
    std::vector<Operand> states, results;
    std::vector<std::pair<Symbol, Symbol>> extents;
    for (size_t k = 0; k < states_.size(); ++k) {
      for (size_t t = 0; t < states_[k].size(); ++t) {
        states.push_back(states_[k][t]);
        results.push_back(staged(k, t, extents));
      }
    }
    if (!fixed) {
      states.push_back(go_);
      results.push_back(going_on_);
      if (going_on_.rank() != 0) {  // [1]
        results.back() = op_.temporary("go_on", Type::boolean, {});
        op_.map(results.back(), [&](const Indices&) { return going_on_.scalar(); });
      }
    }
    for (const auto& [symbol, next] : extents) op_.bind(symbol, Expr::index(Index::symbol(next)));
    update_states(op_, states, results);
  }

  void finish(bool fixed) {
    for (size_t k = 0; k < carried_.size(); ++k) {
      const int number = static_cast<int>(k);
      if (!op_.has_output(number)) continue;
      const Operand& state = states_[k].empty() ? Operand() : states_[k][0];
      if (carried_[k].is_tensor()) {
        integers_.tell_after(k, initial_[k][0], state, trips_.most(), fixed);
        copy_value(op_, state, op_.output(number, state.type(), state.shape()));
      } else {
        op_.forward(number, carried_[k].value_of(states_[k]));
      }
    }
    if (fixed) return;
    for (size_t k = 0; k < emitted_.size(); ++k) {
      const int number = static_cast<int>(carried_.size() + k);
      if (!op_.has_output(number)) continue;
      Shape shape = stacks_[k].shape();
      shape[0] = Index::symbol(loop_->executed);
      const Operand y = op_.output(number, stacks_[k].type(), shape);
      op_.map(y, [&](const Indices& at) { return stacks_[k].at(at); });
    }
  }

  OpContext& op_;
  const RepeatedBody& given_;
  LoopTrips trips_;
  CarriedIntegers integers_;
  std::vector<Carried> carried_;
  // By value, tensor of it and dimension; null: the extent is the same in all iterations.
  std::vector<std::vector<std::vector<Symbol>>> growing_;
  Operand go_, going_on_;
  std::vector<Operand> becomes_, emitted_, stacks_;
  std::vector<std::vector<Operand>> initial_, states_, results_;  // by value
  std::shared_ptr<Loop> loop_;
};

}  // namespace

void lower_repeated(OpContext& op, const RepeatedBody& repeated) {
  LoopLowering(op, repeated).lower();
}

}  // namespace burin
