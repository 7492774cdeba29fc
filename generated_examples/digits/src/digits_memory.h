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
  int64_t scratch_0;
  int64_t scratch_0_stride;
  int64_t scratch_1;
  int64_t scratch_1_stride;
  int64_t scratch_2;
  int64_t scratch_2_stride;
  int64_t scratch_3;
  int64_t scratch_3_stride;
  int64_t scratch_4;
  int64_t scratch_4_stride;
  int64_t scratch_5;
  int64_t scratch_5_stride;
  int64_t scratch_6;
  int64_t scratch_6_stride;
  int64_t scratch_8;
  int64_t scratch_8_stride;
};

inline Plan plan(int64_t batch) {
  (void)batch;
  Plan p{};
  const int64_t part_0 = burin_rt::minimum<int64_t>(4, ((batch + 3) / 4));
  const int64_t part_1 = (5 * batch + 7) / 8;
  const int64_t part_2 = burin_rt::minimum<int64_t>(678, 2 * ((batch + 1) / 2));
  const int64_t part_3 = burin_rt::maximum<int64_t>(288 * batch + 24 * part_0, 3 * batch + part_1 + 3 * burin_rt::minimum<int64_t>(4, ((batch + 59) / 60)) * part_2);
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
  p.scratch_0 = 12288 * batch + 1536 * part_0;
  p.scratch_0_stride = 576;
  p.scratch_1 = 12288 * batch + 1536 * part_0;
  p.scratch_1_stride = 448;
  p.scratch_2 = 6144 * batch;
  p.scratch_2_stride = 1536;
  p.scratch_3 = 3072 * batch;
  p.scratch_3_stride = 10624;
  p.scratch_4 = 9216 * batch;
  p.scratch_4_stride = 3072;
  p.scratch_5 = 6144 * batch + 64 * part_4;
  p.scratch_5_stride = 192;
  p.scratch_6 = 6144 * batch;
  p.scratch_6_stride = 6144;
  p.scratch_8 = 192 * batch + 64 * part_1;
  p.scratch_8_stride = 192 * part_2;
  return p;
}

// Offsets in the weights.
namespace constants {
constexpr size_t classify_bias = 87424;
constexpr size_t stem_norm_bias_folded = 0;
constexpr size_t separable_depthwise_norm_bias_folded = 1024;
constexpr size_t separable_pointwise_norm_bias_folded = 2048;
constexpr size_t down_norm_bias_folded = 4480;
constexpr size_t inverted_expand_norm_bias_folded = 46144;
constexpr size_t inverted_depthwise_norm_bias_folded = 64960;
constexpr size_t inverted_project_norm_bias_folded = 68800;
constexpr size_t stem_conv_Conv_rows = 128;
constexpr size_t separable_depthwise_conv_Conv_rows = 1152;
constexpr size_t separable_pointwise_conv_Conv_rows = 2176;
constexpr size_t down_conv_Conv_rows = 4672;
constexpr size_t inverted_expand_conv_Conv_rows = 46528;
constexpr size_t inverted_depthwise_conv_Conv_rows = 65344;
constexpr size_t inverted_project_conv_Conv_rows = 68992;
constexpr size_t classify_Gemm_columns = 87488;
}  // namespace constants

}  // namespace digits_memory

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
