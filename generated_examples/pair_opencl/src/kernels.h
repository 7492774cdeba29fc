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
  average_pool_9645da43,
  conv_2443713c,
  conv_2f878af7,
  joint_conv_relu_conv_sigmoid_a99130c6,
  joint_layer_normalization_s_xc1bdb58c_cc357f26,
  kCount
};

extern const burin_cl::Program kProgram;

}  // namespace branches_kernels

namespace softmax_kernels {

enum Kernel : int32_t {
  joint_softmax_f40cbdcc,
  kCount
};

extern const burin_cl::Program kProgram;

}  // namespace softmax_kernels

namespace pair_kernels {

enum Kernel : int32_t {
  average_pool_9645da43,
  conv_2443713c,
  conv_2f878af7,
  joint_layer_normalization_s_xc1bdb58c_cc357f26,
  joint_softmax_conv_relu_conv_sigmoid_7b2fdfec,
  kCount
};

extern const burin_cl::Program kProgram;

}  // namespace pair_kernels

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
