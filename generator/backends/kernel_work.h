// What a step has to do at the sizes that the plan was made for: products, bytes, and the least
// time that the peaks of the description allow. O(distinct nodes of all sizes).
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>

#include "backends/model_plan.h"

namespace burin {

struct KernelWork {
  int64_t macs = 0;  // multiplications that are summed
  // Of these, of integers, of bf16 as they are stored, and of signs.
  int64_t byte_macs = 0, bf16_macs = 0, sign_macs = 0;
  int64_t bytes_read = 0, bytes_written = 0;  // of the operands, each once
  double computed = 1;                        // of the products of floats: fewer by Winograd's form
  // No run is faster, most are slower: the longer of arithmetic, by the instructions that the
  // description has for it, and of what comes from memory.
  double least_ns(const Hardware& hardware) const;
  int64_t least_cycles(const Hardware& hardware) const;
};

// Of the steps of one graph, whose sizes have much in common: each part is worked out once.
class WorkMeter {
 public:
  // `kernels`: how they run, where that is known; outlives this.
  explicit WorkMeter(const KernelGraph& graph,
                     const std::map<StepId, KernelSchedule>* kernels = nullptr)
      : graph_(graph), kernels_(kernels) {}
  KernelWork of(const Step& step);

 private:
  int64_t value(const Dim& dim);  // at_hints of it
  int64_t compute(const Dim& dim);
  int64_t extent(const Dim& dim) { return std::max<int64_t>(0, value(dim)); }
  void add_macs(const Kernel& kernel, KernelWork& work);
  static bool is_made_of_bf16(const Let& let);
  // Axes of which `fine` counts up between two points of `coarse`, and their points together.
  struct Digits {
    int coarse = 0, fine = 0;
    int64_t points = 0;
  };
  std::optional<Digits> digits_of(const Condition& one, const Kernel& kernel);
  int64_t bytes_of(ValueId id);

  const KernelGraph& graph_;
  const std::map<StepId, KernelSchedule>* const kernels_;
  // By node; the index keeps it alive.
  std::map<const IndexNode*, std::pair<Dim, int64_t>> known_;
};

}  // namespace burin
