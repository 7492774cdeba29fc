#include "verify/nibbles.h"

#include <algorithm>

namespace burin {

HostTensor in_width_of(const Value& value, HostTensor tensor) {
  const int from = size_bits(tensor.type), to = size_bits(value.type);
  const bool integers = is_integer(tensor.type) && is_integer(value.type) &&
                        is_signed(tensor.type) == is_signed(value.type);
  if (!integers || std::min(from, to) != 4 || std::max(from, to) != 8) return tensor;
  HostTensor out = make_tensor(value.type, tensor.shape);
  for (int64_t k = 0; k < tensor.elements(); ++k) out.set(k, tensor.get(k));
  return out;
}

std::vector<HostTensor> in_widths_of(const KernelGraph& graph, const std::vector<ValueId>& ids,
                                     std::vector<HostTensor> tensors) {
  for (size_t i = 0; i < tensors.size() && i < ids.size(); ++i)
    tensors[i] = in_width_of(graph.values[static_cast<size_t>(ids[i])], std::move(tensors[i]));
  return tensors;
}

}  // namespace burin
