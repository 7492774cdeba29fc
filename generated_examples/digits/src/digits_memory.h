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
  int64_t Relu_output_0_internal;
  int64_t separable_Relu_output_0_internal;
  int64_t separable_Relu_1_output_0_internal;
  int64_t Relu_1_output_0_internal;
  int64_t inverted_Relu_output_0_internal;
  int64_t inverted_Relu_1_output_0_internal;
  int64_t inverted_Add_output_0_internal;
  int64_t GlobalAveragePool_output_0_internal;
  int64_t classify_Gemm_output_0_internal;
  int64_t scratch_0;
  int64_t scratch_2;
  int64_t scratch_3;
  int64_t scratch_4;
  int64_t scratch_6;
  int64_t scratch_8;
};

inline Plan plan(int64_t batch) {
  (void)batch;
  Plan p{};
  p.bytes = 18432 * batch + 384;
  p.Relu_output_0_internal = 0;
  p.separable_Relu_output_0_internal = 6144 * batch;
  p.separable_Relu_1_output_0_internal = 12288 * batch;
  p.Relu_1_output_0_internal = 0;
  p.inverted_Relu_output_0_internal = 3072 * batch;
  p.inverted_Relu_1_output_0_internal = 9216 * batch;
  p.inverted_Add_output_0_internal = 3072 * batch;
  p.GlobalAveragePool_output_0_internal = 0;
  p.classify_Gemm_output_0_internal = 192 * batch;
  p.scratch_0 = 6144 * batch;
  p.scratch_2 = 18432 * batch;
  p.scratch_3 = 3072 * batch;
  p.scratch_4 = 9216 * batch;
  p.scratch_6 = 6144 * batch;
  p.scratch_8 = 192 * batch + 64 * ((5 * batch + 7) / 8);
  return p;
}

// Offsets in the weights.
namespace constants {
constexpr size_t separable_depthwise_conv_weight_constant = 1152;
constexpr size_t inverted_depthwise_conv_weight_constant = 65920;
constexpr size_t classify_bias_constant = 88960;
constexpr size_t stem_conv_Conv_constant_constant = 0;
constexpr size_t stem_conv_Conv_constant_1_constant = 128;
constexpr size_t separable_depthwise_conv_Conv_constant_constant = 2048;
constexpr size_t separable_depthwise_conv_Conv_constant_1_constant = 2176;
constexpr size_t separable_pointwise_conv_Conv_constant_constant = 2304;
constexpr size_t separable_pointwise_conv_Conv_constant_1_constant = 2432;
constexpr size_t down_conv_Conv_constant_constant = 4864;
constexpr size_t down_conv_Conv_constant_1_constant = 5056;
constexpr size_t inverted_expand_conv_Conv_constant_constant = 46720;
constexpr size_t inverted_expand_conv_Conv_constant_1_constant = 47104;
constexpr size_t inverted_depthwise_conv_Conv_constant_constant = 69376;
constexpr size_t inverted_depthwise_conv_Conv_constant_1_constant = 69760;
constexpr size_t inverted_project_conv_Conv_constant_constant = 70144;
constexpr size_t inverted_project_conv_Conv_constant_1_constant = 70336;
constexpr size_t stem_conv_Conv_rows_constant = 256;
constexpr size_t separable_pointwise_conv_Conv_rows_constant = 2560;
constexpr size_t down_conv_Conv_rows_constant = 5248;
constexpr size_t inverted_expand_conv_Conv_rows_constant = 47488;
constexpr size_t inverted_project_conv_Conv_rows_constant = 70528;
constexpr size_t classify_Gemm_columns_constant = 89024;
}  // namespace constants

}  // namespace digits_memory

#endif
