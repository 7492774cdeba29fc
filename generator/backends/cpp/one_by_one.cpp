#include "backends/cpp/one_by_one.h"

#include <algorithm>

#include "backends/predictions.h"
#include "hardware/capabilities.h"
#include "kernel/index/index_node.h"

namespace burin::cpp {

bool has_vectors(const Hardware& hardware) {
  if (has_device(hardware)) return false;
  // Lanes of integers of any machine are loops that a compiler may take for vectors.
  return hardware.vector.vector_bytes > 0 ||
         (hardware.integer_vector && hardware.isa != Isa::kGeneric);
}

std::vector<OneByOne> one_by_one(const ModelPlan& plan) {
  if (!has_vectors(plan.hardware)) return {};
  constexpr int64_t kThousand = 1000;
  const Predictions predictions(plan);
  std::vector<OneByOne> out;
  std::vector<int64_t> cycles;
  int64_t all = 0;
  for (const auto& [step, schedule] : plan.kernels) {
    if (plan.memory.dropped.contains(step)) continue;
    const int64_t own = predictions.cycles(step);
    all += own;
    const int64_t alone = std::min(own, predictions.cycles_one_by_one(step));
    if (alone == 0) continue;
    out.push_back({step, saturating_mul(alone, kThousand) / std::max<int64_t>(1, own), 0});
    cycles.push_back(alone);
  }
  for (size_t i = 0; i < out.size(); ++i)
    out[i].of_network = saturating_mul(cycles[i], kThousand) / std::max<int64_t>(1, all);
  std::erase_if(out, [](const OneByOne& one) { return one.of_network < 1; });
  std::stable_sort(out.begin(), out.end(), [](const OneByOne& a, const OneByOne& b) {
    return a.of_network > b.of_network;
  });
  return out;
}

}  // namespace burin::cpp
