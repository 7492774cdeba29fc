// SPDX-License-Identifier: MIT-0
// The kernels of this tree; each is defined in the file of its name in kernels/.
#ifndef DIGITS_KERNELS_H
#define DIGITS_KERNELS_H

#include <stddef.h>
#include <stdint.h>

// For this tree alone, whatever the flags of the build.
#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

namespace digits_kernels {

void conv_batch_normalization_add_d2306d35(
    const float* __restrict w_project_conv_Conv_rows,
    const float* __restrict in_inverted_Relu_1_output_0,
    const float* __restrict in_Relu_1_output_0,
    const float* __restrict w_project_norm_bias_folded,
    float* __restrict out_inverted_Add_output_0,
    const int64_t n0,
    const int64_t first,
    const int64_t last,
    uint8_t* __restrict scratch);
void conv_batch_normalization_add_relu_6c980929(
    const float* __restrict w_pointwise_conv_Conv_rows,
    const float* __restrict in_separable_Relu_output_0,
    const float* __restrict in_Relu_output_0,
    const float* __restrict w_pointwise_norm_bias_folded,
    float* __restrict out_separable_Relu_1_output_0,
    const int64_t n0,
    const int64_t first,
    const int64_t last,
    uint8_t* __restrict scratch);
void conv_batch_normalization_relu_0108e5ea(
    const float* __restrict w_expand_conv_Conv_rows,
    const float* __restrict in_Relu_1_output_0,
    const float* __restrict w_expand_norm_bias_folded,
    float* __restrict out_inverted_Relu_output_0,
    const int64_t n0,
    const int64_t first,
    const int64_t last,
    uint8_t* __restrict scratch);
void conv_batch_normalization_relu_1163108f(
    const float* __restrict w_stem_conv_Conv_rows,
    const float* __restrict in_image,
    const float* __restrict w_stem_norm_bias_folded,
    float* __restrict out_Relu_output_0,
    const int64_t n0,
    const int64_t first,
    const int64_t last,
    uint8_t* __restrict scratch);
void conv_batch_normalization_relu_1e8aa5c1(
    const float* __restrict w_depthwise_conv_Conv_rows,
    const float* __restrict in_inverted_Relu_output_0,
    const float* __restrict w_depthwise_norm_bias_folded,
    float* __restrict out_inverted_Relu_1_output_0,
    const int64_t n0,
    const int64_t first,
    const int64_t last,
    uint8_t* __restrict scratch);
void conv_batch_normalization_relu_a5f5a728(
    const float* __restrict w_depthwise_conv_Conv_rows,
    const float* __restrict in_Relu_output_0,
    const float* __restrict w_depthwise_norm_bias_folded,
    float* __restrict out_separable_Relu_output_0,
    const int64_t n0,
    const int64_t first,
    const int64_t last,
    uint8_t* __restrict scratch);
void conv_batch_normalization_relu_ba69d893(
    const float* __restrict w_down_conv_Conv_rows,
    const float* __restrict in_separable_Relu_1_output_0,
    const float* __restrict w_down_norm_bias_folded,
    float* __restrict out_Relu_1_output_0,
    const int64_t n0,
    const int64_t first,
    const int64_t last,
    uint8_t* __restrict scratch);
void gemm_f47953e8(
    const float* __restrict in_GlobalAveragePool_output_0,
    const float* __restrict w_classify_Gemm_columns,
    const float* __restrict w_classify_bias,
    float* __restrict out_classify_Gemm_output_0,
    const int64_t n0,
    const int64_t first,
    const int64_t last,
    uint8_t* __restrict scratch);
void global_average_pool_5b25c05a(
    const float* __restrict in_inverted_Add_output_0,
    float* __restrict out_GlobalAveragePool_output_0,
    const int64_t n0,
    const int64_t first,
    const int64_t last);
void softmax_bbdb29be(
    const float* __restrict in_classify_Gemm_output_0,
    float* __restrict out_probabilities,
    const int64_t n0,
    const int64_t first,
    const int64_t last);

}  // namespace digits_kernels

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
