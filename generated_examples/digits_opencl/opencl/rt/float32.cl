// SPDX-License-Identifier: MIT-0
// Floats where OpenCL's own functions do something else with NaN and zeros: NaN in, NaN out.
static float burin_minimum_f32(float a, float b) { return b != b ? b : !(a >= b) ? a : b; }
static float burin_maximum_f32(float a, float b) { return b != b ? b : !(a <= b) ? a : b; }
// -1, 0 or 1; NaN stays NaN, and a zero keeps its sign.
static float burin_sign_f32(float a) { return a > 0.0f ? 1.0f : a < 0.0f ? -1.0f : a; }
// x - y*floor(x/y), from the exact remainder; a zero has the sign of the divisor.
static float burin_mod_f32(float x, float y) {
  const float r = fmod(x, y);
  if (r == 0.0f) return copysign(0.0f, y);
  return (r < 0.0f) != (y < 0.0f) ? r + y : r;
}
