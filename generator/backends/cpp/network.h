// The networks of a tree: one, or several with a joint run.
//
// Several models in one tree are as many networks, each with the C interface that it would have
// alone, and one more that is the tree's own: it runs all of them. They share the kernels whose
// text is the same, the parts of runtime_min, and one file of weights, in which the file of each
// network lies as it is.
#pragma once

#include <functional>
#include <vector>

#include "backends/cpp/kernel_set.h"
#include "backends/cpp/names.h"
#include "backends/cpp/weights.h"

namespace burin::cpp {

struct Network {
  const ModelPlan* plan = nullptr;
  TreeNames names;
  WeightsLayout weights;
  KernelSet kernels;
};

// The tree's own network is the last; `models` are those of several, else none, whose names
// refuse_name_collisions (names.h) takes.
std::vector<Network> networks_of(const ModelPlan& own, const std::vector<const ModelPlan*>& models,
                                 const std::function<PlanUnits(const ModelPlan&)>& units);

// Where their files lie, in the same order; without printing them.
std::vector<TreePlaces> places_of(const ModelPlan& own,
                                  const std::vector<const ModelPlan*>& models);

// The functions of all of them.
KernelSet all_kernels(const std::vector<Network>& networks);

}  // namespace burin::cpp
