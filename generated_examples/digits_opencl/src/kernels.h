// The kernels of this tree, by the place of their function in the program.
#ifndef DIGITS_KERNELS_H
#define DIGITS_KERNELS_H

#include "rt/opencl/context.h"

namespace digits_kernels {

enum Kernel : int32_t {
  conv_batch_normalization_add_56fefe0c,
  conv_batch_normalization_add_relu_67a63b93,
  conv_batch_normalization_relu_29102b1b,
  conv_batch_normalization_relu_4a7d455b,
  conv_batch_normalization_relu_5ddb0b72,
  conv_batch_normalization_relu_6c63c26d,
  conv_batch_normalization_relu_ea0441ba,
  flatten_gemm_063125b8,
  global_average_pool_4e8dd501,
  softmax_7e527ca3,
  kCount
};

extern const burin_cl::Program kProgram;

}  // namespace digits_kernels

#endif
