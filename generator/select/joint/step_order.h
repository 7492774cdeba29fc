// What the planner of launch groups asks about steps that move: how early a step may run, and how
// many bytes live at once where it then runs. Slots are what runs one after the other: a step, or
// the steps of a group.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "select/schedule/kernel_schedule.h"

namespace burin {

// Two kernels write different elements of one value: in some dimension their indices never meet.
bool writes_apart(const Kernel& a, const Kernel& b, ValueId value);

// Steps are placed one after the other, each behind what it depends on.
class StepOrder {
 public:
  explicit StepOrder(const KernelGraph& graph);
  // The last slot of a step that was placed and that this one touches something with, one of the
  // two changing it; -1: none.
  int earliest(int step) const;
  void place(int step, int slot);

 private:
  struct Users {
    int read = -1;                             // the last slot of one that reads
    std::vector<std::pair<int, int>> writers;  // slot, step
  };

  const KernelGraph& graph_;
  std::vector<Users> values_;
  std::map<std::string, Users> symbols_;  // that are found during the run
  int checked_ = -1;                      // the last slot of an assumption that is tested
  int last_ = -1;
};

// The sum of the bytes of internal values and scratch that are live at once, nothing shared, at the
// hinted sizes.
class LiveBytes {
 public:
  LiveBytes(const KernelGraph& graph, const std::map<StepId, KernelSchedule>& kernels);
  int64_t given_peak() const { return given_peak_; }
  // With this step, the next to be placed, in a slot that is there, and all later steps behind.
  int64_t peak_with(int step, int slot) const;
  void place(int step, int slot, int slots);

 private:
  int64_t peak(const std::vector<int>& slot_of) const;

  struct Touched {
    std::vector<int> steps;
    bool written = false;  // by a step: it has a place
    int64_t bytes = 0;
  };
  std::vector<Touched> values_;
  std::vector<int64_t> scratch_;  // by step
  std::vector<int> slot_of_;      // by step; of those that are not placed as if each had its own
  int slots_ = 0;                 // of those that are placed
  int64_t given_peak_ = 0;
};

}  // namespace burin
