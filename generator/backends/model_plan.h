// ModelPlan: everything that has been decided about one model. A backend turns it into text.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backends/code_sizes.h"
#include "backends/made_from.h"
#include "hardware/hardware.h"
#include "kernel/kernel.h"
#include "kernel/packed_value.h"
#include "kernel/symbolic/roundings.h"
#include "kernel/tensor.h"
#include "plan/images/device_memory.h"
#include "plan/images/image_pool.h"
#include "plan/memory/computed_sizes.h"
#include "plan/memory/memory_plan.h"
#include "plan/memory/size_limit.h"
#include "select/device/tuning.h"
#include "select/images/image_plan.h"
#include "select/joint/device_sizes.h"
#include "select/joint/launch_groups.h"
#include "select/joint/thread_groups.h"
#include "select/precision/fp16_plan.h"
#include "select/schedule/kernel_schedule.h"

namespace burin {

enum class WeightsMode : uint8_t { embed, blob };

// Elements that a program draws for itself, where they are too many for source text
// (verify/made_inputs.h has the sequence).
struct DrawnTensor {
  uint64_t sequence = 0;  // of numbers (support/numbers.h)
  HostTensor elements;    // what it gives
};

// One inference whose results are known.
struct SampleRun {
  std::map<std::string, int64_t> sizes;     // of the caller's symbols
  std::vector<HostTensor> inputs, outputs;  // in the order of the graph
  // Of inputs whose elements are these but for few, by their place in the graph.
  std::map<size_t, DrawnTensor> drawn = {};
  std::vector<int64_t> most_off = {};  // by output: elements that may be off, of integers
};

// What the self-test of a tree runs. A float agrees when |got - wanted| <= absolute + relative *
// max|wanted|, as in report/compare.h.
struct SelfTest {
  std::vector<SampleRun> runs;
  std::vector<double> absolute, relative;  // by output
  std::string origin;  // of the results; without runs: why there are none. A sentence, not ended
};

// A node of the model that no step stands for.
struct Eliminated {
  Origin node;
  bool folded = false;  // its results are known while generating; else nothing that runs needs it
};

struct ModelPlan {
  std::string name;                           // of the tree; raw text until a NameTable takes it
  std::string model_sha256, hardware_sha256;  // of the files
  KernelGraph graph;
  std::vector<PackedValue> packed_inputs, packed_outputs;
  std::vector<Eliminated> eliminated;  // in the order of the model
  std::map<StepId, KernelSchedule> kernels;
  std::map<StepId, std::string> kernel_keys;    // of their content, as a plan lock has them
  std::optional<TuningUse> tuning;              // where a tuning file says something
  Fp16Plan fp16;                                // which tensors and kernels are in sixteen bits
  DeviceSizes sizes;                            // for a device: those that the run finds out there
  LaunchGroups groups;                          // for a device: kernels whose launches are joint
  ThreadGroups thread_groups;                   // kernels whose parts threads take side by side
  ImagePlan images;                             // for a device: tensors that are images
  ImagePool image_pool;                         // those of them that kernels write
  std::map<ValueId, Constant> image_constants;  // the others: texels, row by row
  DeviceMemory device;                          // for a device: what a run needs of its memory
  MemoryPlan memory;
  std::vector<std::pair<std::string, std::string>> layouts;  // tensors that are not row-major
  std::vector<Roundings> output_roundings;                   // of the lowered graph, by output
  std::vector<Type>
      narrowest_output_types;  // that each is rounded to on its way (lower/output_roundings.h)
  // Of the caller's sizes that have no bound (plan/memory/size_limit.h).
  SizeLimits size_limits;
  Hardware hardware;
  Profile profile = Profile::kHosted;
  WeightsMode weights = WeightsMode::blob;
  bool fast_math = false;  // floats may have been reassociated
  bool step_hook = false;  // a function of the caller is told every step
  SelfTest self_test;
  std::optional<CodeSizes> code_sizes;  // of --code-sizes, of the tree's own plan
  std::vector<std::string> packages;    // of --package (backends/packages), sorted
  MadeFrom made_from;                   // of the tree's own plan
};

// Images of the device: those of constants, by value, then those of the pool.
inline size_t image_count(const ModelPlan& plan) {
  return plan.image_constants.size() + plan.image_pool.slots.size();
}
// The number of the image that a tensor lies in; -1: it is an array.
int image_number(const ModelPlan& plan, ValueId id);

// All that its code computes from sizes.
std::vector<ComputedSize> computed_sizes(const ModelPlan& plan);

}  // namespace burin
