// SPDX-License-Identifier: MIT-0
// Doubles where OpenCL's own functions do something else with NaN and zeros: NaN in, NaN out.
static double burin_minimum_f64(double a, double b) { return b != b ? b : !(a >= b) ? a : b; }
static double burin_maximum_f64(double a, double b) { return b != b ? b : !(a <= b) ? a : b; }
static double burin_sign_f64(double a) { return a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : a; }
static double burin_mod_f64(double x, double y) {
  const double r = fmod(x, y);
  if (r == 0.0) return copysign(0.0, y);
  return (r < 0.0) != (y < 0.0) ? r + y : r;
}
// The float next to x towards zero, with its last bit set if that lost anything: rounding it again
// to at most 22 bits gives what rounding x once would.
static float burin_round_to_odd(double x) {
  const float nearest = (float)x;
  const double back = (double)nearest;
  if (back == x || x != x) return nearest;
  return as_float((as_uint(nearest) - (fabs(back) > fabs(x) ? 1u : 0u)) | 1u);
}
