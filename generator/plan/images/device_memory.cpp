#include "plan/images/device_memory.h"

#include <algorithm>
#include <set>

#include "plan/memory/bytes.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr int64_t kConstantAlign = 64;  // of each in the buffer of the weights

}  // namespace

Dim DeviceMemory::total() const { return arena + outside + images + Dim(constants + texels); }

std::optional<int64_t> DeviceMemory::most() const {
  int64_t sum = constants + texels;
  for (const Dim* part : {&arena, &outside, &images}) {
    const int64_t hi = part->range().hi;
    if (hi == kUnbounded || __builtin_add_overflow(sum, hi, &sum)) return std::nullopt;
  }
  return sum;
}

DeviceMemory device_memory(const KernelGraph& graph, const MemoryPlan& memory,
                           const ImagesOnDevice& images) {
  DeviceMemory out;
  out.arena = memory.arena_bytes;
  out.images = images.pool.bytes;
  for (const auto& [id, constant] : images.constants)
    out.texels += static_cast<int64_t>(constant.bytes);
  for (size_t i = 0; i < graph.values.size(); ++i) {
    const Value& value = graph.values[i];
    const bool outside = value.kind == ValueKind::input || value.kind == ValueKind::output;
    if (outside && is_bounded_before_run(product(value.shape)))
      out.outside = out.outside + memory_bytes(graph, static_cast<ValueId>(i));
  }
  std::set<ValueId> read;
  for_each_step(graph.steps, [&](const Step& step) {
    for (const ValueId id : reads_of(step)) read.insert(id);
  });
  for (const ValueId id : read) {
    const Value& value = graph.values[static_cast<size_t>(id)];
    // Constants in images lie nowhere else.
    if (value.kind != ValueKind::constant || images.constants.contains(id)) continue;
    const int64_t bytes = static_cast<int64_t>(value.constant.bytes);
    out.constants += (bytes + kConstantAlign - 1) / kConstantAlign * kConstantAlign;
  }
  return out;
}

void refuse_beyond_device(const KernelGraph& graph, const MemoryPlan& memory,
                          const ImagesOnDevice& images, const Hardware& hardware) {
  const auto least = [](const Dim& dim) { return std::max<int64_t>(0, dim.range().lo); };
  const DeviceMemory needed = device_memory(graph, memory, images);
  const int64_t buffer = least(needed.arena) + least(needed.outside), constants = needed.constants,
                texels = least(needed.images) + needed.texels;
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
