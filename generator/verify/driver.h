// The test program of one emitted tree: what is specific to it. The rest is
// templates/project/test_driver.cpp and the program.h of the hardware's kind of program.
#pragma once

#include <string>
#include <vector>

#include "backends/model_plan.h"
#include "render/identifier.h"
#include "render/text.h"

namespace burin {

// driver.cpp: hands the numbered symbols, inputs and outputs of test_driver.h to the named ones of
// the tree's interface.
Code test_driver(const ModelPlan& plan);

// The source of a program that measures a tree (bench_driver.h): whole runs, with the tree's pool
// of threads where there is one, and so many kernels where the schedule is compiled to tell.
Code bench_driver(const ModelPlan& plan, size_t sites, bool pool);
// What is included in front of the schedule for that: the calls of these kernels go through sites.
Code bench_wrapper(const ModelPlan& plan, const std::vector<Identifier>& kernels);

// Entries of `shapes` that the driver reports: the ranks (1 for scalars) of all outputs whose size
// depends on data, in order.
int shape_entries(const ModelPlan& plan);

// The files that a driver includes beside the interface: name and bytes.
struct DriverFile {
  std::string name;
  std::string bytes;
};
std::vector<DriverFile> driver_files(const ModelPlan& plan);

}  // namespace burin
