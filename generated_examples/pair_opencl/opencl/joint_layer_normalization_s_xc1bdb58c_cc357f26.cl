// SPDX-License-Identifier: MIT-0
// joint launch: LayerNormalization 'rows/norm', Softmax 'rows/softmax', MaxPool 'c/pool'
//   LayerNormalization: axis=-1
//   Softmax: axis=-1
//   MaxPool: kernel_shape=[3, 3], pads=[1, 1, 1, 1]
//
//   member 0, work-groups: n from 0 on
//     sum0[i0] = sum over i1: input[i0, i1]
//     sum1[i0] = sum over i1: (input[i0, i1] - (sum0[i0] / 200)) * (input[i0, i1] - (sum0[i0] / 200))
//     output[i0, i1] := (((input[i0, i1] - (sum0[i0] / 200)) * (1 / sqrt(((sum1[i0] / 200) + 9.99999975e-06)))) *
//       scale[i1]) + bias[i1]
//   member 1, work-groups: n from n on
//     greatest0[i0] = max over i1: input[i0, i1]
//     sum1[i0] = sum over i1: exp((input[i0, i1] - greatest0[i0]))
//     output[i0, i1] := exp((input[i0, i1] - greatest0[i0])) / sum1[i0]
//   member 2, work-groups: 6*batch*h*((w + 63) // 64) from 2*n on
//     greatest0[i0, i1, i2, i3] = max over i4 i5: {0 <= i2 + i4 - 1 < n1 && 0 <= i3 + i5 - 1 < n2: input[i0, i1, i2 +
//       i4 - 1, i3 + i5 - 1]; else -inf}
//     output[i0, i1, i2, i3] := greatest0[i0, i1, i2, i3]
//
// input_0   f32[n, 200], strides [200, 1], input of the network 'rows'
// scale_0   f32[200], constant 'gain'
// bias_0    f32[200], constant 'shift'
// input_2   f32[batch, 6, h, w], strides [6*h*w, h*w, w, 1], input of the network 'x'
// output_0  f32[n, 200], strides [200, 1], output of the network 'q'
// output_1  f32[n, 200], strides [200, 1], output of the network 'p'
// output_2  f32[batch, 6, h, w], strides [6*h*w, h*w, w, 1]
// n1        h
// n2        w
//
// independent kernels share the device: each work-group of 64 belongs to one of them
void joint_layer_normalization_s_xc1bdb58c_cc357f26_0(
    __global const float* restrict input,
    const ulong at_input,
    __global const float* restrict scale,
    const ulong at_scale,
    __global const float* restrict bias,
    const ulong at_bias,
    __global float* restrict output,
    const ulong at_output,
    const int group,
    __local float4* const room) {
  __local float* const partial_f32 = (__local float*)(room + 0);
  input += at_input;
  scale += at_scale;
  bias += at_bias;
  output += at_output;
  // Computes output from input, scale and bias.
  const long i0 = (long)group;
  const long item = (long)get_local_id(0);
  float sum0 = 0.0f;
  // Adds input to sum0.
  for (long i1 = item; i1 < 200; i1 += 64) {
    sum0 += input[200 * i0 + i1];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  partial_f32[item] = sum0;
  barrier(CLK_LOCAL_MEM_FENCE);
  // Computes partial_f32.
  if (item < 16) {
    partial_f32[item] += partial_f32[item + 16];
    partial_f32[item] += partial_f32[item + 32];
    partial_f32[item] += partial_f32[item + 48];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // Computes partial_f32.
  if (item < 4) {
    partial_f32[item] += partial_f32[item + 4];
    partial_f32[item] += partial_f32[item + 8];
    partial_f32[item] += partial_f32[item + 12];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // Computes partial_f32.
  if (item == 0) {
    partial_f32[item] += partial_f32[item + 1];
    partial_f32[item] += partial_f32[item + 2];
    partial_f32[item] += partial_f32[item + 3];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  sum0 = partial_f32[0];
  float sum1 = 0.0f;
  // Computes sum1 from input and sum0.
  for (long i1 = item; i1 < 200; i1 += 64) {
    const float t0 = input[200 * i0 + i1] - (sum0 / 200.0f);
    sum1 += t0 * t0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  partial_f32[item] = sum1;
  barrier(CLK_LOCAL_MEM_FENCE);
  // Computes partial_f32.
  if (item < 16) {
    partial_f32[item] += partial_f32[item + 16];
    partial_f32[item] += partial_f32[item + 32];
    partial_f32[item] += partial_f32[item + 48];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // Computes partial_f32.
  if (item < 4) {
    partial_f32[item] += partial_f32[item + 4];
    partial_f32[item] += partial_f32[item + 8];
    partial_f32[item] += partial_f32[item + 12];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // Computes partial_f32.
  if (item == 0) {
    partial_f32[item] += partial_f32[item + 1];
    partial_f32[item] += partial_f32[item + 2];
    partial_f32[item] += partial_f32[item + 3];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  sum1 = partial_f32[0];
  // Computes output from input, scale, bias, sum0 and sum1.
  for (long i1 = item; i1 < 200; i1 += 64) {
    const float t1 = ((input[200 * i0 + i1] - (sum0 / 200.0f)) * (1.0f / sqrt(((sum1 / 200.0f) + 1e-05f)))) * scale[i1];
    output[200 * i0 + i1] = t1 + bias[i1];
  }
}

void joint_layer_normalization_s_xc1bdb58c_cc357f26_1(
    __global const float* restrict input,
    const ulong at_input,
    __global float* restrict output,
    const ulong at_output,
    const int group,
    __local float4* const room) {
  __local float* const partial_f32 = (__local float*)(room + 0);
  input += at_input;
  output += at_output;
  // Computes output from input.
  const long i0 = (long)group;
  const long item = (long)get_local_id(0);
  float greatest0 = -INFINITY;
  // Computes greatest0 from input.
  for (long i1 = item; i1 < 200; i1 += 64) {
    greatest0 = burin_maximum_f32(greatest0, input[200 * i0 + i1]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  partial_f32[item] = greatest0;
  barrier(CLK_LOCAL_MEM_FENCE);
  // Computes partial_f32.
  if (item < 16) {
    partial_f32[item] = burin_maximum_f32(partial_f32[item], partial_f32[item + 16]);
    partial_f32[item] = burin_maximum_f32(partial_f32[item], partial_f32[item + 32]);
    partial_f32[item] = burin_maximum_f32(partial_f32[item], partial_f32[item + 48]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // Computes partial_f32.
  if (item < 4) {
    partial_f32[item] = burin_maximum_f32(partial_f32[item], partial_f32[item + 4]);
    partial_f32[item] = burin_maximum_f32(partial_f32[item], partial_f32[item + 8]);
    partial_f32[item] = burin_maximum_f32(partial_f32[item], partial_f32[item + 12]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // Computes partial_f32.
  if (item == 0) {
    partial_f32[item] = burin_maximum_f32(partial_f32[item], partial_f32[item + 1]);
    partial_f32[item] = burin_maximum_f32(partial_f32[item], partial_f32[item + 2]);
    partial_f32[item] = burin_maximum_f32(partial_f32[item], partial_f32[item + 3]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  greatest0 = partial_f32[0];
  float sum1 = 0.0f;
  // Computes sum1 from input and greatest0.
  for (long i1 = item; i1 < 200; i1 += 64) {
    sum1 += exp((input[200 * i0 + i1] - greatest0));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  partial_f32[item] = sum1;
  barrier(CLK_LOCAL_MEM_FENCE);
  // Computes partial_f32.
  if (item < 16) {
    partial_f32[item] += partial_f32[item + 16];
    partial_f32[item] += partial_f32[item + 32];
    partial_f32[item] += partial_f32[item + 48];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // Computes partial_f32.
  if (item < 4) {
    partial_f32[item] += partial_f32[item + 4];
    partial_f32[item] += partial_f32[item + 8];
    partial_f32[item] += partial_f32[item + 12];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // Computes partial_f32.
  if (item == 0) {
    partial_f32[item] += partial_f32[item + 1];
    partial_f32[item] += partial_f32[item + 2];
    partial_f32[item] += partial_f32[item + 3];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  sum1 = partial_f32[0];
  // Computes output from input, greatest0 and sum1.
  for (long i1 = item; i1 < 200; i1 += 64) {
    output[200 * i0 + i1] = exp((input[200 * i0 + i1] - greatest0)) / sum1;
  }
}

void joint_layer_normalization_s_xc1bdb58c_cc357f26_2(
    __global const float* restrict input,
    const ulong at_input,
    __global float* restrict output,
    const ulong at_output,
    const long n1,
    const long n2,
    const int group) {
  input += at_input;
  output += at_output;
  // Computes output from input.
  const long point2 = (long)(group / (n1 * ((n2 + 63) / 64)));
  const long q0 = point2 % 6;
  const long q1 = point2 / 6;
  const long i1 = q0;
  const long i0 = q1;
  const long i2 = (long)((group / (((n2 + 63) / 64))) % n1);
  const long i3 = (long)((group % (((n2 + 63) / 64))) * 64 + (int)get_local_id(0));
  if (i3 >= n2) return;
  float greatest0 = -INFINITY;
  for (long i4 = max((long)0, (long)(-i2 + 1)); i4 < min((long)3, (long)(n1 - i2 + 1)); ++i4) {
    for (long i5 = max((long)0, (long)(-i3 + 1)); i5 < min((long)3, (long)(n2 - i3 + 1)); ++i5) {
      greatest0 = burin_maximum_f32(
          greatest0, input[6 * n1 * n2 * i0 + n1 * n2 * i1 - n2 + n2 * i2 + n2 * i4 + i3 + i5 - 1]);
    }
  }
  output[6 * n1 * n2 * i0 + n1 * n2 * i1 + n2 * i2 + i3] = greatest0;
}

__kernel void joint_layer_normalization_s_xc1bdb58c_cc357f26(
    __global const float* restrict input_0,
    const ulong at_input_0,
    __global const float* restrict scale_0,
    const ulong at_scale_0,
    __global const float* restrict bias_0,
    const ulong at_bias_0,
    __global float* restrict output_0,
    const ulong at_output_0,
    __global const float* restrict input_1,
    const ulong at_input_1,
    __global float* restrict output_1,
    const ulong at_output_1,
    __global const float* restrict input_2,
    const ulong at_input_2,
    __global float* restrict output_2,
    const ulong at_output_2,
    const long n1_2,
    const long n2_2,
    const int end_0,
    const int end_1,
    const int end_2) {
  __local float4 room[16];
  const int group = (int)get_group_id(0);
  if (group >= 0 && group < end_0) {
    joint_layer_normalization_s_xc1bdb58c_cc357f26_0(
        input_0,
        at_input_0,
        scale_0,
        at_scale_0,
        bias_0,
        at_bias_0,
        output_0,
        at_output_0,
        group,
        room);
  } else if (group >= end_0 && group < end_1) {
    joint_layer_normalization_s_xc1bdb58c_cc357f26_1(input_1, at_input_1, output_1, at_output_1, group - end_0, room);
  } else if (group >= end_1 && group < end_2) {
    joint_layer_normalization_s_xc1bdb58c_cc357f26_2(
        input_2,
        at_input_2,
        output_2,
        at_output_2,
        n1_2,
        n2_2,
        group - end_1);
  }
}
