// Loop: a nested graph repeated a number of times, or as long as its condition holds, with carried
// values and values that every iteration emits (stacked along a new first dimension).
//
// A carried value is a temporary that the body's end overwrites. One whose shape changes has a
// symbol in place of each changing extent, bound anew in every iteration; the body is lowered again
// until no further extent changes.
#include <algorithm>

#include "kernel/size_bound.h"
#include "kernel/tensor.h"
#include "ops/api/op_def.h"
#include "ops/api/region.h"
#include "ops/api/unrolled_loop.h"
#include "support/diagnostics.h"
#include "support/dim_flag.h"

namespace burin {
namespace {

constexpr int kTrips = 0, kCondition = 1, kFirstCarried = 2;

// Whether the block's result is a boolean constant that it makes itself, true.
bool always_true(const Block& block, GraphValueId id) {
  for (const Node& node : block.nodes) {
    if (node.outputs.size() != 1 || node.outputs[0] != id || !node.inputs.empty()) continue;
    const Attribute* value = node.find("value");
    const Tensor* tensor = value ? std::get_if<Tensor>(&value->value) : nullptr;
    if (!tensor || tensor->type != Type::boolean || tensor->elements() != 1) return false;
    return to_tensor(tensor->type, tensor->shape, tensor->content).get(0).integer != 0;
  }
  return false;
}

class LoopLowering {
 public:
  explicit LoopLowering(OpContext& op) : op_(op), block_(op.block("body")) {
    carried_ = static_cast<size_t>(std::max(op.input_count() - kFirstCarried, 0));
    if (block_.inputs.size() != kFirstCarried + carried_ || block_.outputs.size() < 1 + carried_ ||
        op.output_count() > static_cast<int>(block_.outputs.size()) - 1) {
      refuse("arity", "the body has " + std::to_string(block_.inputs.size()) + " inputs and " +
                          std::to_string(block_.outputs.size()) + " outputs for " +
                          std::to_string(carried_) + " carried values");
    }
    emitted_ = block_.outputs.size() - 1 - carried_;
  }

  void lower() {
    read_limits();
    go_ = op_.temporary("go", Type::boolean, {});
    op_.map(go_, [&](const Indices&) {
      return op_.has_input(kCondition) ? op_.input(kCondition).scalar() : Expr::boolean(true);
    });
    growing_.resize(carried_);
    for (size_t k = 0; k < carried_; ++k) growing_[k].assign(initial(k).shape().size(), nullptr);
    Steps before;
    // Every round finds another extent that changes; then those that grow evenly get a bound, which
    // is the last round (of SoD2's lattice: equal, bound by the trip count, else nac).
    std::vector<Bounded> bounded;
    for (std::vector<std::pair<size_t, size_t>> found;; make_growing(found), bound(bounded)) {
      const bool done = op_.attempt([&] {
        states_.clear();
        before = collected(op_, [&] { make_states(); });
        loop_ = make_loop(op_, trips_);
        loop_->body = collected(op_, [&] { lower_body(); });
        found = changed_extents();
        bounded = found.empty() ? bounds_of_growth() : std::vector<Bounded>();
        return found.empty() && bounded.empty();
      });
      if (done) break;
    }
    for (Step& step : before) op_.emit(std::move(step));
    const bool kept = results_[0].value() == go_.value();
    const bool goes_on = always_true(block_, block_.outputs[0]);
    if (endless_ && (kept || goes_on)) {
      refuse("unbounded-loop", "the loop has no number of trips and its condition never changes",
             "give the loop a trip count");
    }
    const bool fixed = starts_true_ && (kept || goes_on);
    if (!fixed) loop_->condition = go_.scalar();
    emit_stacks(fixed);
    op_.collect(loop_->body, [&] { finish_iteration(fixed); });
    if (!fixed && emitted_ > 0) {
      loop_->executed = op_.run_symbol("executed", {0, trips_});
    }
    op_.emit(Step(loop_));
    // Where it would go on beyond its bound, the run stops.
    if (limited_)
      op_.bind(op_.run_symbol("unfinished", {0, 0}), Expr::cast(Type::i64, go_.scalar()));
    finish(fixed);
  }

 private:
  void read_limits() {
    trips_ = kUnbounded;
    if (op_.has_input(kCondition)) {
      op_.require_equal(product(op_.input(kCondition).shape()), 1, "elements of cond");
      const std::optional<std::vector<Dim>> known = op_.known(kCondition);
      starts_true_ = known && known->size() == 1 && (*known)[0].is_constant(1);
    }
    if (op_.has_input(kTrips)) {
      op_.require_equal(product(op_.input(kTrips).shape()), 1, "elements of M");
      trips_ = max(op_.elements(kTrips, {0, kUnbounded},
                                [](int64_t, const Expr& e) {
                                  return max(e, Expr::constant(Type::i64, 0));
                                })[0],
                   0);
      return;
    }
    // Nothing but the condition ends the loop, unless the user says that it ends.
    const Symbol most = op_.run_symbol("trip_count", {0, kUnbounded});
    limited_ = most->max != kUnbounded;
    endless_ = !limited_;
    if (limited_) trips_ = most->max;
    if (endless_ && emitted_ > 0) {
      refuse("dynamic-shape", "a loop without a number of trips emits values in every iteration",
             "give a bound with " + dim_flag(most->name, "0..1024") + " or another end");
    }
  }

  Operand initial(size_t k) const { return op_.input(kFirstCarried + static_cast<int>(k)); }

  std::vector<Operand> arguments(const Operand& number, const std::vector<Operand>& states) const {
    std::vector<Operand> all = {number, go_};
    all.insert(all.end(), states.begin(), states.end());
    return all;
  }

  // (carried value, dimension) whose extent the body changes, beyond those that are known to.
  std::vector<std::pair<size_t, size_t>> changed_extents() const {
    std::vector<std::pair<size_t, size_t>> found;
    for (size_t k = 0; k < carried_; ++k) {
      for (size_t d = 0; d < growing_[k].size(); ++d) {
        if (!growing_[k][d] && results_[k + 1].shape()[d] != states_[k].shape()[d])
          found.emplace_back(k, d);
      }
    }
    return found;
  }

  void make_growing(const std::vector<std::pair<size_t, size_t>>& found) {
    for (const auto& [k, d] : found) growing_[k][d] = op_.run_symbol("carried", {0, kUnbounded});
  }

  struct Bounded {
    size_t state, dimension;
    Dim most;
  };

  // What an iteration adds to an extent does not depend on extents that change: then the trips
  // bound it.
  std::vector<Bounded> bounds_of_growth() const {
    std::vector<Bounded> found;
    const std::optional<Dim> trips = sound_bound(bound_before_run(trips_));
    for (size_t k = 0; k < carried_; ++k) {
      for (size_t d = 0; d < growing_[k].size(); ++d) {
        const Symbol& symbol = growing_[k][d];
        if (!symbol || is_bounded_before_run(Index::symbol(symbol))) continue;
        const std::optional<Dim> start = sound_bound(bound_before_run(initial(k).shape()[d]));
        const std::optional<Growth> growth = growth_of(symbol, results_[k + 1].shape()[d]);
        if (!start || !growth || (!trips && !growth->added.is_constant(0))) continue;
        const Dim grown = growth->added * max(trips.value_or(0), 0);
        found.push_back({k, d, max(*start, growth->least) + grown});
      }
    }
    return found;
  }

  // Of which one is the largest: max(n, 1) - 1 is n - 1 or 0. One maximum is enough for what bodies
  // do; a sum of many would have too many.
  static std::vector<Dim> alternatives(const Dim& dim) {
    for (const Index::Term& term : dim.terms()) {
      if (term.coefficient < 0 || term.atoms.size() != 1) continue;
      const Dim& atom = term.atoms[0];
      if (atom.kind() != IndexKind::max) continue;
      std::vector<Dim> all;
      for (const Dim& one : atom.operands()) all.push_back(dim + (one - atom) * term.coefficient);
      return all;
    }
    return {dim};
  }

  // An iteration makes an extent at most max(least, itself + added).
  struct Growth {
    Dim added = 0, least = 0;
  };

  std::optional<Growth> growth_of(const Symbol& symbol, const Dim& result) const {
    const auto keep = [&](const Symbol& one) {
      return one->origin == SymbolOrigin::param || one->name == symbol->name;
    };
    const std::optional<Dim> bound = bound_over(result, keep);
    if (!bound) return std::nullopt;
    Growth growth;
    for (const Dim& one : alternatives(*bound)) {
      const Dim added = one - Index::symbol(symbol);
      if (const auto sound = sound_bound(bound_before_run(one))) {
        growth.least = max(growth.least, *sound);
      } else if (const auto grown = sound_bound(bound_before_run(added))) {
        growth.added = max(growth.added, *grown);
      } else {
        return std::nullopt;
      }
    }
    return growth;
  }

  // A number is small enough that products of two fit.
  static std::optional<Dim> sound_bound(std::optional<Dim> bound) {
    constexpr int64_t kMost = int64_t{1} << 31;
    if (bound && bound->is_constant() && bound->constant() >= kMost) return std::nullopt;
    return bound;
  }

  void bound(const std::vector<Bounded>& bounded) {
    for (const auto& [k, d, most] : bounded) growing_[k][d] = op_.run_symbol("growing", {0, most});
  }

  static SizeRange range_of(const Symbol& symbol) {
    return {symbol->min, symbol->most ? *symbol->most : Dim(symbol->max)};
  }

  bool grows(size_t k) const {
    return std::any_of(growing_[k].begin(), growing_[k].end(),
                       [](const Symbol& symbol) { return symbol != nullptr; });
  }

  void make_states() {
    for (size_t k = 0; k < carried_; ++k) {
      const Operand from = initial(k);
      Shape shape = from.shape();
      for (size_t d = 0; d < shape.size(); ++d) {
        if (!growing_[k][d]) continue;
        op_.bind(growing_[k][d], Expr::index(shape[d]));
        shape[d] = Index::symbol(growing_[k][d]);
      }
      states_.push_back(op_.temporary("state" + std::to_string(k), from.type(), shape));
      copy_value(op_, from, states_.back());
    }
  }

  void lower_body() {
    const Operand number = op_.temporary("number", Type::i64, {});
    op_.map(number, [&](const Indices&) { return Expr::index(Index::symbol(loop_->iteration)); });
    results_ = op_.inline_block(block_, arguments(number, states_));
    if (results_[0].type() != Type::boolean || !product(results_[0].shape()).is_constant(1))
      refuse("type-mismatch", "the body's condition is not one boolean");
    for (size_t k = 0; k < carried_; ++k) check_state(states_[k], results_[k + 1]);
  }

  // Where the emitted values go: an output of all trips, or a temporary whose first ones count.
  void emit_stacks(bool fixed) {
    for (size_t k = 0; k < emitted_; ++k) {
      const Operand& each = results_[1 + carried_ + k];
      Shape shape = each.shape();
      shape.insert(shape.begin(), trips_);
      const int number = static_cast<int>(carried_ + k);
      stacks_.push_back(fixed ? op_.output(number, each.type(), shape)
                              : op_.temporary("all" + std::to_string(k), each.type(), shape));
      op_.collect(loop_->body,
                  [&] { copy_into(op_, each, stacks_.back(), {Index::symbol(loop_->iteration)}); });
    }
  }

  void finish_iteration(bool fixed) {
    std::vector<Operand> states, results;
    std::vector<std::pair<Symbol, Symbol>> extents;
    for (size_t k = 0; k < carried_; ++k) {
      Operand result = results_[k + 1];
      if (grows(k)) {
        Shape shape = result.shape();
        for (size_t d = 0; d < shape.size(); ++d) {
          if (!growing_[k][d]) continue;
          const Symbol next = op_.run_symbol("next", range_of(growing_[k][d]));
          op_.bind(next, Expr::index(shape[d]));
          extents.emplace_back(growing_[k][d], next);
          shape[d] = Index::symbol(next);
        }
        const Operand staged = op_.temporary("next" + std::to_string(k), result.type(), shape);
        // Over the new extents, which are checked: what is written stays inside.
        op_.map(staged, [&](const Indices& at) { return result.at(at); });
        result = staged;
      }
      states.push_back(states_[k]);
      results.push_back(result);
    }
    if (!fixed) {
      states.push_back(go_);
      results.push_back(results_[0]);
      if (results_[0].rank() != 0) {  // [1]
        results.back() = op_.temporary("go_on", Type::boolean, {});
        op_.map(results.back(), [&](const Indices&) { return results_[0].scalar(); });
      }
    }
    for (const auto& [symbol, next] : extents) op_.bind(symbol, Expr::index(Index::symbol(next)));
    update_states(op_, states, results);
  }

  void finish(bool fixed) {
    for (size_t k = 0; k < carried_; ++k) {
      const int number = static_cast<int>(k);
      if (!op_.has_output(number)) continue;
      copy_value(op_, states_[k], op_.output(number, states_[k].type(), states_[k].shape()));
    }
    if (fixed) return;
    for (size_t k = 0; k < emitted_; ++k) {
      const int number = static_cast<int>(carried_ + k);
      if (!op_.has_output(number)) continue;
      Shape shape = stacks_[k].shape();
      shape[0] = Index::symbol(loop_->executed);
      const Operand y = op_.output(number, stacks_[k].type(), shape);
      op_.map(y, [&](const Indices& at) { return stacks_[k].at(at); });
    }
  }

  OpContext& op_;
  const Block& block_;
  size_t carried_ = 0, emitted_ = 0;
  Dim trips_;
  bool starts_true_ = true;
  bool endless_ = false;  // only the condition ends it
  bool limited_ = false;  // it ends within what the user said, or the run stops
  Operand go_;
  std::vector<std::vector<Symbol>> growing_;  // per carried value and dimension; null: fixed
  std::vector<Operand> states_, results_, stacks_;
  std::shared_ptr<Loop> loop_;
};

void lower(OpContext& op) {
  for (int i = kFirstCarried; i < op.input_count(); ++i) {
    if (op.input(i).tuple()) return unroll_loop(op);
  }
  LoopLowering(op).lower();
}

}  // namespace

OpDef op_loop() {
  return {
      .name = "Loop",
      .inputs = {{"M", types::i64, Arity::optional},
                 {"cond", types::boolean, Arity::optional},
                 {"v_initial", types::all | types::sequence | types::optional, Arity::variadic}},
      .outputs = {{"v_final_and_scan_outputs", types::all, Arity::variadic}},
      .attributes = {{"body", AttributeKind::block, true}},
      .lower = lower,
      .note = "one that carries sequences is unrolled: its trips are known while generating"};
}

}  // namespace burin
