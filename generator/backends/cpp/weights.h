// The constants of a tree: which ones its kernels read, where each lies in the weights file.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "backends/model_plan.h"
#include "render/source_tree.h"

namespace burin::cpp {

// The file starts with a header of kHeaderBytes: magic "BURINWT1", payload bytes (u64), CRC-32 of
// the payload (u32), and zeros; little-endian. Every constant starts at a multiple of kAlign.
inline constexpr int64_t kWeightsHeaderBytes = 64;
inline constexpr int64_t kWeightsAlign = 64;
inline constexpr int64_t kWeightsLeastAlign = 8;  // of the file in memory: the largest element's

struct WeightsLayout;

// The file of another network inside of a file.
struct ContainedWeights {
  const ModelPlan* plan = nullptr;
  std::shared_ptr<const WeightsLayout> layout;
  int64_t start = 0;  // of its header, from the start of the payload
};

struct WeightsLayout {
  std::vector<ValueId> order;          // as they lie in the file
  std::map<ValueId, int64_t> offsets;  // from the start of the payload
  int64_t payload_bytes = 0;
  int64_t array_bytes = 0;                  // in front of the constants that are images
  uint32_t crc = 0;                         // of the payload
  std::vector<ContainedWeights> contained;  // in front of what is in `order`
};

inline int64_t weights_file_bytes(const WeightsLayout& layout) {
  return kWeightsHeaderBytes + layout.payload_bytes;
}

// CRC-32 of the payload and then the header, as trees check it: that of the payload is known.
uint32_t weights_file_crc(const WeightsLayout& layout);

// Constants with equal bytes share one place.
WeightsLayout lay_out_weights(const ModelPlan& plan);

// For a plan that runs what `others` run: their files, equal ones once, one after the other, and
// behind them the constants that none of them has. `contained` is in the order of `others`.
WeightsLayout lay_out_joint_weights(const ModelPlan& joint,
                                    const std::vector<const ModelPlan*>& others);

// The bytes of the file, header first; holds no copy of the constants.
ByteSource weights_file(const ModelPlan& plan, const WeightsLayout& layout);

// Bytes of weights that are floats, by type.
struct Fp16Weights {
  int64_t f16 = 0, f32 = 0;
};
Fp16Weights fp16_weights(const ModelPlan& plan, const WeightsLayout& weights);

// Whether a tensor that was to be kept as fp16 is one in the tree: products read panels of
// floats, and tensors between kernels that became one kernel are nowhere.
bool is_stored_fp16(const ModelPlan& plan, const WeightsLayout& weights, ValueId id);

}  // namespace burin::cpp
