// SPDX-License-Identifier: MIT-0
// The kernels of this tree; each is defined in the file of its name in kernels/.
#ifndef QDQ_CONV_KERNELS_H
#define QDQ_CONV_KERNELS_H

#include <stddef.h>
#include <stdint.h>

// For this tree alone, whatever the flags of the build.
#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

namespace qdq_conv_kernels {

void conv_c783c331(
    const int8_t* __restrict weights,
    const uint8_t* __restrict zero_point0,
    const uint8_t* __restrict input,
    const int32_t* __restrict bias0,
    const int32_t* __restrict constants,
    const float* __restrict scale0,
    const float* __restrict scale1,
    const float* __restrict bias1,
    const float* __restrict scale2,
    const uint8_t* __restrict zero_point1,
    uint8_t* __restrict output,
    uint8_t* __restrict scratch);
void quantize_linear_261d96a7(
    const float* __restrict input,
    const float* __restrict scale0,
    const int32_t* __restrict bias,
    const float* __restrict scale1,
    const uint8_t* __restrict zero_point,
    uint8_t* __restrict output);

}  // namespace qdq_conv_kernels

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
