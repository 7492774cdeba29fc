// What cost/ says of the kernels of a network, one after the other on one thread.
#pragma once

#include <cstdint>

#include "backends/model_plan.h"
#include "cost/cost.h"

namespace burin {

class Predictions {
 public:
  // `plan` must outlive it.
  explicit Predictions(const ModelPlan& plan);

  // Of all calls of one run of the step, at hinted sizes; 0: it has no program.
  int64_t cycles(StepId step) const;
  int64_t bytes() const { return bytes_between_; }
  // Of these, what bytes take on their way; and the part whose loops take elements one by one.
  int64_t cycles_of_memory(StepId step) const;
  int64_t cycles_one_by_one(StepId step) const;

 private:
  // Of one call, and how many points of all it has.
  struct Call {
    cost::Cost cost;
    int64_t points = 1, part = 1;
  };
  Call call_of(StepId step) const;

  const ModelPlan& plan_;
  int64_t bytes_between_ = 0;  // that a run touches, from one run of a kernel to the next
};

}  // namespace burin
