// What a division of a kernel among threads takes, in cycles of one thread: calls run in rounds of
// as many as there are threads, and each call does its share of the work and, anew, what it does
// not share with others: lets that do not run over the axis that is cut, the columns that a call
// for some of the rows packs, a packed constant that it reads as a whole.
#pragma once

#include <cstdint>
#include <vector>

#include "hardware/hardware.h"
#include "select/schedule/schedule.h"

namespace burin {

// Work over `along`: a call has its share of these axes, and all of it where it is cut along
// others.
struct CallWork {
  std::vector<int> along;
  int64_t cycles = 0;  // of one call that has all points
  int64_t always = 0;  // of these, those of a call that has hardly any
};

using KernelWork = std::vector<CallWork>;

// Of one call for everything.
int64_t cycles_of(const KernelWork& work);

// At the hinted sizes. Products and sums of a contraction count at the rate of the vector unit,
// anything else one per cycle and element. O(size of the kernel).
KernelWork work_of(const KernelSchedule& schedule, const std::vector<Value>& values,
                   const Hardware& hardware);

// Points of the axis of a cut at the hinted sizes, and how many calls they make.
int64_t points_of(const CutAxis& axis);
int64_t calls_of(const CutAxis& axis);

// Of calls that have `axes` in chunks.
int64_t cycles_of(const KernelWork& work, const std::vector<CutAxis>& axes, int threads);

}  // namespace burin
