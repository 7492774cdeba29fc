// Accumulators of the tiles of products (select/tiles/register_tile.h), of a whole network.
#pragma once

#include "hardware/hardware.h"
#include "select/choose.h"

namespace burin {

// Bytes of the constants that products read, each once.
int64_t factor_bytes(const LoopPlans& chosen, const std::vector<Value>& values);

// Tiles keep their accumulators where the constants of all products stay in the last cache, and say
// so in their reason. Where they come from memory in every run, pipes wait for it, not for each
// other: one step is as fast, or 3 to 5 % faster (a llama and a gpt2 that decode a word, on an AMD
// EPYC).
// `locked`: kernels that keep what they have, by key; may be null.
void settle_accumulators(LoopPlans& chosen, const std::vector<Value>& values,
                         const Hardware& hardware, const LockedVerbs* locked = nullptr);

}  // namespace burin
