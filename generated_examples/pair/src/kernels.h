// SPDX-License-Identifier: MIT-0
// The kernels of this tree; each is defined in the file of its name in kernels/.
#ifndef PAIR_KERNELS_H
#define PAIR_KERNELS_H

#include <stddef.h>
#include <stdint.h>

// For this tree alone, whatever the flags of the build.
#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

namespace pair_kernels {

void lstm_contraction_96524f1c(
    const float* __restrict input,
    const float* __restrict weights,
    const float* __restrict bias,
    float* __restrict output,
    const int64_t n0,
    const int64_t n1,
    uint8_t* __restrict scratch);
void lstm_recurrent_34aeeb50(
    const float* __restrict input0,
    const float* __restrict weights,
    const float* __restrict input1,
    const float* __restrict input2,
    float* __restrict output0,
    float* __restrict output1,
    float* __restrict output2,
    const int64_t n0,
    const int64_t n1,
    uint8_t* __restrict scratch);
void lstm_recurrent_b5b73a0f(
    const float* __restrict input0,
    const float* __restrict weights,
    const float* __restrict input1,
    const float* __restrict input2,
    float* __restrict output0,
    float* __restrict output1,
    float* __restrict output2,
    const int64_t n0,
    const int64_t n1,
    uint8_t* __restrict scratch);
void softmax_4c625580(
    const float* __restrict input,
    float* __restrict output,
    const int64_t n0,
    const int64_t n1,
    const int64_t n2);
void softmax_d6483da8(
    const float* __restrict input,
    float* __restrict output,
    const int64_t n0,
    const int64_t n1,
    const int64_t n2);

}  // namespace pair_kernels

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
