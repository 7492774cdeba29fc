// SPDX-License-Identifier: MIT-0
// bfloat16 as sixteen bits: the upper half of a float, rounded to nearest even; NaN stays NaN.
static float burin_bf16_to_f32(ushort x) {
  const uint bits = (uint)x << 16;
  return as_float((bits & 0x7fffffffu) > 0x7f800000u ? bits | 0x00400000u : bits);
}
static ushort burin_f32_to_bf16(float x) {
  const uint bits = as_uint(x);
  if (x != x) return (ushort)((bits >> 16) | 0x0040u);
  return (ushort)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}
