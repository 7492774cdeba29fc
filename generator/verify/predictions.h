// What cost/ says of the kernels of a network, one after the other on one thread.
#pragma once

#include <cstdint>

#include "backends/model_plan.h"

namespace burin {

class Predictions {
 public:
  // `plan` must outlive it.
  explicit Predictions(const ModelPlan& plan);

  // Of all calls of one run of the step, at hinted sizes; 0: it has no program.
  int64_t cycles(StepId step) const;
  int64_t bytes() const { return bytes_between_; }

 private:
  const ModelPlan& plan_;
  int64_t bytes_between_ = 0;  // that a run touches, from one run of a kernel to the next
};

}  // namespace burin
