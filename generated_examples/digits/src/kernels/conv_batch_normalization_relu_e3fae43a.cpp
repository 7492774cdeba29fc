// reduction: Conv '/separable/depthwise/conv/Conv', BatchNormalization
// '/separable/depthwise/norm/BatchNormalization', Relu '/separable/Relu'
//
//   sum0[i0, i1, i2, i3] = sum over i4 i5: {0 <= i2 + i4 - 1 < 8 && 0 <= i3 + i5 - 1 < 8:
//       in_Relu_output_0[i0, i1, i2 + i4 - 1, i3 + i5 - 1]; else 0} * w_depthwise_conv_weight[i1,
//       0, i4, i5]
//   out_separable_Relu_output_0[i0, i1, i2, i3] := max(((sum0[i0, i1, i2, i3] *
//       w_depthwise_conv_Conv_constant[i1]) + w_conv_Conv_constant_1[i1]), 0)
//
// in_Relu_output_0                f32[batch, 24, 8, 8], tensor '/Relu_output_0'
// w_depthwise_conv_weight         f32[24, 1, 3, 3], constant 'separable.depthwise.conv.weight'
// w_depthwise_conv_Conv_constant  f32[24], constant '/separable/depthwise/conv/Conv_constant'
// w_conv_Conv_constant_1          f32[24], constant '/separable/depthwise/conv/Conv_constant_1'
// out_separable_Relu_output_0     f32[batch, 24, 8, 8], tensor '/separable/Relu_output_0'
// n0                              batch
//
// generic loops in the order of the axes; threads share i0
#include "../kernels.h"
#include "../rt/elementary.h"

namespace digits_kernels {

void conv_batch_normalization_relu_e3fae43a(
    const float* __restrict in_Relu_output_0,
    const float* __restrict w_depthwise_conv_weight,
    const float* __restrict w_depthwise_conv_Conv_constant,
    const float* __restrict w_conv_Conv_constant_1,
    float* __restrict out_separable_Relu_output_0,
    const int64_t n0,
    const int64_t first,
    const int64_t last) {
  for (int64_t i0 = first; i0 < last; ++i0) {
    for (int64_t i1 = 0; i1 < 24; ++i1) {
      for (int64_t i2 = 0; i2 < 8; ++i2) {
        for (int64_t i3 = 0; i3 < 8; ++i3) {
          float sum0 = 0.0f;
          for (int64_t i4 = burin_rt::maximum<int64_t>(0, -i2 + 1); i4 < burin_rt::minimum<int64_t>(3, -i2 + 9); ++i4) {
            for (int64_t i5 = burin_rt::maximum<int64_t>(0, -i3 + 1); i5 < burin_rt::minimum<int64_t>(3, -i3 + 9); ++i5) {
              const float t0 = in_Relu_output_0[1536 * i0 + 64 * i1 + 8 * i2 + i3 + 8 * i4 + i5 - 9] * w_depthwise_conv_weight[9 * i1 + 3 * i4 + i5];
              sum0 += t0;
            }
          }
          const float t1 = burin_rt::maximum(((sum0 * w_depthwise_conv_Conv_constant[i1]) + w_conv_Conv_constant_1[i1]), 0.0f);
          out_separable_Relu_output_0[1536 * i0 + 64 * i1 + 8 * i2 + i3] = t1;
        }
      }
    }
  }
  (void)n0;
}

}  // namespace digits_kernels
