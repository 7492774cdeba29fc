#include "backends/sample_text.h"

#include <algorithm>
#include <cstring>

#include "backends/kept_states.h"
#include "support/check.h"

namespace burin {

std::vector<int64_t> changed_elements(const HostTensor& from, const HostTensor& to) {
  BURIN_CHECK(from.type == to.type && from.shape == to.shape, "tensors of two kinds are compared");
  std::vector<int64_t> out;
  const auto each = static_cast<size_t>(size_bits(to.type) / 8);
  for (int64_t i = 0; i < to.elements(); ++i) {
    const size_t at = static_cast<size_t>(i) * each;
    if (std::memcmp(from.bytes.data() + at, to.bytes.data() + at, each) != 0) out.push_back(i);
  }
  return out;
}

bool are_few(const std::vector<int64_t>& places, const HostTensor& of) {
  return static_cast<int64_t>(places.size()) <= of.elements() / 8;
}

std::optional<KeptElements> kept_elements(const ModelPlan& plan, const SampleRun& run,
                                          size_t output) {
  const std::vector<ValueId>& inputs = plan.graph.inputs;
  for (const KeptState& state : kept_states(plan)) {
    if (state.output != plan.graph.outputs[output]) continue;
    const auto at = std::find(inputs.begin(), inputs.end(), state.input);
    if (at == inputs.end()) continue;
    const auto place = static_cast<size_t>(at - inputs.begin());
    const HostTensor &before = run.inputs[place], &after = run.outputs[output];
    if (!run.drawn.contains(place) || before.shape != after.shape) continue;
    KeptElements out{place, changed_elements(before, after)};
    if (are_few(out.places, after)) return out;
  }
  return {};
}

int64_t text_bytes(const ModelPlan& plan, const SampleRun& run) {
  int64_t out = 0;
  const auto add = [&](const HostTensor& tensor, const std::vector<int64_t>* places) {
    constexpr int64_t kOfAPlace = 4;
    out += places ? static_cast<int64_t>(places->size()) * (kOfAPlace + size_bits(tensor.type) / 8)
                  : static_cast<int64_t>(tensor.bytes.size());
  };
  for (size_t i = 0; i < run.inputs.size(); ++i) {
    const auto drawn = run.drawn.find(i);
    if (drawn == run.drawn.end()) {
      add(run.inputs[i], nullptr);
    } else {
      const std::vector<int64_t> places = changed_elements(drawn->second.elements, run.inputs[i]);
      add(run.inputs[i], &places);
    }
  }
  for (size_t k = 0; k < run.outputs.size(); ++k) {
    const std::optional<KeptElements> kept = kept_elements(plan, run, k);
    add(run.outputs[k], kept ? &kept->places : nullptr);
  }
  return out;
}

}  // namespace burin
