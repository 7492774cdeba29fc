#include "ops/api/loops/loop_trips.h"

#include "kernel/index/size_bound.h"
#include "ops/api/layers/gradients.h"
#include "support/diagnostics.h"
#include "support/dim_flag.h"

namespace burin {
namespace {

// Exporters write 2^63 - 1 where they mean that only the condition ends the loop.
constexpr int64_t kNoEnd = int64_t{1} << 62;

bool no_end(const Dim& trips) { return trips.is_constant() && trips.constant() >= kNoEnd; }

}  // namespace

LoopTrips::LoopTrips(OpContext& op, const RepeatedBody& loop)
    : op_(op),
      goes_on_(loop.goes_on),
      counted_(loop.counted),
      given_(no_end(loop.trips) ? Dim(kUnbounded) : loop.trips),
      most_(given_) {
  if (!is_endless() || !loop.ask) return;
  asked_ = loop.ask();
  limited_ = asked_->max != kUnbounded;
  if (limited_) most_ = asked_->max;
}

bool LoopTrips::may_be_ranked() const {
  if (goes_on_ || limited_ || gave_up_) return false;
  return given_.is_constant() || !is_bounded_before_run(given_);
}

bool LoopTrips::rank(const Steps& body, const Repetition& repetition) {
  next_ = most_iterations(op_, body, repetition, limits_);
  return next_ != ranked_;
}

bool LoopTrips::take_rank() {
  const bool said = ranked_.has_value();
  gave_up_ = said && !next_;
  ranked_ = next_;
  most_ = given_;
  if (!ranked_) return said;
  Dim most = *ranked_;
  for (const auto& [id, symbol] : limits_) {
    if (most.substitute_symbol(symbol->name, 0) == most) continue;  // it is not in it
    if (!limit_sizes_.contains(id)) {
      // With a larger limit there are not fewer, so none below 0 matters.
      const Expr value = Expr::cast(Type::i64, graph_of(op_).tensor(id).scalar());
      limit_sizes_.emplace(
          id, op_.run_size("limit", {0, kUnbounded}, max(value, Expr::constant(Type::i64, 0))));
    }
    most = most.substitute_symbol(symbol->name, limit_sizes_.at(id));
  }
  most_ = is_endless() ? most : min(most_, most);
  return said;
}

void LoopTrips::require_end(bool always, bool silent) const {
  if (!asked_ || !is_endless()) return;
  if (always && !counted_) {
    refuse("unbounded-loop", "the loop has no number of trips and its condition never changes",
           "give the loop a trip count");
  }
  if (!silent) {
    refuse("dynamic-shape", "a loop that only its condition ends emits values in every iteration",
           "give a bound with " + dim_flag(asked_->name, "0..1024") + " or another end");
  }
}

}  // namespace burin
