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
  average_pool_4392eee2,
  conv_contraction_95373744,
  conv_contraction_d199826c,
  joint_conv_relu_conv_sigmoid_350a325f,
  joint_layer_normalization_softmax_max_pool_423ccb96,
  kCount
};

extern const burin_cl::Program kProgram;

}  // namespace branches_kernels

namespace softmax_kernels {

enum Kernel : int32_t {
  joint_softmax_2e2b90ea,
  kCount
};

extern const burin_cl::Program kProgram;

}  // namespace softmax_kernels

namespace pair_kernels {

enum Kernel : int32_t {
  average_pool_4392eee2,
  conv_contraction_95373744,
  conv_contraction_d199826c,
  joint_layer_normalization_softmax_max_pool_423ccb96,
  joint_softmax_conv_relu_conv_sigmoid_2f5a491e,
  kCount
};

extern const burin_cl::Program kProgram;

}  // namespace pair_kernels

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
