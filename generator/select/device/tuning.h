// What was measured instead of counted: choices for single kernels (burin tune), and the time of
// single kernels of a CPU (tests/bench/layout_times.py).
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
#include "select/verbs/verbs.h"

namespace burin {

struct KernelTuning {
  Verbs verbs;               // instead of those that are chosen without it
  std::optional<double> us;  // what a call of it takes, on a CPU: layouts are chosen by it
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

// Verbs of kernels, by key: all that was chosen of each.
using LockedVerbs = std::map<std::string, Verbs>;

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

// The description as a kernel of which "work-group" is given sees it; what the device does not have
// is left as it is.
Hardware as_given(Hardware hardware, const Given& given);

}  // namespace burin
