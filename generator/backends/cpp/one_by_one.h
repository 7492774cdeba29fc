// Kernels that have no vector form, in whole or in part, where a description has vectors.
#pragma once

#include <vector>

#include "backends/model_plan.h"

namespace burin::cpp {

// A loop of the step takes elements one by one: in thousandths of the cycles of the step, and of
// all steps, as cost/ predicts them at the sizes to optimise for.
struct OneByOne {
  StepId step = kNoStep;
  int64_t of_step = 0, of_network = 0;
};

// Those with at least one thousandth of all, the most first. Empty where there are no vectors.
// O(what costs of all programs take).
std::vector<OneByOne> one_by_one(const ModelPlan& plan);

// Whether compilers have vectors for what a description is of.
bool has_vectors(const Hardware& hardware);

}  // namespace burin::cpp
