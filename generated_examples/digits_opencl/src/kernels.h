// The kernels of this tree, by the place of their function in the program.
#ifndef digits_kernels_H
#define digits_kernels_H

#include "rt/opencl/device.h"

namespace digits_kernels {

enum Kernel : int32_t {
  conv_batch_normalization_add_6fec69f2,
  conv_batch_normalization_add_relu_cde60816,
  conv_batch_normalization_relu_250c4263,
  conv_batch_normalization_relu_6922f9f0,
  conv_batch_normalization_relu_92ff2e14,
  conv_batch_normalization_relu_c16a5d46,
  conv_batch_normalization_relu_f8f388b5,
  flatten_gemm_063125b8,
  global_average_pool_4e8dd501,
  softmax_7e527ca3,
  kCount
};

extern const burin_cl::Program kProgram;

}  // namespace digits_kernels

#endif
