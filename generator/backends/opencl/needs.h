// What a tree needs of its device, asked for when a context is made (runtime_min/opencl/needs.h).
#pragma once

#include <cstdint>
#include <vector>

#include "backends/cpp/kernel_set.h"
#include "backends/model_plan.h"
#include "render/text.h"

namespace burin::opencl {

// Of each kernel of the set: the work-items of its largest work-groups.
std::vector<int64_t> kernel_items(const ModelPlan& plan, const cpp::KernelSet& kernels);

// The initialisers of burin_cl::Needs.
Code needs_code(const ModelPlan& plan, const cpp::KernelSet& kernels);

}  // namespace burin::opencl
