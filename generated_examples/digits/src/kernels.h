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

void conv_batch_normalization_add_fa1542e9(
    const float* __restrict weights,
    const float* __restrict input0,
    const float* __restrict input1,
    const float* __restrict bias,
    float* __restrict output,
    const int64_t n0,
    const int64_t first,
    const int64_t last,
    uint8_t* __restrict scratch);
void conv_batch_normalization_add_relu_3b63f7b1(
    const float* __restrict weights,
    const float* __restrict input0,
    const float* __restrict input1,
    const float* __restrict bias,
    float* __restrict output,
    const int64_t n0,
    const int64_t first,
    const int64_t last,
    uint8_t* __restrict scratch);
void conv_batch_normalization_relu_132b6204(
    const float* __restrict weights,
    const float* __restrict input,
    const float* __restrict bias,
    float* __restrict output,
    const int64_t n0,
    const int64_t first,
    const int64_t last,
    uint8_t* __restrict scratch);
void conv_batch_normalization_relu_63bfc069(
    const float* __restrict weights,
    const float* __restrict input,
    const float* __restrict bias,
    float* __restrict output,
    const int64_t n0,
    const int64_t first,
    const int64_t last,
    uint8_t* __restrict scratch);
void conv_batch_normalization_relu_647aaa50(
    const float* __restrict weights,
    const float* __restrict input,
    const float* __restrict bias,
    float* __restrict output,
    const int64_t n0,
    const int64_t first,
    const int64_t last,
    uint8_t* __restrict scratch);
void conv_batch_normalization_relu_698d5d83(
    const float* __restrict weights,
    const float* __restrict input,
    const float* __restrict bias,
    float* __restrict output,
    const int64_t n0,
    const int64_t first,
    const int64_t last,
    uint8_t* __restrict scratch);
void conv_batch_normalization_relu_aa101500(
    const float* __restrict weights,
    const float* __restrict input,
    const float* __restrict bias,
    float* __restrict output,
    const int64_t n0,
    const int64_t first,
    const int64_t last,
    uint8_t* __restrict scratch);
void gemm_e8efc93e(
    const float* __restrict input,
    const float* __restrict weights,
    const float* __restrict bias,
    float* __restrict output,
    const int64_t n0,
    const int64_t first,
    const int64_t last,
    uint8_t* __restrict scratch);
void global_average_pool_e2fb56f4(
    const float* __restrict input,
    float* __restrict output,
    const int64_t n0,
    const int64_t first,
    const int64_t last);
void softmax_663f0946(
    const float* __restrict input,
    float* __restrict output,
    const int64_t n0,
    const int64_t first,
    const int64_t last);

}  // namespace digits_kernels

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
