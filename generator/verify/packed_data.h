// Sequences and optionals of test data as a tree takes and gives them: one tensor for all that they
// hold, beside it their extents (kernel/packed_value.h).
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/packed_value.h"
#include "kernel/tensor.h"

namespace burin {

// The tensors of `form` for what `items` hold. `shape`: of the tensor that they become, whose first
// extent does not count; the others are those of `items`, where there are any. `holds`: of an
// optional of a sequence. Refused (io): ranks or other extents of the items differ.
std::vector<HostTensor> packed_data(const PackedValue& form, const std::vector<HostTensor>& items,
                                    bool holds, Type type, std::vector<int64_t> shape);

// Extents of `length` items that take `total` rows together, as packed_data has them.
HostTensor made_up_extents(const PackedValue& form, int64_t length, int64_t total);

}  // namespace burin
