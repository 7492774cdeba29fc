// Made-up inputs of large numbers, for networks that take the greatest of a row off before its
// exponentials: in [-1, 1) nothing tells a greatest element from any other.
#pragma once

#include <vector>

#include "kernel/kernel.h"
#include "kernel/tensor.h"

namespace burin {

// Whether a kernel of `lowered`, before anything is fused, has both a greatest element and
// exponentials, and an input is of floats, which alone become large.
bool takes_off_greatest(const KernelGraph& lowered);

// Every float times 4096: the exponential of most of them is infinite or 0.
std::vector<HostTensor> in_large_numbers(std::vector<HostTensor> inputs);

// Every float moved by some of its last places: results that then are others say nothing.
std::vector<HostTensor> moved_a_little(std::vector<HostTensor> inputs);

bool all_finite(const std::vector<HostTensor>& tensors);

}  // namespace burin
