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
  conv_batch_normalization_add_e323156b,
  conv_batch_normalization_add_relu_d9de8971,
  conv_batch_normalization_relu_0ac552ff,
  conv_batch_normalization_relu_2fca13fb,
  conv_batch_normalization_relu_3551c759,
  conv_batch_normalization_relu_6c63c26d,
  conv_batch_normalization_relu_dfeadc92,
  gemm_23f2ad11,
  global_average_pool_4e8dd501,
  softmax_7e527ca3,
  kCount
};

extern const burin_cl::Program kProgram;

}  // namespace digits_kernels

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
