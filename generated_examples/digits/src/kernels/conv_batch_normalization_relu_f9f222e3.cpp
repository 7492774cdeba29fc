// reduction: Conv '/inverted/depthwise/conv/Conv', BatchNormalization
// '/inverted/depthwise/norm/BatchNormalization', Relu '/inverted/Relu_1'
//
//   sum0[i0, i1, i2, i3] = sum over i4 i5: {0 <= i2 + i4 - 1 < 4 && 0 <= i3 + i5 - 1 < 4:
//       in_inverted_Relu_output_0[i0, i1, i2 + i4 - 1, i3 + i5 - 1]; else 0} *
//       w_depthwise_conv_weight[i1, 0, i4, i5]
//   out_inverted_Relu_1_output_0[i0, i1, i2, i3] := max(((sum0[i0, i1, i2, i3] *
//       w_depthwise_conv_Conv_constant[i1]) + w_conv_Conv_constant_1[i1]), 0)
//
// in_inverted_Relu_output_0       f32[batch, 96, 4, 4], tensor '/inverted/Relu_output_0'
// w_depthwise_conv_weight         f32[96, 1, 3, 3], constant 'inverted.depthwise.conv.weight'
// w_depthwise_conv_Conv_constant  f32[96], constant '/inverted/depthwise/conv/Conv_constant'
// w_conv_Conv_constant_1          f32[96], constant '/inverted/depthwise/conv/Conv_constant_1'
// out_inverted_Relu_1_output_0    f32[batch, 96, 4, 4], tensor '/inverted/Relu_1_output_0'
// n0                              batch
//
// generic loops in the order of the axes; threads share i0
#include "../kernels.h"
#include "../rt/elementary.h"

namespace digits_kernels {

void conv_batch_normalization_relu_f9f222e3(
    const float* __restrict in_inverted_Relu_output_0,
    const float* __restrict w_depthwise_conv_weight,
    const float* __restrict w_depthwise_conv_Conv_constant,
    const float* __restrict w_conv_Conv_constant_1,
    float* __restrict out_inverted_Relu_1_output_0,
    const int64_t n0,
    const int64_t first,
    const int64_t last) {
  for (int64_t i0 = first; i0 < last; ++i0) {
    for (int64_t i1 = 0; i1 < 96; ++i1) {
      for (int64_t i2 = 0; i2 < 4; ++i2) {
        for (int64_t i3 = 0; i3 < 4; ++i3) {
          float sum0 = 0.0f;
          for (int64_t i4 = burin_rt::maximum<int64_t>(0, -i2 + 1); i4 < burin_rt::minimum<int64_t>(3, -i2 + 5); ++i4) {
            for (int64_t i5 = burin_rt::maximum<int64_t>(0, -i3 + 1); i5 < burin_rt::minimum<int64_t>(3, -i3 + 5); ++i5) {
              const float t0 = in_inverted_Relu_output_0[1536 * i0 + 16 * i1 + 4 * i2 + i3 + 4 * i4 + i5 - 5] * w_depthwise_conv_weight[9 * i1 + 3 * i4 + i5];
              sum0 += t0;
            }
          }
          const float t1 = burin_rt::maximum(((sum0 * w_depthwise_conv_Conv_constant[i1]) + w_conv_Conv_constant_1[i1]), 0.0f);
          out_inverted_Relu_1_output_0[1536 * i0 + 16 * i1 + 4 * i2 + i3] = t1;
        }
      }
    }
  }
  (void)n0;
}

}  // namespace digits_kernels
