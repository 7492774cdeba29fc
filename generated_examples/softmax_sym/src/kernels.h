// SPDX-License-Identifier: MIT-0
// The kernels of this tree; each is defined in the file of its name in kernels/.
#ifndef SOFTMAX_SYM_KERNELS_H
#define SOFTMAX_SYM_KERNELS_H

#include <stddef.h>
#include <stdint.h>

// For this tree alone, whatever the flags of the build.
#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

namespace softmax_sym_kernels {

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

}  // namespace softmax_sym_kernels

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
