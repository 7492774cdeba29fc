#include "kernel/packed_value.h"

namespace burin {
namespace {

std::string along(const PackedValue& packed) {
  std::string text = packed.axes.size() > 1 ? "along dimensions " : "along dimension ";
  for (const int axis : packed.axes)
    text += (axis == packed.axes.front() ? "" : ", ") + std::to_string(axis);
  return text;
}

}  // namespace

std::string packed_remark(const std::vector<PackedValue>& values, size_t number) {
  for (const PackedValue& packed : values) {
    if (number < packed.place || number >= packed.place + packed.tensors()) continue;
    const size_t part = number - packed.place + (packed.nested ? 0 : 1);
    if (part == 0) return "1 where it holds a sequence, else 0";
    if (part == 2) return "the extent of each " + along(packed);
    if (packed.optional && !packed.nested) return "what the optional holds: one or none";
    std::string text = "the tensors of a sequence, one after the other";
    if (packed.axes.size() == 1) text += " " + along(packed);
    if (packed.axes.size() > 1)
      text += ", each row-major; rows of all but what differs " + along(packed);
    return text;
  }
  return {};
}

}  // namespace burin
