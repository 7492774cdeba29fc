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
  conv_batch_normalization_add_00883b59,
  conv_batch_normalization_add_relu_ce641507,
  conv_batch_normalization_relu_10b42fdf,
  conv_batch_normalization_relu_36715967,
  conv_batch_normalization_relu_a9f5bea3,
  conv_batch_normalization_relu_b4757ce7,
  conv_batch_normalization_relu_b63d136a,
  gemm_35da6c5b,
  global_average_pool_24865fce,
  softmax_eef6c6a8,
  kCount
};

extern const burin_cl::Program kProgram;

}  // namespace digits_kernels

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
