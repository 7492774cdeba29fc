// SPDX-License-Identifier: MIT-0
// reduction: Conv '/inverted/depthwise/conv/Conv', BatchNormalization '/inverted/depthwise/norm/BatchNormalization',
// Relu '/inverted/Relu_1'
//   Conv: dilations=[1, 1], group=96, kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[1, 1]
//   BatchNormalization: epsilon=1e-05, momentum=0.9, training_mode=0
//
//   sum0[i0, i1, i2, i3] = sum over i4 i5: {0 <= i2 + i4 - 1 < 4 && 0 <= i3 + i5 - 1 < 4: input[i0, i1, i2 + i4 - 1, i3
//       + i5 - 1]; else 0} * weights[i1, i4, i5]
//   output[i0, i1, i2, i3] := max((sum0[i0, i1, i2, i3] + bias[i1]), 0)
//
// input    f32[batch, 96, 4, 4], strides [1536, 16, 4, 1]
// weights  f32[96, 3, 3], strides [9, 3, 1], constant 'inverted.depthwise.conv.weight_folded'
// bias     f32[96], constant 'inverted.depthwise.norm.bias_folded'
// output   f32[batch, 96, 4, 4], strides [1536, 16, 4, 1]
//
// one launch
__kernel void conv_batch_normalization_relu_b63d136a(
    __global const float* restrict input,
    const ulong at_input,
    __global const float* restrict weights,
    const ulong at_weights,
    __global const float* restrict bias,
    const ulong at_bias,
    __global float* restrict output,
    const ulong at_output) {
  input += at_input;
  weights += at_weights;
  bias += at_bias;
  output += at_output;
  // Computes output from input, weights and bias.
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
      const float t0 = input[1536 * i0 + 16 * i1 + 4 * i2 + i3 + 4 * i4 + i5 - 5] * weights[9 * i1 + 3 * i4 + i5];
      sum0 += t0;
    }
  }
  output[1536 * i0 + 16 * i1 + 4 * i2 + i3] = burin_maximum_f32((sum0 + bias[i1]), 0.0f);
}
