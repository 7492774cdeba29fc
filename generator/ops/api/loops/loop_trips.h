// How often a loop goes round at most: as the model says, as its condition says
// (ranking_function.h), or as the user says of one that only its condition ends.
#pragma once

#include <optional>

#include "ops/api/loops/loop_lowering.h"
#include "ops/api/loops/ranking_function.h"

namespace burin {

class LoopTrips {
 public:
  LoopTrips(OpContext& op, const RepeatedBody& loop);

  // What memory and results are made for.
  const Dim& most() const { return most_; }
  // The same for what grows with every iteration: where it has no end because the trips have none,
  // a bound is asked for them.
  Dim to_grow() const { return asked_ && is_endless() ? Dim::symbol(asked_) : most_; }
  // The user said it: the run stops where the loop would go on.
  bool are_limited() const { return limited_; }

  // Whether the condition is to be looked at.
  bool may_be_ranked() const;
  // Looks at the condition of a body as it is lowered now; true: it says something else than
  // before, which take_rank() takes over, outside of what the caller attempts.
  bool rank(const Steps& body, const Repetition& repetition);
  // True: it had said something before that is no longer so.
  bool take_rank();

  // Refused (unbounded-loop, dynamic-shape): nothing says that it ends. `always`: its condition
  // holds in all iterations; `silent`: it emits nothing.
  void require_end(bool always, bool silent) const;

 private:
  bool is_endless() const { return most_.is_constant(kUnbounded); }

  OpContext& op_;
  const bool goes_on_, counted_;
  const Dim given_;
  Symbol asked_;  // null: the model says
  bool limited_ = false;
  Limits limits_;
  std::map<ValueId, Dim> limit_sizes_;  // that the run makes of them
  std::optional<Dim> ranked_, next_;    // over limits
  bool gave_up_ = false;                // what it says depends on itself
  Dim most_;
};

}  // namespace burin
