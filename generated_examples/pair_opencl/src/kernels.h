// SPDX-License-Identifier: MIT-0
// The kernels of each network, by the place of their function in the program.
#ifndef PAIR_KERNELS_H
#define PAIR_KERNELS_H

#include "rt/opencl/context.h"

// For this tree alone, whatever the flags of the build.
#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

namespace branches_kernels {

enum Kernel : int32_t {
  average_pool_8c7673b1,
  conv_contraction_390f6c06,
  conv_contraction_e2b71634,
  joint_conv_relu_conv_sigmoid_9fdd37fc,
  joint_layer_normalization_softmax_max_pool_a60d2c1c,
  kCount
};

extern const burin_cl::Program kProgram;

}  // namespace branches_kernels

namespace softmax_kernels {

enum Kernel : int32_t {
  joint_softmax_21e0a670,
  kCount
};

extern const burin_cl::Program kProgram;

}  // namespace softmax_kernels

namespace pair_kernels {

enum Kernel : int32_t {
  average_pool_8c7673b1,
  conv_contraction_390f6c06,
  conv_contraction_e2b71634,
  joint_layer_normalization_softmax_max_pool_a60d2c1c,
  joint_softmax_conv_relu_conv_sigmoid_d39cc1e2,
  kCount
};

extern const burin_cl::Program kProgram;

}  // namespace pair_kernels

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
