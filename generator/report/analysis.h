// Analysis: a compiled plan as figures, for `burin analyze`, dashboards and tests of claims. Sizes
// that depend on symbols are given at their hints.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backends/kernel_work.h"
#include "lower/facts.h"
#include "pipeline.h"
#include "report/device_figures.h"
#include "report/operator_layouts.h"

namespace burin {

struct KernelFigures {
  std::string name, family, reason;
  std::string key;  // of a tuning file, where one is used (select/device/tuning.h)
  StepId step = kNoStep;
  int position = 0;  // of the step
  std::vector<Origin> nodes;
  int packed = 0;  // operands that it brings into panels or windows for itself as it runs
  KernelWork work;
  std::vector<std::string> layouts;  // of the operands
  bool is_movement = false;          // computes nothing
  bool dropped = false;              // a view: not run
  int versions = 1;                  // of its code, of which the run takes one
};

struct Analysis {
  std::string model, hardware;
  int64_t nodes = 0, parameters = 0, macs = 0;
  std::vector<KernelFigures> kernels;
  std::vector<TensorFacts> inputs;
  std::vector<NodeFacts> operators;
  OperatorLayouts layouts;                            // of the operators
  LatticeCounts shapes;                               // of inputs and of what nodes give
  int passes = 0;                                     // of propagation
  Rewrites rewrites;                                  // of arithmetic
  std::string arena_bytes, lower_bound, naive_bytes;  // numbers or expressions over symbols and
  std::vector<std::pair<std::string, std::string>> sizes;  // these names, in order
  int64_t arena_at_hints = 0, lower_bound_at_hints = 0, naive_at_hints = 0;
  std::string memory_method;
  LaunchGroups groups;                  // of a device's launches
  std::optional<DeviceFigures> device;  // where the target is one
  OrderPlan order;
  std::vector<int> part_versions;  // by part of the order: the most that a kernel in it has
  std::vector<std::pair<std::string, std::vector<Interval>>> buffers;  // bytes, positions
  std::vector<Baseline> baselines;
  std::optional<LayoutPlan> selection;  // of layouts
  double selection_seconds = 0;
  std::vector<StageTime> stages;
};

Analysis analyze(const Compiled& compiled);

// What papers call it: shapes, orders, layouts, other planners; kernels in the order of the run.
std::string to_text(const Analysis& analysis);
// The kernels alone.
std::string kernels_text(const Analysis& analysis);
std::string to_json(const Analysis& analysis);

}  // namespace burin
