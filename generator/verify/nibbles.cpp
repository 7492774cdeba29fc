#include "verify/nibbles.h"

#include <algorithm>

namespace burin {

HostTensor in_width_of(const Value& value, HostTensor tensor) {
  const Type from = tensor.type, to = value.type;
  const bool alike = is_integer(from) == is_integer(to) && is_float(from) == is_float(to) &&
                     is_signed(from) == is_signed(to);
  const bool one_is_packed = is_packed(from) != is_packed(to);
  if (!alike || !one_is_packed || std::max(size_bits(from), size_bits(to)) != 8) return tensor;
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
