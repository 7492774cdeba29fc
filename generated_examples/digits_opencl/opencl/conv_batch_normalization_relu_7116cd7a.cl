// SPDX-License-Identifier: MIT-0
// reduction: Conv '/inverted/depthwise/conv/Conv', BatchNormalization
// '/inverted/depthwise/norm/BatchNormalization', Relu '/inverted/Relu_1'
//
//   sum0[i0, i1, i2, i3] = sum over i4 i5: {0 <= i2 + i4 - 1 < 4 && 0 <= i3 + i5 - 1 < 4:
//       in_inverted_Relu_output_0[i0, i1, i2 + i4 - 1, i3 + i5 - 1]; else 0} *
//       w_depthwise_conv_weight_folded[i1, i4, i5]
//   out_inverted_Relu_1_output_0[i0, i1, i2, i3] := max((sum0[i0, i1, i2, i3] +
//       w_depthwise_norm_bias_folded[i1]), 0)
//
// in_inverted_Relu_output_0       f32[batch, 96, 4, 4], tensor '/inverted/Relu_output_0'
// w_depthwise_conv_weight_folded  f32[96, 3, 3], constant 'inverted.depthwise.conv.weight_folded'
// w_depthwise_norm_bias_folded    f32[96], constant 'inverted.depthwise.norm.bias_folded'
// out_inverted_Relu_1_output_0    f32[batch, 96, 4, 4], tensor '/inverted/Relu_1_output_0'
//
// one launch
__kernel void conv_batch_normalization_relu_7116cd7a(
    __global const float* restrict in_inverted_Relu_output_0,
    const ulong at_in_inverted_Relu_output_0,
    __global const float* restrict w_depthwise_conv_weight_folded,
    const ulong at_w_depthwise_conv_weight_folded,
    __global const float* restrict w_depthwise_norm_bias_folded,
    const ulong at_w_depthwise_norm_bias_folded,
    __global float* restrict out_inverted_Relu_1_output_0,
    const ulong at_out_inverted_Relu_1_output_0) {
  in_inverted_Relu_output_0 += at_in_inverted_Relu_output_0;
  w_depthwise_conv_weight_folded += at_w_depthwise_conv_weight_folded;
  w_depthwise_norm_bias_folded += at_w_depthwise_norm_bias_folded;
  out_inverted_Relu_1_output_0 += at_out_inverted_Relu_1_output_0;
  const long i0 = (long)get_global_id(2);
  const long i1 = (long)get_global_id(1);
  const long point0 = (long)get_global_id(0);
  const long q0 = point0 % 4;
  const long q1 = point0 / 4;
  const long i3 = q0;
  const long i2 = q1;
  float sum0 = 0.0f;
  for (long i4 = max((long)0, (long)(-i2 + 1)); i4 < min((long)3, (long)(-i2 + 5)); ++i4) {
    for (long i5 = max((long)0, (long)(-i3 + 1)); i5 < min((long)3, (long)(-i3 + 5)); ++i5) {
      const float t0 = in_inverted_Relu_output_0[1536 * i0 + 16 * i1 + 4 * i2 + i3 + 4 * i4 + i5 - 5] * w_depthwise_conv_weight_folded[9 * i1 + 3 * i4 + i5];
      sum0 += t0;
    }
  }
  out_inverted_Relu_1_output_0[1536 * i0 + 16 * i1 + 4 * i2 + i3] = burin_maximum_f32((sum0 + w_depthwise_norm_bias_folded[i1]), 0.0f);
}
