#include "plan/device_memory.h"

#include <algorithm>

#include "plan/bytes.h"
#include "support/diagnostics.h"

namespace burin {

void refuse_beyond_device(const KernelGraph& graph, const MemoryPlan& memory,
                          const ImagesOnDevice& images, const Hardware& hardware) {
  const auto least = [](const Dim& dim) { return std::max<int64_t>(0, dim.range().lo); };
  int64_t buffer = least(memory.arena_bytes), constants = 0, texels = least(images.pool.bytes);
  for (const auto& [id, constant] : images.constants)
    texels += static_cast<int64_t>(constant.bytes);
  for (size_t i = 0; i < graph.values.size(); ++i) {
    const Value& value = graph.values[i];
    const bool outside = value.kind == ValueKind::input || value.kind == ValueKind::output;
    // An output that nothing bounds has the capacity that its caller has.
    if (outside && is_bounded_before_run(product(value.shape)))
      buffer += least(memory_bytes(graph, static_cast<ValueId>(i)));
    // Constants in images lie nowhere else.
    if (value.kind == ValueKind::constant && !images.constants.contains(static_cast<ValueId>(i)))
      constants += static_cast<int64_t>(value.constant.bytes);
  }
  const auto check = [&](const char* what, int64_t bytes, int64_t most, const char* of) {
    if (bytes <= most) return;
    refuse("device", std::string(what) + " take " + std::to_string(bytes) + " bytes, " +
                         quoted(hardware.name) + " has at most " + std::to_string(most) + " in " +
                         of);
  };
  const OpenClDevice& device = hardware.opencl;
  check("intermediate results, inputs and outputs", buffer, device.allocation_bytes_max,
        "one buffer");
  check("the constants", constants, device.allocation_bytes_max, "one buffer");
  check(texels > 0 ? "all buffers and images" : "all buffers", buffer + constants + texels,
        device.memory_bytes, "its memory");
}

}  // namespace burin
