// SPDX-License-Identifier: MIT-0
// Where every intermediate result and every constant lies, in bytes.
#ifndef DIGITS_MEMORY_H
#define DIGITS_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "rt/elementary.h"
#include "rt/integer.h"
#include "rt/place.h"

// For this tree alone, whatever the flags of the build.
#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

namespace digits_memory {

using burin_rt::Place;

// Offsets in the arena.
struct Plan {
  int64_t bytes;  // of the whole arena
  Place<float> Relu_output_0;  // f32[batch, 24, 8, 8]
  Place<float> separable_Relu_output_0;  // f32[batch, 24, 8, 8]
  Place<float> separable_Relu_1_output_0;  // f32[batch, 24, 8, 8]
  Place<float> Relu_1_output_0;  // f32[batch, 48, 4, 4]
  Place<float> inverted_Relu_output_0;  // f32[batch, 96, 4, 4]
  Place<float> inverted_Relu_1_output_0;  // f32[batch, 96, 4, 4]
  Place<float> inverted_Add_output_0;  // f32[batch, 48, 4, 4]
  Place<float> GlobalAveragePool_output_0;  // f32[batch, 48, 1, 1]
  Place<float> classify_Gemm_output_0;  // f32[batch, 10]
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
namespace at {
constexpr Place<float> stem_norm_bias_folded = 0;  // f32[24]
constexpr Place<float> stem_conv_Conv_rows = stem_norm_bias_folded + 128;  // f32[1, 9, 32]
constexpr Place<float> separable_depthwise_norm_bias_folded = stem_conv_Conv_rows + 1152;  // f32[24]
constexpr Place<float> separable_depthwise_conv_weight_folded =
    separable_depthwise_norm_bias_folded + 128;  // f32[24, 3, 3]
constexpr Place<float> separable_pointwise_norm_bias_folded = separable_depthwise_conv_weight_folded + 896;  // f32[24]
constexpr Place<float> separable_pointwise_conv_Conv_rows =
    separable_pointwise_norm_bias_folded + 128;  // f32[1, 24, 32]
constexpr Place<float> down_norm_bias_folded = separable_pointwise_conv_Conv_rows + 3072;  // f32[48]
constexpr Place<float> down_conv_Conv_rows = down_norm_bias_folded + 192;  // f32[1, 216, 64]
constexpr Place<float> inverted_expand_norm_bias_folded = down_conv_Conv_rows + 55296;  // f32[96]
constexpr Place<float> inverted_expand_conv_Conv_rows = inverted_expand_norm_bias_folded + 384;  // f32[1, 48, 128]
constexpr Place<float> inverted_depthwise_norm_bias_folded = inverted_expand_conv_Conv_rows + 24576;  // f32[96]
constexpr Place<float> inverted_depthwise_conv_weight_folded =
    inverted_depthwise_norm_bias_folded + 384;  // f32[96, 3, 3]
constexpr Place<float> inverted_project_norm_bias_folded = inverted_depthwise_conv_weight_folded + 3456;  // f32[48]
constexpr Place<float> inverted_project_conv_Conv_rows = inverted_project_norm_bias_folded + 192;  // f32[1, 96, 64]
constexpr Place<float> classify_bias = inverted_project_conv_Conv_rows + 24576;  // f32[10]
constexpr Place<float> classify_Gemm_columns = classify_bias + 64;  // f32[1, 48, 16]
}  // namespace at

}  // namespace digits_memory

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
