// Outputs that are drawn at random, or computed from such: what the data say of them is their type
// and shape. Their elements are held against the interpreter, which draws the same numbers, and
// those that are draws themselves against the distribution that the operator names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pipeline.h"
#include "verify/exchange.h"
#include "verify/verify.h"

namespace burin {

// One run of the interpreter on what a model with draws means.
class DrawnRun {
 public:
  // Null where no output follows from draws.
  static std::optional<DrawnRun> of(const Compiled& compiled, const Run& run);

  bool concerns(size_t output) const { return compiled_->draws[output].depends; }
  // `tolerance`: for the interpreter's result.
  OutputVerdict judge(size_t output, const HostTensor& got, const HostTensor& wanted,
                      Tolerance tolerance) const;

 private:
  const Compiled* compiled_ = nullptr;
  std::string problem_;                 // why there are no results
  std::vector<HostTensor> results_;     // by output
  std::vector<HostTensor> parameters_;  // by output; none: of no elements
};

}  // namespace burin
