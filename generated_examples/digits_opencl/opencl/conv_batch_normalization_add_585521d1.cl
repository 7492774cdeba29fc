// reduction: Conv '/inverted/project/conv/Conv', BatchNormalization
// '/inverted/project/norm/BatchNormalization', Add '/inverted/Add'
//
//   sum0[i0, i1, i2, i3] = sum over i4: in_inverted_Relu_1_output_0[i0, i4, i2, i3] *
//       w_inverted_project_conv_weight[i1, i4, 0, 0]
//   out_inverted_Add_output_0[i0, i1, i2, i3] := in_Relu_1_output_0[i0, i1, i2, i3] + ((sum0[i0,
//       i1, i2, i3] * w_project_conv_Conv_constant[i1]) + w_project_conv_Conv_constant_1[i1])
//
// in_inverted_Relu_1_output_0     f32[batch, 96, 4, 4], tensor '/inverted/Relu_1_output_0'
// w_inverted_project_conv_weight  f32[48, 96, 1, 1], constant 'inverted.project.conv.weight'
// in_Relu_1_output_0              f32[batch, 48, 4, 4], tensor '/Relu_1_output_0'
// w_project_conv_Conv_constant    f32[48], constant '/inverted/project/conv/Conv_constant'
// w_project_conv_Conv_constant_1  f32[48], constant '/inverted/project/conv/Conv_constant_1'
// out_inverted_Add_output_0       f32[batch, 48, 4, 4], tensor '/inverted/Add_output_0'
//
// one launch
__kernel void conv_batch_normalization_add_585521d1(
    __global const float* restrict in_inverted_Relu_1_output_0,
    const ulong at_in_inverted_Relu_1_output_0,
    __global const float* restrict w_inverted_project_conv_weight,
    const ulong at_w_inverted_project_conv_weight,
    __global const float* in_Relu_1_output_0,
    const ulong at_in_Relu_1_output_0,
    __global const float* restrict w_project_conv_Conv_constant,
    const ulong at_w_project_conv_Conv_constant,
    __global const float* restrict w_project_conv_Conv_constant_1,
    const ulong at_w_project_conv_Conv_constant_1,
    __global float* out_inverted_Add_output_0,
    const ulong at_out_inverted_Add_output_0) {
  const long point0 = (long)get_global_id(0);
  const long i1 = (long)get_global_id(1);
  const long i0 = (long)get_global_id(2);
  const long i3 = (long)(point0 % 4);
  const long i2 = (long)(point0 / 4);
  in_inverted_Relu_1_output_0 += at_in_inverted_Relu_1_output_0;
  w_inverted_project_conv_weight += at_w_inverted_project_conv_weight;
  in_Relu_1_output_0 += at_in_Relu_1_output_0;
  w_project_conv_Conv_constant += at_w_project_conv_Conv_constant;
  w_project_conv_Conv_constant_1 += at_w_project_conv_Conv_constant_1;
  out_inverted_Add_output_0 += at_out_inverted_Add_output_0;
  float sum0 = 0.0f;
  for (long i4 = 0; i4 < 96; ++i4) {
    const float t0 = in_inverted_Relu_1_output_0[1536 * i0 + 4 * i2 + i3 + 16 * i4] * w_inverted_project_conv_weight[96 * i1 + i4];
    sum0 += t0;
  }
  const float t1 = in_Relu_1_output_0[768 * i0 + 16 * i1 + 4 * i2 + i3] + ((sum0 * w_project_conv_Conv_constant[i1]) + w_project_conv_Conv_constant_1[i1]);
  out_inverted_Add_output_0[768 * i0 + 16 * i1 + 4 * i2 + i3] = t1;
}
