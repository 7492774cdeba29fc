#include "backends/model_plan.h"

#include <algorithm>

namespace burin {

int image_number(const ModelPlan& plan, ValueId id) {
  int number = 0;
  for (const auto& [constant, bytes] : plan.image_constants) {
    if (constant == id) return number;
    ++number;
  }
  for (const ImageSlot& slot : plan.image_pool.slots) {
    if (std::find(slot.values.begin(), slot.values.end(), id) != slot.values.end()) return number;
    ++number;
  }
  return -1;
}

}  // namespace burin
