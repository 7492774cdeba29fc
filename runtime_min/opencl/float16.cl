// SPDX-License-Identifier: MIT-0
// Arithmetic on halves where OpenCL's own functions do something else with NaN and zeros: NaN in, NaN
// out.
static half burin_minimum_f16(half a, half b) { return b != b ? b : !(a >= b) ? a : b; }
static half burin_maximum_f16(half a, half b) { return b != b ? b : !(a <= b) ? a : b; }
// -1, 0 or 1; NaN stays NaN, and a zero keeps its sign.
static half burin_sign_f16(half a) {
  return a > (half)0.0f ? (half)1.0f : a < (half)0.0f ? (half)-1.0f : a;
}
static half burin_absolute_f16(half a) { return (half)fabs((float)a); }
