// Where every intermediate result and every constant lies, in bytes.
#ifndef digits_memory_h
#define digits_memory_h

#include <stddef.h>
#include <stdint.h>

#include "rt/elementary.h"
#include "rt/integer.h"

namespace digits_memory {

// Offsets in the arena.
struct Plan {
  int64_t bytes;  // of the whole arena
  int64_t Relu_output_0;
  int64_t separable_Relu_output_0;
  int64_t separable_Relu_1_output_0;
  int64_t Relu_1_output_0;
  int64_t inverted_Relu_output_0;
  int64_t inverted_Relu_1_output_0;
  int64_t inverted_Add_output_0;
  int64_t GlobalAveragePool_output_0;
  int64_t classify_Gemm_output_0;
};

inline Plan plan(int64_t batch) {
  (void)batch;
  Plan p{};
  p.bytes = 18432 * batch;
  p.Relu_output_0 = 0;
  p.separable_Relu_output_0 = 6144 * batch;
  p.separable_Relu_1_output_0 = 12288 * batch;
  p.Relu_1_output_0 = 0;
  p.inverted_Relu_output_0 = 3072 * batch;
  p.inverted_Relu_1_output_0 = 9216 * batch;
  p.inverted_Add_output_0 = 3072 * batch;
  p.GlobalAveragePool_output_0 = 0;
  p.classify_Gemm_output_0 = 128 * batch + 128 * ((batch + 1) / 2);
  return p;
}

// Offsets in the weights.
namespace constants {
constexpr size_t separable_depthwise_conv_weight = 1408;
constexpr size_t inverted_depthwise_conv_weight = 86912;
constexpr size_t classify_bias = 116096;
constexpr size_t stem_norm_weight_folded = 0;
constexpr size_t stem_norm_bias_folded = 128;
constexpr size_t separable_depthwise_norm_weight_folded = 2304;
constexpr size_t separable_depthwise_norm_bias_folded = 2432;
constexpr size_t separable_pointwise_norm_weight_folded = 2560;
constexpr size_t separable_pointwise_norm_bias_folded = 2688;
constexpr size_t down_norm_weight_folded = 5888;
constexpr size_t down_norm_bias_folded = 6080;
constexpr size_t inverted_expand_norm_weight_folded = 61568;
constexpr size_t inverted_expand_norm_bias_folded = 61952;
constexpr size_t inverted_depthwise_norm_weight_folded = 90368;
constexpr size_t inverted_depthwise_norm_bias_folded = 90752;
constexpr size_t inverted_project_norm_weight_folded = 91136;
constexpr size_t inverted_project_norm_bias_folded = 91328;
constexpr size_t stem_conv_Conv_rows = 256;
constexpr size_t separable_pointwise_conv_Conv_rows = 2816;
constexpr size_t down_conv_Conv_rows = 6272;
constexpr size_t inverted_expand_conv_Conv_rows = 62336;
constexpr size_t inverted_project_conv_Conv_rows = 91520;
constexpr size_t classify_Gemm_columns = 116160;
}  // namespace constants

}  // namespace digits_memory

#endif
