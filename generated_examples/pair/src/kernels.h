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

void lstm_contraction_713d9080(
    const float* __restrict in_x,
    const float* __restrict w_lstm_columns,
    const float* __restrict w_b_folded,
    float* __restrict out_lstm_projection,
    const int64_t n0,
    const int64_t n1,
    uint8_t* __restrict scratch);
void lstm_recurrent_62b88679(
    const float* __restrict in_h0,
    const float* __restrict w_r,
    const float* __restrict in_lstm_projection,
    const float* __restrict in_c0,
    float* __restrict out_y,
    float* __restrict out_y_h,
    float* __restrict out_y_c,
    const int64_t n0,
    const int64_t n1,
    uint8_t* __restrict scratch);
void lstm_recurrent_a253b751(
    const float* __restrict in_h0,
    const float* __restrict w_r,
    const float* __restrict in_lstm_projection,
    const float* __restrict in_c0,
    float* __restrict out_y,
    float* __restrict out_y_h,
    float* __restrict out_y_c,
    const int64_t n0,
    const int64_t n1,
    uint8_t* __restrict scratch);
void softmax_7d85f1ea(
    const float* __restrict in_x,
    float* __restrict out_middle,
    const int64_t n0,
    const int64_t n1,
    const int64_t n2);
void softmax_de11a068(
    const float* __restrict in_x,
    float* __restrict out_last,
    const int64_t n0,
    const int64_t n1,
    const int64_t n2);

}  // namespace pair_kernels

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
