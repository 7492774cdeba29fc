// How much source text the vectors of a self-test take: a drawn input is told by the elements that
// are others than its sequence has, a state that a run leaves by those that are others than before.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "backends/model_plan.h"

namespace burin {

// Where elements differ, in order. Same type and shape.
std::vector<int64_t> changed_elements(const HostTensor& from, const HostTensor& to);

// Whether a tensor is told by so many of its elements.
bool are_few(const std::vector<int64_t>& places, const HostTensor& of);

struct KeptElements {
  size_t input = 0;             // that the state was, by its place in the graph
  std::vector<int64_t> places;  // which a run changed
};
// Of an output that is a drawn state but for few elements.
std::optional<KeptElements> kept_elements(const ModelPlan& plan, const SampleRun& run,
                                          size_t output);

// Bytes of the elements that stand in the text.
int64_t text_bytes(const ModelPlan& plan, const SampleRun& run);

}  // namespace burin
