// The kernels of this tree, by the place of their function in the program.
#ifndef digits_kernels_H
#define digits_kernels_H

#include "rt/opencl/device.h"

namespace digits_kernels {

enum Kernel : int32_t {
  conv_batch_normalization_add_585521d1,
  conv_batch_normalization_add_relu_cd1c0f6c,
  conv_batch_normalization_relu_250c4263,
  conv_batch_normalization_relu_4bc54e1c,
  conv_batch_normalization_relu_6cd63243,
  conv_batch_normalization_relu_92ff2e14,
  conv_batch_normalization_relu_ee9a8290,
  flatten_gemm_02b0cd10,
  global_average_pool_4e8dd501,
  softmax_7e527ca3,
  kCount
};

extern const burin_cl::Program kProgram;

}  // namespace digits_kernels

#endif
