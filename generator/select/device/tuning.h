// What was measured instead of counted: choices for single kernels of a device (burin tune), and
// the time of single kernels of a CPU (tests/bench/layout_times.py).
//
// A kernel is known by its content: its text with values numbered by their first appearance, their
// types and shapes, and no names but those of sizes. So an entry survives edits of the model around
// it, and is not used for a kernel that became another.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hardware/hardware.h"
#include "kernel/kernel.h"
#include "select/products/group_tile.h"

namespace burin {

struct KernelTuning {
  std::optional<int> work_group;  // work-items that a work-group should have
  std::optional<int> group_rows;  // of these along the second dimension of its points
  std::optional<GroupTile> tile;  // of a product
  std::optional<int> unroll;      // rounds of innermost loops that are written out
  std::optional<int> vector;      // neighbouring points of a work-item, side by side
  std::optional<int> points;      // of a work-item, one after the other; vectors count as one
  std::optional<bool> images;     // whether what it writes lies in images, where it may
  std::optional<bool> constants;  // whether constants that it reads do
  std::optional<double> us;       // what a call of it takes, on a CPU: layouts are chosen by it
  bool operator==(const KernelTuning&) const = default;
};

// Two kernels, by key; the lesser one first.
using KernelPair = std::pair<std::string, std::string>;
KernelPair pair_of(std::string a, std::string b);

struct Tuning {
  std::map<std::string, KernelTuning> kernels;  // by key
  std::map<KernelPair, bool> pairs;             // whether their launches are joint
  bool operator==(const Tuning&) const = default;
};

// What a file's entries meant for a network.
struct TuningUse {
  size_t entries = 0;                   // of kernels and pairs, in the file
  std::map<StepId, std::string> tuned;  // keys of kernels that have one
  size_t pairs = 0;                     // whose kernels are both there
  bool is_foreign() const { return entries > 0 && tuned.empty() && pairs == 0; }
};
TuningUse tuning_use(const Tuning& tuning, const std::map<StepId, std::string>& keys);

// 16 hexadecimal digits.
std::string kernel_key(const Kernel& kernel, const std::vector<Value>& values);

// The description as a kernel with this entry sees it; what the device does not have is left as it
// is.
Hardware as_tuned(Hardware hardware, const KernelTuning& tuning);

}  // namespace burin
