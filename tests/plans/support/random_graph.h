// Random kernel graphs: everything that sharing and lifetimes have to look at, mixed.
#pragma once

#include "plans/support/graph_builder.h"
#include "plans/support/packing_instances.h"

namespace burin::test {

struct RandomGraphOptions {
  int steps = 12;
  bool symbols = false;  // rows and columns are N and M instead of numbers
  bool regions = true;   // If and Loop
};

KernelGraph random_graph(Numbers& numbers, const RandomGraphOptions& options);

}  // namespace burin::test
