// A plan in the words of somebody who has to find room and time for it: flash, memory, an estimate
// of the time, the largest kernels, and what should be looked at. `generate` ends with it and
// `analyze` begins so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backends/model_plan.h"
#include "report/analysis.h"

namespace burin {

struct KernelShare {
  std::string nodes;  // that it stands for
  int64_t macs = 0, ns = 0;
  StepId step = kNoStep;
};

struct Overview {
  int64_t parameters = 0, macs = 0;
  int64_t weights_bytes = 0;
  int64_t arena_bytes = 0;            // at the sizes that the plan was made for
  std::string at;                     // these sizes: "batch = 64"; empty: there are none
  std::optional<int64_t> arena_most;  // at the largest sizes, where they have a number
  std::string open;                   // else the sizes that nothing bounds
  bool device = false;                // the arena lies on one
  std::string machine;                // the peaks of the description in short
  int64_t least_ns = 0;               // of a run on a machine that has just these
  std::vector<KernelShare> kernels;   // that run, the longest first
  std::vector<std::string> warnings;

  int64_t least_of(StepId step) const;  // nanoseconds of its kernel
};

// The sizes that figures are for, where there are open ones: "'batch' = 64".
std::string usual_sizes(const ModelPlan& plan);

// `weights_bytes`: of the tree.
Overview overview(const ModelPlan& plan, const Analysis& analysis, int64_t weights_bytes);

// "1,234,567".
std::string with_separators(int64_t number);
// "12 bytes", "94208 bytes (92.0 KiB)".
std::string bytes_text(int64_t bytes);
// "840 ns", "1.25 ms".
std::string time_text(int64_t ns);

// How much memory the caller has to give, in one line; and of `analyze` all of it.
std::string memory_text(const Overview& overview);
std::string to_text(const Overview& overview);

}  // namespace burin
