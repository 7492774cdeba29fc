// The OpenCL backend: a decided plan becomes kernels in OpenCL C and a host side in C++.
#pragma once

#include "backends/cpp/emit_cpp.h"
#include "backends/cpp/emit_schedule.h"

namespace burin::opencl {

// As cpp::emit.
cpp::EmittedTree emit(const ModelPlan& plan, const std::vector<const ModelPlan*>& models);

// The functions of a plan; KernelSet::calls then has the launches of every step, in order of
// launches_of.
cpp::PlanUnits kernel_units(const ModelPlan& plan);

// opencl/*.cl, and as string literals the program of each network: src/<tree>_program.cpp,
// src/kernels.h.
void emit_program(const std::vector<cpp::Network>& networks, SourceTree& tree);

// src/<name>.cpp: the interface and the schedule.
void emit_host(const ModelPlan& plan, const cpp::TreeNames& names, const cpp::KernelSet& kernels,
               const cpp::WeightsLayout& weights, SourceTree& tree);

// The body of <name>_run: one launch or more per kernel.
cpp::PrintedSchedule print_schedule(const ModelPlan& plan, const cpp::TreeNames& names,
                                    const cpp::KernelSet& kernels);

// Bytes of an element as it lies in memory.
int64_t element_bytes(Type type);
// Of a size on the device: what kernels read, and what it was before that.
inline constexpr int kSizeBytes = 16;

}  // namespace burin::opencl
