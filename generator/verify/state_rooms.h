// States of the caller (--state) beside data that a user has: the model's shapes there, the room of
// the longest in the tree.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "pipeline.h"

namespace burin {

// The caller's sizes, of inputs as the model has them, and of a tree with states those that a run
// takes from their elements. Refused as by bind_symbols.
std::map<std::string, int64_t> sizes_of(const Compiled& compiled,
                                        const std::vector<HostTensor>& inputs);

// Those inputs as the tree takes them: each state is the beginning of its room, the rest is zeros.
std::vector<HostTensor> into_rooms(const Compiled& compiled, std::vector<HostTensor> inputs);

// Outputs as the model has them as the tree gives them for such inputs.
HostTensor into_room(const Compiled& compiled, size_t output, HostTensor tensor,
                     const std::map<std::string, int64_t>& sizes);

// An output of the tree, by its number, as the model has it: what its room holds of it.
HostTensor out_of_room(const Compiled& compiled, size_t output, HostTensor tensor,
                       const std::map<std::string, int64_t>& sizes);

// Of such an output the elements that the model has as zeros and leaves to the caller, as the run
// left what was there: `wanted` gets what it is, since only the buffer says it. How many.
int64_t take_what_was_left(const Compiled& compiled, size_t output,
                           const std::vector<HostTensor>& inputs, const HostTensor& got,
                           HostTensor& wanted);

}  // namespace burin
