// reduction: Conv '/separable/pointwise/conv/Conv', BatchNormalization
// '/separable/pointwise/norm/BatchNormalization', Add '/separable/Add', Relu '/separable/Relu_1'
//
//   sum0[i0, i1, i2, i3] = sum over i4: in_separable_Relu_output_0[i0, i4, i2, i3] *
//       w_pointwise_conv_weight[i1, i4, 0, 0]
//   out_separable_Relu_1_output_0[i0, i1, i2, i3] := max((in_Relu_output_0[i0, i1, i2, i3] +
//       ((sum0[i0, i1, i2, i3] * w_pointwise_conv_Conv_constant[i1]) +
//       w_conv_Conv_constant_1[i1])), 0)
//
// in_separable_Relu_output_0      f32[batch, 24, 8, 8], tensor '/separable/Relu_output_0'
// w_pointwise_conv_weight         f32[24, 24, 1, 1], constant 'separable.pointwise.conv.weight'
// in_Relu_output_0                f32[batch, 24, 8, 8], tensor '/Relu_output_0'
// w_pointwise_conv_Conv_constant  f32[24], constant '/separable/pointwise/conv/Conv_constant'
// w_conv_Conv_constant_1          f32[24], constant '/separable/pointwise/conv/Conv_constant_1'
// out_separable_Relu_1_output_0   f32[batch, 24, 8, 8], tensor '/separable/Relu_1_output_0'
//
// one launch
__kernel void conv_batch_normalization_add_relu_cd1c0f6c(
    __global const float* restrict in_separable_Relu_output_0,
    const ulong at_in_separable_Relu_output_0,
    __global const float* restrict w_pointwise_conv_weight,
    const ulong at_w_pointwise_conv_weight,
    __global const float* in_Relu_output_0,
    const ulong at_in_Relu_output_0,
    __global const float* restrict w_pointwise_conv_Conv_constant,
    const ulong at_w_pointwise_conv_Conv_constant,
    __global const float* restrict w_conv_Conv_constant_1,
    const ulong at_w_conv_Conv_constant_1,
    __global float* out_separable_Relu_1_output_0,
    const ulong at_out_separable_Relu_1_output_0) {
  const long point0 = (long)get_global_id(0);
  const long i1 = (long)get_global_id(1);
  const long i0 = (long)get_global_id(2);
  const long i3 = (long)(point0 % 8);
  const long i2 = (long)(point0 / 8);
  in_separable_Relu_output_0 += at_in_separable_Relu_output_0;
  w_pointwise_conv_weight += at_w_pointwise_conv_weight;
  in_Relu_output_0 += at_in_Relu_output_0;
  w_pointwise_conv_Conv_constant += at_w_pointwise_conv_Conv_constant;
  w_conv_Conv_constant_1 += at_w_conv_Conv_constant_1;
  out_separable_Relu_1_output_0 += at_out_separable_Relu_1_output_0;
  float sum0 = 0.0f;
  for (long i4 = 0; i4 < 24; ++i4) {
    const float t0 = in_separable_Relu_output_0[1536 * i0 + 8 * i2 + i3 + 64 * i4] * w_pointwise_conv_weight[24 * i1 + i4];
    sum0 += t0;
  }
  const float t1 = in_Relu_output_0[1536 * i0 + 64 * i1 + 8 * i2 + i3] + ((sum0 * w_pointwise_conv_Conv_constant[i1]) + w_conv_Conv_constant_1[i1]);
  out_separable_Relu_1_output_0[1536 * i0 + 64 * i1 + 8 * i2 + i3] = burin_maximum_f32(t1, 0.0f);
}
