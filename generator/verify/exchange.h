// The request and response files between burin and a test program (templates/project/
// test_driver.cpp says how they look).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "backends/model_plan.h"
#include "kernel/tensor.h"

namespace burin {

// One inference on one set of inputs.
struct Run {
  std::map<std::string, int64_t> symbols;
  std::vector<HostTensor> inputs;            // in the order of the model
  std::vector<std::vector<int64_t>> wanted;  // expected shapes of the outputs; may be empty
  // Elements that the caller has room for, per output; those that are left out have the most that
  // the run can give. Only of outputs whose size depends on data.
  std::vector<int64_t> capacities{};
  int64_t room = 0;  // elements of an output that nothing bounds and nobody has a shape of
  uint8_t fill = 0;  // of all memory that the network may write
  bool in_one_buffer = false;  // each state of the caller; else there are two
};

struct RunOutcome {
  int32_t status = 0;     // of <name>_init or <name>_run
  std::string explained;  // what the network says of a status that is not 0
  int64_t faults = 0;     // bits of test_driver.cpp
  int64_t arena_bytes = 0;
  std::vector<HostTensor> outputs;  // empty unless the status is 0
};

std::string encode_request(const ModelPlan& plan, const std::vector<Run>& runs);

// The outcome of each run, from the bytes of the response. Refused (rule "io") when they are not
// what the request asked for.
std::vector<RunOutcome> decode_response(const ModelPlan& plan, const std::vector<Run>& runs,
                                        const std::string& bytes);

// "the arena's guard was overwritten, an input was changed"; empty when there is none.
std::string describe_faults(int64_t faults);

}  // namespace burin
