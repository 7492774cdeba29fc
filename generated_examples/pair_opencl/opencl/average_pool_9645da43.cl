// SPDX-License-Identifier: MIT-0
// reduction: AveragePool 'pool'
//   AveragePool: kernel_shape=[2, 2], strides=[2, 2]
//
//   sum0[i0, i1, i2, i3] = sum over i4 i5: input[i0, i1, 2*i2 + i4, 2*i3 + i5]
//   output[i0, i1, i2, i3] := sum0[i0, i1, i2, i3] / f32(i64(max(1, min(2, n1 - 2*i2))*max(1, min(2, n2 - 2*i3))))
//
// input   f32[batch, 38, h, w], strides [38*h*w, h*w, w, 1]
// output  f32[batch, 38, (h // 2), (w // 2)], strides [38*(h // 2)*(w // 2), (h // 2)*(w // 2), (w // 2), 1], output of
//         the network 'y'
// n1      h
// n2      w
//
// one launch
__kernel void average_pool_9645da43(
    __global const float* restrict input,
    const ulong at_input,
    __global float* restrict output,
    const ulong at_output,
    const long n1,
    const long n2) {
  input += at_input;
  output += at_output;
  const long q0 = n1 / 2;
  const long q1 = n2 / 2;
  // Computes output from input.
  const long point2 = (long)get_global_id(2);
  const long q2 = point2 % 38;
  const long q3 = point2 / 38;
  const long i1 = q2;
  const long i0 = q3;
  const long i2 = (long)get_global_id(1);
  if (i2 >= q0) return;
  const long i3 = (long)get_global_id(0);
  if (i3 >= q1) return;
  float sum0 = 0.0f;
  for (long i4 = 0; i4 < 2; ++i4) {
    for (long i5 = 0; i5 < 2; ++i5) {
      sum0 += input[38 * n1 * n2 * i0 + n1 * n2 * i1 + 2 * n2 * i2 + n2 * i4 + 2 * i3 + i5];
    }
  }
  const float t0 =
      (float)((long)(max((long)1, (long)(min((long)2, (long)(n1 - 2 * i2)))) *
                     max((long)1, (long)(min((long)2, (long)(n2 - 2 * i3))))));
  output[38 * i0 * q0 * q1 + i1 * q0 * q1 + i2 * q1 + i3] = sum0 / t0;
}
