// What a tree needs of its device, asked for when a context is made (runtime_min/opencl/needs.h).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "backends/cpp/kernel_set.h"
#include "backends/model_plan.h"
#include "render/text.h"

namespace burin::opencl {

// Work-items of a work-group along each dimension.
using WorkGroup = std::array<int64_t, 3>;
WorkGroup work_group_of(const Launch& launch);
// Points of the launch that a work-group has along each dimension, where its work-items share them;
// else as many as it has work-items.
WorkGroup points_of_group(const Launch& launch);
// Whether they do: a tile of a product, a block of queries, the loops of a point.
inline bool shares_points(const Launch& launch) {
  return launch.product || launch.attention || launch.cooperative > 0;
}

// Of each kernel of the set: the work-items of its largest work-groups.
std::vector<int64_t> kernel_items(const ModelPlan& plan, const cpp::KernelSet& kernels);

// The initialisers of burin_cl::Needs.
Code needs_code(const ModelPlan& plan, const cpp::KernelSet& kernels);

}  // namespace burin::opencl
