// SPDX-License-Identifier: MIT-0
// Halves as sixteen bits, through the conversions that every device has.
static ushort burin_f32_to_f16(float x) {
  ushort bits;
  vstore_half_rte(x, 0, (half*)&bits);
  return bits;
}
static float burin_f16_to_f32(ushort bits) { return vload_half(0, (const half*)&bits); }
