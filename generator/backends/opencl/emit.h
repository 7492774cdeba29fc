// The OpenCL backend: a decided plan becomes kernels in OpenCL C and a host side in C++.
#pragma once

#include "backends/cpp/emit.h"
#include "backends/cpp/emit_schedule.h"

namespace burin::opencl {

// `plan` must outlive the tree: weights are streamed from it.
cpp::EmittedTree emit(const ModelPlan& plan);

// The distinct functions of a plan; KernelSet::calls has the launches of every step, in order of
// launches_of.
cpp::KernelSet print_kernels(const ModelPlan& plan);

// opencl/*.cl, and the program as string literals: src/<name>_program.cpp, src/kernels.h.
void emit_program(const cpp::KernelSet& kernels, const cpp::TreeNames& names, SourceTree& tree);

// src/<name>.cpp: the interface and the schedule.
void emit_host(const ModelPlan& plan, const cpp::TreeNames& names, const cpp::KernelSet& kernels,
               const cpp::WeightsLayout& weights, SourceTree& tree);

// The body of <name>_run: one launch or more per kernel.
cpp::PrintedSchedule print_schedule(const ModelPlan& plan, const cpp::TreeNames& names,
                                    const cpp::KernelSet& kernels);

// Bytes of an element as it lies in memory.
int64_t element_bytes(Type type);

}  // namespace burin::opencl
