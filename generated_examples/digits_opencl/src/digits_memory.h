// SPDX-License-Identifier: MIT-0
// Where every intermediate result and every constant lies, in bytes.
#ifndef DIGITS_MEMORY_H
#define DIGITS_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "rt/elementary.h"
#include "rt/integer.h"

// For this tree alone, whatever the flags of the build.
#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

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
constexpr size_t classify_bias = 114560;
constexpr size_t stem_norm_bias_folded = 0;
constexpr size_t separable_depthwise_norm_bias_folded = 1280;
constexpr size_t separable_pointwise_norm_bias_folded = 2304;
constexpr size_t down_norm_bias_folded = 5504;
constexpr size_t inverted_expand_norm_bias_folded = 60992;
constexpr size_t inverted_depthwise_norm_bias_folded = 85952;
constexpr size_t inverted_project_norm_bias_folded = 89792;
constexpr size_t separable_depthwise_conv_weight_folded = 1408;
constexpr size_t inverted_depthwise_conv_weight_folded = 86336;
constexpr size_t stem_conv_Conv_rows = 128;
constexpr size_t separable_pointwise_conv_Conv_rows = 2432;
constexpr size_t down_conv_Conv_rows = 5696;
constexpr size_t inverted_expand_conv_Conv_rows = 61376;
constexpr size_t inverted_project_conv_Conv_rows = 89984;
constexpr size_t classify_Gemm_columns = 114624;
}  // namespace constants

}  // namespace digits_memory

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
