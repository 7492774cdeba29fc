// SPDX-License-Identifier: MIT-0
// The kernels of this tree, by the place of their function in the program.
#ifndef DIGITS_KERNELS_H
#define DIGITS_KERNELS_H

#include "rt/opencl/context.h"

// For this tree alone, whatever the flags of the build.
#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

namespace digits_kernels {

enum Kernel : int32_t {
  conv_batch_normalization_add_dc6905a8,
  conv_batch_normalization_add_relu_f6732e6f,
  conv_batch_normalization_relu_47280a05,
  conv_batch_normalization_relu_619019b4,
  conv_batch_normalization_relu_7116cd7a,
  conv_batch_normalization_relu_df543c54,
  conv_batch_normalization_relu_e22aae9f,
  gemm_17250cc2,
  global_average_pool_c0496b99,
  softmax_c3209541,
  kCount
};

extern const burin_cl::Program kProgram;

}  // namespace digits_kernels

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
