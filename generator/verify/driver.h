// The test program of one emitted tree: what is specific to it. The rest is
// templates/project/test_driver.h and the program.h of the hardware's kind of program.
#pragma once

#include <string>
#include <vector>

#include "backends/model_plan.h"
#include "render/text.h"

namespace burin {

// driver.cpp: hands the numbered symbols, inputs and outputs of test_driver.h to the named ones of
// the tree's interface.
Code test_driver(const ModelPlan& plan);

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
