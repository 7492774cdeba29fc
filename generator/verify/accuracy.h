// How far results are from those of the same network computed in floats: what fp16 costs. The
// reference is the interpreter on what the model means, every tensor and conversion of sixteen bits
// in f32; where that would take too long, the data, if they are floats.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pipeline.h"
#include "verify/exchange.h"

namespace burin {

struct Accuracy {
  std::string reference;  // "interpreter in f32", "data"; empty: there is none
  double absolute = 0;    // largest |got - reference|; infinite where one is no number
  double relative = 0;    // of the largest |reference|
  double root_mean_square = 0;
  double relative_root_mean_square = 0;  // of that of the reference
  int64_t elements = 0;
};

// A network without sixteen-bit floats.
KernelGraph in_floats(const KernelGraph& graph);

// Results of that network for a run; none where the interpreter would take too long or a tensor is
// drawn at random.
std::vector<HostTensor> float_results(const Compiled& compiled, const Run& run);

Accuracy accuracy_of(const HostTensor& got, const HostTensor& reference, std::string name);

}  // namespace burin
