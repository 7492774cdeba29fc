// reduction: Conv '/down/conv/Conv', BatchNormalization '/down/norm/BatchNormalization', Relu
// '/Relu_1'
//
//   sum0[i0, i1, i2, i3] = sum over i4 i5 i6: {0 <= 2*i2 + i5 - 1 < 8 && 0 <= 2*i3 + i6 - 1 < 8:
//       in_separable_Relu_1_output_0[i0, i4, 2*i2 + i5 - 1, 2*i3 + i6 - 1]; else 0} *
//       w_down_conv_weight[i1, i4, i5, i6]
//   out_Relu_1_output_0[i0, i1, i2, i3] := max(((sum0[i0, i1, i2, i3] *
//       w_down_conv_Conv_constant[i1]) + w_down_conv_Conv_constant_1[i1]), 0)
//
// in_separable_Relu_1_output_0  f32[batch, 24, 8, 8], tensor '/separable/Relu_1_output_0'
// w_down_conv_weight            f32[48, 24, 3, 3], constant 'down.conv.weight'
// w_down_conv_Conv_constant     f32[48], constant '/down/conv/Conv_constant'
// w_down_conv_Conv_constant_1   f32[48], constant '/down/conv/Conv_constant_1'
// out_Relu_1_output_0           f32[batch, 48, 4, 4], tensor '/Relu_1_output_0'
//
// one launch
__kernel void conv_batch_normalization_relu_ee9a8290(
    __global const float* restrict in_separable_Relu_1_output_0,
    const ulong at_in_separable_Relu_1_output_0,
    __global const float* restrict w_down_conv_weight,
    const ulong at_w_down_conv_weight,
    __global const float* restrict w_down_conv_Conv_constant,
    const ulong at_w_down_conv_Conv_constant,
    __global const float* restrict w_down_conv_Conv_constant_1,
    const ulong at_w_down_conv_Conv_constant_1,
    __global float* restrict out_Relu_1_output_0,
    const ulong at_out_Relu_1_output_0) {
  const long point0 = (long)get_global_id(0);
  const long i1 = (long)get_global_id(1);
  const long i0 = (long)get_global_id(2);
  const long i3 = (long)(point0 % 4);
  const long i2 = (long)(point0 / 4);
  in_separable_Relu_1_output_0 += at_in_separable_Relu_1_output_0;
  w_down_conv_weight += at_w_down_conv_weight;
  w_down_conv_Conv_constant += at_w_down_conv_Conv_constant;
  w_down_conv_Conv_constant_1 += at_w_down_conv_Conv_constant_1;
  out_Relu_1_output_0 += at_out_Relu_1_output_0;
  float sum0 = 0.0f;
  for (long i4 = 0; i4 < 24; ++i4) {
    for (long i5 = max((long)(0), (long)(-2 * i2 + 1)); i5 < 3; ++i5) {
      for (long i6 = max((long)(0), (long)(-2 * i3 + 1)); i6 < 3; ++i6) {
        const float t0 = in_separable_Relu_1_output_0[1536 * i0 + 16 * i2 + 2 * i3 + 64 * i4 + 8 * i5 + i6 - 9] * w_down_conv_weight[216 * i1 + 9 * i4 + 3 * i5 + i6];
        sum0 += t0;
      }
    }
  }
  const float t1 = burin_maximum_f32(((sum0 * w_down_conv_Conv_constant[i1]) + w_down_conv_Conv_constant_1[i1]), 0.0f);
  out_Relu_1_output_0[768 * i0 + 16 * i1 + 4 * i2 + i3] = t1;
}
