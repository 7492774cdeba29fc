// Prints a joint launch (select/joint/launch_groups.h): a function for each member, and a kernel
// that gives every work-group to one of them.
#pragma once

#include "backends/cpp/kernel_set.h"
#include "backends/model_plan.h"
#include "render/printed_code.h"
#include "render/printer.h"

namespace burin::opencl {

// Members whose functions read alike share one. The kernel's parameters are those of all members,
// with the number of the member behind their names, and, unless every bound is a number, where each
// member's work-groups end.
print::PrintedKernel print_joint(const ModelPlan& plan, const JointLaunch& launch,
                                 const std::vector<ValueId>& aliased);

// Whether the kernel knows where its members' work-groups end; else the caller says so.
bool has_constant_bounds(const JointLaunch& launch);
// Work-groups of all members up to and with this one.
Dim end_of_member(const JointLaunch& launch, size_t member);

// Functions of members, and the kernel, which is called `name`.
void print_joint_functions(const cpp::DistinctKernel& kernel, Printer& out);

}  // namespace burin::opencl
