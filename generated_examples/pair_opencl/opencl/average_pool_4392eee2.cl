// SPDX-License-Identifier: MIT-0
// reduction: AveragePool 'pool'
//
//   sum0[i0, i1, i2, i3] = sum over i4 i5: in_joined[i0, i1, 2*i2 + i4, 2*i3 + i5]
//   out_y[i0, i1, i2, i3] := sum0[i0, i1, i2, i3] / f32(i64(max(1, min(2, n1 - 2*i2))*max(1, min(2,
//       n2 - 2*i3))))
//
// in_joined  f32[batch, 38, h, w], tensor 'joined'
// out_y      f32[batch, 38, (h /\x2f 2), (w /\x2f 2)], output of the network 'y'
// n1         h
// n2         w
//
// one launch
__kernel void average_pool_4392eee2(
    __global const float* restrict in_joined,
    const ulong at_in_joined,
    __global float* restrict out_y,
    const ulong at_out_y,
    const long n1,
    const long n2) {
  in_joined += at_in_joined;
  out_y += at_out_y;
  const long q0 = n1 / 2;
  const long q1 = n2 / 2;
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
      sum0 += in_joined[38 * n1 * n2 * i0 + n1 * n2 * i1 + 2 * n2 * i2 + n2 * i4 + 2 * i3 + i5];
    }
  }
  const float t0 = (float)((long)(max((long)1, (long)(min((long)2, (long)(n1 - 2 * i2)))) * max((long)1, (long)(min((long)2, (long)(n2 - 2 * i3))))));
  out_y[38 * i0 * q0 * q1 + i1 * q0 * q1 + i2 * q1 + i3] = sum0 / t0;
}
