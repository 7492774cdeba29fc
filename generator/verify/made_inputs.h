// Inputs that are made up, from a fixed sequence of numbers: floats are multiples of 1/64 in
// [-1, 1), which every type represents; 32- and 64-bit integers, which may be positions, are 0 or
// 1, or as near to that as the range of a size that the run makes of them allows; smaller integers
// fill their range. Lengths are at least half of what they measure where the network runs so
// (into_lengths.h).
#pragma once

#include <vector>

#include "pipeline.h"
#include "support/numbers.h"
#include "verify/tried_sizes.h"

namespace burin {

std::vector<int64_t> shape_at(const std::vector<Dim>& shape, const SampleSizes& sizes);

// The elements that an input of this type and shape is made up of at first.
HostTensor made_up_tensor(Type type, const std::vector<int64_t>& shape, Numbers& numbers);

// That of an input, by its place in the graph.
inline uint64_t sequence_of_input(size_t place) { return place + 1; }

// As the model has them: only there numbers of 4 bits wrap. `lengths`: with lengths, of which not
// every network takes all. In every second run what may decide alone is the other one.
std::vector<HostTensor> inputs_of_model(const Compiled& compiled, const SampleSizes& sizes,
                                        bool lengths, size_t run);

// As the tree takes them.
std::vector<HostTensor> made_up_inputs(const Compiled& compiled, const SampleSizes& sizes,
                                       bool lengths);

}  // namespace burin
