// SPDX-License-Identifier: MIT-0
// The weights as bytes, among those of all networks.
#include "branches_memory.h"
#include "pair_memory.h"

namespace branches_memory {

const uint8_t* embedded_weights() { return pair_memory::embedded_weights() + 64; }

}  // namespace branches_memory
