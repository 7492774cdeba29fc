// Pictures of REPORT.html, as SVG: what reads what another step made, and the arena over time.
#pragma once

#include "backends/cpp/kernel_set.h"
#include "backends/cpp/names.h"
#include "backends/model_plan.h"
#include "render/text.h"

namespace burin::cpp {

// A step as both the pictures and the table of the page have it.
struct PageStep {
  StepId id = kNoStep;
  int position = 0;
  std::string name;   // of the function, or what the step is
  std::string nodes;  // that it stands for; raw text
  std::vector<ValueId> reads, writes;
};
std::vector<PageStep> page_steps(const ModelPlan& plan, const KernelSet& kernels);

// Steps below each other, arcs from what makes a tensor to what reads it. O(steps + reads).
Code graph_picture(const ModelPlan& plan, const std::vector<PageStep>& steps);
// Bytes over steps, at the sizes that the plan was made for. Empty where nothing is placed.
Code arena_picture(const ModelPlan& plan, const std::vector<PageStep>& steps);

}  // namespace burin::cpp
