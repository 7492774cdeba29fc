// A tree without its model, from what it says of itself (manifest.json, plan.json): a plan that has
// the interface, and no steps but the states of the caller. Names are those of the code.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "backends/model_plan.h"
#include "verify/bench.h"

namespace burin {

struct TreeAlone {
  ModelPlan plan;
  std::vector<std::string> sources;  // of the library
  std::string pool;                  // the source of the pool of threads; empty: there is none
  int workers = 1;
  std::string sizes;  // that it was made for, by their names in the model: "'batch' = 64"
  std::vector<KernelTime> kernels;  // without times, sorted by name; calls are not known
  int64_t macs = 0, least_ns = 0;
};

// Refuses what read_json_file does, trees of several networks (model-count) and manifests whose
// names, types or sizes are none (malformed-manifest).
TreeAlone read_tree_alone(const std::string& tree, const Hardware& hardware);

// Inputs of such a plan at these sizes, where nothing says what they mean: first floats and small
// numbers as a self-test has them, then whole numbers that are all 1, then all 0. None: there are
// no further attempts.
std::vector<HostTensor> inputs_of(const ModelPlan& plan,
                                  const std::map<std::string, int64_t>& sizes, int attempt);

}  // namespace burin
