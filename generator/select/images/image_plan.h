// Which tensors of a device are images, and how they lie in them (SmartMem 3.3): a plain value that
// prints and compares. Decided here for all tensors at once, by the solver that also chooses
// layouts (choice/choice.h); applied by select/images/image_launches.h.
//
// OpenCL 1.2 has an image only read or only written by a kernel, written in whole texels, and never
// in place, as a view or as a part of something else. So a tensor may be an image where kernels of
// the graph's own list alone use it, none of them reads and writes it, and the one that writes it
// has four neighbouring elements at one work-item; and a constant where kernels alone read it.
// Inputs, outputs, what procedures and regions touch, and what shares its bytes as a view or a part
// are buffers.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "choice/choice.h"
#include "hardware/hardware.h"
#include "kernel/image_map.h"
#include "kernel/kernel.h"
#include "select/device/tuning.h"
#include "select/schedule/kernel_schedule.h"

namespace burin {

enum class MemoryUse : uint8_t {
  buffers,   // every tensor
  images,    // whatever may be one is an image
  selected,  // what reads cheaper
};
std::string_view to_string(MemoryUse use);

// Of a tensor between kernels, or a constant.
struct ImageDecision {
  ValueId value = kNoValue;
  bool image = false;
  std::string reason;
  bool free = false;  // it may be either
  bool operator==(const ImageDecision&) const = default;
};

struct ImagePlan {
  MemoryUse use = MemoryUse::buffers;
  ImageMaps maps;                        // of the tensors that are images
  std::vector<ImageDecision> decisions;  // by value
  Solved solved;                         // what the solver says of its choice
  Cost buffers = 0;                      // if every tensor were a buffer, in picoseconds
  bool operator==(const ImagePlan&) const = default;
};

// The problem: a variable is a tensor that may be an image, its first state is a buffer, the others
// are maps. What a launch costs is split over what it writes and the pairs of that with each
// operand.
struct ImageProblem {
  std::vector<ValueId> values;              // of each variable
  std::vector<std::vector<ImageMap>> maps;  // its states behind the first
  Choice choice;
  std::vector<ImageDecision> refused;  // what may be no image, by value
};
// `views`: copies that need not run.
ImageProblem image_problem(const KernelGraph& graph,
                           const std::map<StepId, KernelSchedule>& kernels,
                           const std::set<StepId>& views, const Hardware& hardware);

// What was measured: of tensors that may be images, whether they are. A constant that several
// kernels read is as the first of these says.
using MeasuredImages = std::map<ValueId, bool>;
MeasuredImages measured_images(const std::map<StepId, KernelSchedule>& kernels,
                               const std::vector<Value>& values,
                               const std::map<StepId, std::string>& keys, const Tuning& tuning);

ImagePlan plan_images(const KernelGraph& graph, const std::map<StepId, KernelSchedule>& kernels,
                      const std::set<StepId>& views, const Hardware& hardware, MemoryUse use,
                      const MeasuredImages& measured = {}, const SolveOptions& options = {});

// Independent of the planner, on schedules with images applied: empty, or the fault. The device has
// such images; kernels of the graph's own list alone use them, each only for reading or only for
// writing; one statement writes an image, with four points of one axis at a work-item that are
// whole texels.
std::string check_images(const ImagePlan& plan, const KernelGraph& graph,
                         const std::map<StepId, KernelSchedule>& kernels, const Hardware& hardware);

// One line per tensor.
std::string to_string(const ImagePlan& plan, const KernelGraph& graph);

}  // namespace burin
