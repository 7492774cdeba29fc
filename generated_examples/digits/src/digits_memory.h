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
  Place<uint8_t> Relu_output_0_scratch;  // 576 bytes
  int64_t Relu_output_0_scratch_stride;  // from one worker's to the next
  Place<uint8_t> separable_Relu_output_0_scratch;  // 448 bytes
  int64_t separable_Relu_output_0_scratch_stride;  // from one worker's to the next
  Place<uint8_t> separable_Relu_1_output_0_scratch;  // 1536 bytes
  int64_t separable_Relu_1_output_0_scratch_stride;  // from one worker's to the next
  Place<uint8_t> Relu_1_output_0_scratch;  // 10624 bytes
  int64_t Relu_1_output_0_scratch_stride;  // from one worker's to the next
  Place<uint8_t> inverted_Relu_output_0_scratch;  // 3072 bytes
  int64_t inverted_Relu_output_0_scratch_stride;  // from one worker's to the next
  Place<uint8_t> inverted_Relu_1_output_0_scratch;  // 192 bytes
  int64_t inverted_Relu_1_output_0_scratch_stride;  // from one worker's to the next
  Place<uint8_t> inverted_Add_output_0_scratch;  // 6144 bytes
  int64_t inverted_Add_output_0_scratch_stride;  // from one worker's to the next
  Place<uint8_t> classify_Gemm_output_0_scratch;  // 192*min(678, 2*((batch + 1) // 2)) bytes
  int64_t classify_Gemm_output_0_scratch_stride;  // from one worker's to the next
};

inline Plan plan(int64_t batch) {
  (void)batch;
  Plan p{};
  const int64_t part_0 = burin_rt::minimum<int64_t>(4, ((batch + 3) / 4));
  const int64_t part_1 = (5 * batch + 7) / 8;
  const int64_t part_2 = burin_rt::minimum<int64_t>(678, 2 * ((batch + 1) / 2));
  const int64_t part_3 = burin_rt::maximum<int64_t>(
      288 * batch + 24 * part_0, 3 * batch + part_1 + 3 * burin_rt::minimum<int64_t>(4, ((batch + 59) / 60)) * part_2);
  p.bytes = 64 * part_3;
  p.Relu_output_0 = 6144 * batch + 1536 * part_0;
  p.separable_Relu_output_0 = 0;
  p.separable_Relu_1_output_0 = 12288 * batch + 1536 * part_0;
  p.Relu_1_output_0 = 0;
  p.inverted_Relu_output_0 = 3072 * batch;
  const int64_t part_4 = burin_rt::maximum<int64_t>(144 * batch, 96 * batch + 96 * part_0);
  p.inverted_Relu_1_output_0 = 64 * part_4;
  p.inverted_Add_output_0 = 3072 * batch;
  p.GlobalAveragePool_output_0 = 0;
  p.classify_Gemm_output_0 = 192 * batch;
  p.Relu_output_0_scratch = 12288 * batch + 1536 * part_0;
  p.Relu_output_0_scratch_stride = 576;
  p.separable_Relu_output_0_scratch = 12288 * batch + 1536 * part_0;
  p.separable_Relu_output_0_scratch_stride = 448;
  p.separable_Relu_1_output_0_scratch = 6144 * batch;
  p.separable_Relu_1_output_0_scratch_stride = 1536;
  p.Relu_1_output_0_scratch = 3072 * batch;
  p.Relu_1_output_0_scratch_stride = 10624;
  p.inverted_Relu_output_0_scratch = 9216 * batch;
  p.inverted_Relu_output_0_scratch_stride = 3072;
  p.inverted_Relu_1_output_0_scratch = 6144 * batch + 64 * part_4;
  p.inverted_Relu_1_output_0_scratch_stride = 192;
  p.inverted_Add_output_0_scratch = 6144 * batch;
  p.inverted_Add_output_0_scratch_stride = 6144;
  p.classify_Gemm_output_0_scratch = 192 * batch + 64 * part_1;
  p.classify_Gemm_output_0_scratch_stride = 192 * part_2;
  return p;
}

// Offsets in the weights.
namespace at {
constexpr Place<float> stem_norm_bias_folded = 0;  // f32[24]
constexpr Place<float> stem_conv_Conv_rows = stem_norm_bias_folded + 128;  // f32[4, 3, 3, 6]
constexpr Place<float> separable_depthwise_norm_bias_folded = stem_conv_Conv_rows + 896;  // f32[24]
constexpr Place<float> separable_depthwise_conv_Conv_rows =
    separable_depthwise_norm_bias_folded + 128;  // f32[24, 1, 3, 3, 1]
constexpr Place<float> separable_pointwise_norm_bias_folded = separable_depthwise_conv_Conv_rows + 896;  // f32[24]
constexpr Place<float> separable_pointwise_conv_Conv_rows =
    separable_pointwise_norm_bias_folded + 128;  // f32[4, 24, 6]
constexpr Place<float> down_norm_bias_folded = separable_pointwise_conv_Conv_rows + 2304;  // f32[48]
constexpr Place<float> down_conv_Conv_rows = down_norm_bias_folded + 192;  // f32[12, 24, 3, 3, 4]
constexpr Place<float> inverted_expand_norm_bias_folded = down_conv_Conv_rows + 41472;  // f32[96]
constexpr Place<float> inverted_expand_conv_Conv_rows = inverted_expand_norm_bias_folded + 384;  // f32[16, 48, 6]
constexpr Place<float> inverted_depthwise_norm_bias_folded = inverted_expand_conv_Conv_rows + 18432;  // f32[96]
constexpr Place<float> inverted_depthwise_conv_Conv_rows =
    inverted_depthwise_norm_bias_folded + 384;  // f32[96, 1, 3, 3, 1]
constexpr Place<float> inverted_project_norm_bias_folded = inverted_depthwise_conv_Conv_rows + 3456;  // f32[48]
constexpr Place<float> inverted_project_conv_Conv_rows = inverted_project_norm_bias_folded + 192;  // f32[8, 96, 6]
constexpr Place<float> classify_bias = inverted_project_conv_Conv_rows + 18432;  // f32[10]
constexpr Place<float> classify_Gemm_columns = classify_bias + 64;  // f32[1, 48, 24]
}  // namespace at

}  // namespace digits_memory

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
