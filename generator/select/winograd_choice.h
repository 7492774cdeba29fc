// Which convolutions are computed by Winograd's minimal filtering, and in tiles and bands of which
// size: those that take less time so, by the one cost of programs (cost/), with one thread and with
// all of them.
//
// It changes results by roundings of differences of large numbers, so there is a budget of errors.
// What a layer adds is a share of the usual size of its results
// (select/products/winograd_matrices.h), taken to be independent of what others add, so their
// squares add up; a layer has a quarter of the budget at most. A tuning file is held to it, what a
// lock says is counted. Filters of points are larger than those of taps: all of them add at most
// half of what the model's constants are, or 4 MiB. Scratch of all threads together is at most a
// quarter of these constants, or 8 MiB.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hardware/hardware.h"
#include "select/schedule/loop_plan.h"

namespace burin {

class WinogradChoices {
 public:
  // `values` are those of the model.
  WinogradChoices(const std::vector<Value>& values, double budget);

  // The verb of the form that is faster than `direct`, the schedule of `kernel`; nullopt: there is
  // none, or the budget is used. Kernels of one key are alike. `values` are as they were
  // afterwards.
  std::optional<Verb> better_than(const LoopPlan& direct, const std::string& key,
                                  const Kernel& kernel, std::vector<Value>& values,
                                  const Hardware& hardware, const Given& given);

  // Of a form that a verb gives: false where the budget has no room for it, unless it must be
  // taken. What is taken is counted.
  bool take(const WinogradChoice& given, bool must);

 private:
  struct Form {
    Verb verb;
    double error = 0;
    int64_t more_bytes = 0;
  };
  std::optional<Form> fastest(const LoopPlan& direct, const Kernel& kernel,
                              std::vector<Value>& values, const Hardware& hardware,
                              const Given& given) const;
  // Of a layer, beside those that were taken.
  bool has_room(double error) const;

  const double budget_;
  double squares_ = 0;  // of the errors so far
  int64_t bytes_left_ = 0, most_scratch_ = 0;
  std::map<std::string, std::optional<Form>> known_;
};

}  // namespace burin
