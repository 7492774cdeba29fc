// What a division of a kernel among threads takes, in cycles of one thread: calls run in rounds of
// as many as there are threads, and each call does its share of the work and, anew, what it does
// not share with others. Both are read off the program (cost/): one call is asked for with the
// fewest points of an axis and with all of them, and what lies between is taken to be a line, of
// two axes a plane along each.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "cost/cost.h"
#include "hardware/hardware.h"
#include "loops/program.h"
#include "select/schedule/loop_plan.h"

namespace burin {

// Of divisions that take nearly the same time, that of most calls evens out unequal threads best.
inline constexpr int64_t kNearlyPercent = 105;
// What threads share takes at most so much of the time that one thread takes.
inline constexpr int64_t kRepaysPercent = 90;
// Cycles that repay giving a part to a thread (Hardware::thread_start_us).
int64_t least_of_part(const Hardware& hardware);

// A schedule as a program (select/program_of.h).
using MakeProgram = std::function<loops::Program(const LoopPlan&)>;

// Points of the axis of a cut at the hinted sizes, and how many calls they make.
int64_t points_of(const CutAxis& axis);
int64_t calls_of(const CutAxis& axis);

// The schedule with its loops in such chunks.
LoopPlan divided(LoopPlan schedule, const std::vector<CutAxis>& axes, int workers);

// One call of a program whose loops over threads have these parts, while as many calls run as there
// are threads; `touched`: bytes, by all calls. What a call reads is where threads leave it to each
// other. At the hinted sizes.
cost::Cost cost_of_call(cost::Costs& costs, const std::vector<Range>& parts, int64_t touched,
                        const Hardware& hardware);
// By all calls of a program that is cut along `axes`.
int64_t touched_by_all(cost::Costs& costs, const std::vector<CutAxis>& axes,
                       const Hardware& hardware);

// Calls of a schedule that is cut along `axes`, one or two, in chunks that have no fewer points
// than these grains say.
class CallCosts {
 public:
  // `hardware` must outlive it.
  CallCosts(const LoopPlan& schedule, std::vector<CutAxis> axes, const Hardware& hardware,
            const MakeProgram& make);

  // Of one call for everything.
  int64_t all() { return corner(corners_.size() - 1); }
  // Of a call that has so many points of each of the axes.
  int64_t of_call(const std::vector<int64_t>& points);
  // Of all calls in such chunks; none of an axis: all its points.
  int64_t of(const std::vector<CutAxis>& chunks, int threads);

 private:
  // With the fewest points (bit k: all points) of axis k.
  int64_t corner(size_t number);

  const std::vector<CutAxis> axes_;
  const Hardware& hardware_;
  const loops::Program program_;
  cost::Costs costs_;
  int64_t touched_ = 0;
  std::vector<int64_t> corners_;  // 0: not asked for yet
};

}  // namespace burin
