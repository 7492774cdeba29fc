// Attention (fuse/attention/attention_form.h) on a device: a work-group has a block of queries and
// goes through the keys block by block, with a running softmax as on a CPU
// (select/products/attention_schedule.h). Queries, keys, values and scores of the present blocks
// lie in local memory, sums in registers; the matrix of scores never exists. A score of a position
// is computed for the query and the key that read it.
#pragma once

#include <optional>

#include "hardware/hardware.h"
#include "select/schedule/loop_plan.h"

namespace burin {

// nullopt where the kernel is no attention, or its rows have no constant or too large a size.
std::optional<LoopPlan> schedule_device_attention(const Kernel& kernel,
                                                  const std::vector<Value>& values,
                                                  const Hardware& hardware);

}  // namespace burin
