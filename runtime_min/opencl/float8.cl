// SPDX-License-Identifier: MIT-0
// Eight-bit floats as ONNX names them; formats and rounding as in runtime_min/float8.h. `largest`:
// the code of the largest number; `overflow`: the code for what exceeds it; unsigned_zero: one
// zero, NaN is 0x80.
static float burin_widen_f8(
    uchar code,
    uint mantissa,
    uint bias,
    uint largest,
    uint overflow,
    int unsigned_zero) {
  const uint magnitude = code & 0x7fu;
  const uint sign = (uint)(code & 0x80u) << 24;
  if (unsigned_zero && code == 0x80u) return NAN;
  if (!unsigned_zero && magnitude > largest) {
    const uint special = overflow != 0x7fu && magnitude == overflow ? 0x7f800000u : 0x7fc00000u;
    return as_float(special | sign);
  }
  const uint shifted = magnitude << (23u - mantissa);
  const uint rebias = (127u - bias) << 23;
  if ((magnitude >> mantissa) != 0) return as_float((shifted + rebias) | sign);
  // A subnormal number is a multiple of the smallest one, 2^(1 - bias - mantissa).
  const float smallest = as_float((128u - bias - mantissa) << 23);
  return as_float(as_uint((float)magnitude * smallest) | sign);
}

static uchar burin_narrow_f8(
    float x,
    uint mantissa,
    uint bias,
    uint largest,
    uint overflow,
    int unsigned_zero,
    int saturate) {
  const uint bits = as_uint(x);
  const uint magnitude = bits & 0x7fffffffu;
  const uint sign = (bits >> 24) & 0x80u;
  if (x != x) return (uchar)(unsigned_zero ? 0x80u : 0x7fu | sign);
  const uint dropped = 23u - mantissa;
  uint code;
  if (magnitude < ((128u - bias) << 23)) {
    // Adding a power of two whose last place is the smallest subnormal rounds there.
    const uint aligner = (128u - bias + dropped) << 23;
    code = as_uint(as_float(magnitude) + as_float(aligner)) - aligner;
  } else {
    const uint odd = (magnitude >> dropped) & 1u;
    code = (magnitude - ((127u - bias) << 23) + ((1u << (dropped - 1u)) - 1u) + odd) >> dropped;
    if (code > largest) {
      if (unsigned_zero && !saturate) return (uchar)0x80u;
      code = saturate ? largest : overflow;
    }
  }
  if (unsigned_zero && code == 0) return (uchar)0;
  return (uchar)(code | sign);
}

#define BURIN_FLOAT8(N, MANTISSA, BIAS, LARGEST, OVERFLOW, UNSIGNED_ZERO)                    \
  static float burin_##N##_to_f32(uchar x) {                                                 \
    return burin_widen_f8(x, MANTISSA, BIAS, LARGEST, OVERFLOW, UNSIGNED_ZERO);              \
  }                                                                                          \
  static uchar burin_f32_to_##N(float x) {                                                   \
    return burin_narrow_f8(x, MANTISSA, BIAS, LARGEST, OVERFLOW, UNSIGNED_ZERO, 0);          \
  }                                                                                          \
  static uchar burin_f32_to_##N##_saturate(float x) {                                        \
    return burin_narrow_f8(x, MANTISSA, BIAS, LARGEST, OVERFLOW, UNSIGNED_ZERO, 1);          \
  }

BURIN_FLOAT8(f8e4m3fn, 3u, 7u, 0x7eu, 0x7fu, 0)
BURIN_FLOAT8(f8e4m3fnuz, 3u, 8u, 0x7fu, 0x80u, 1)
BURIN_FLOAT8(f8e5m2, 2u, 15u, 0x7bu, 0x7cu, 0)
BURIN_FLOAT8(f8e5m2fnuz, 2u, 16u, 0x7fu, 0x80u, 1)

// The exponent of a scale, and floats of four bits; as in runtime_min/float8.h and float4.h.
static float burin_f8e8m0_to_f32(uchar x) {
  return as_float(x == 0 ? 0x00400000u : x == 255 ? 0x7fc00000u : (uint)x << 23);
}
static uchar burin_f32_to_f8e8m0(float x) {
  const uint magnitude = as_uint(x) & 0x7fffffffu;
  if (magnitude <= 0x00400000u) return (uchar)0;
  return (uchar)(magnitude >= 0x7f800000u ? 255u : (magnitude + 0x007fffffu) >> 23);
}
static uchar burin_f32_to_f8e8m0_saturate(float x) {
  const uint magnitude = as_uint(x) & 0x7fffffffu;
  const int beyond = magnitude > 0x7f000000u && magnitude < 0x7f800000u;
  return beyond ? (uchar)254u : burin_f32_to_f8e8m0(x);
}
static float burin_f4e2m1_to_f32(uchar code) {
  const uint magnitude = code & 7u;
  const uint below = magnitude == 1u ? 126u << 23 : 0u;
  const uint bits = magnitude < 2u ? below : (magnitude << 22) + (126u << 23);
  return as_float(bits | (uint)(code & 8u) << 28);
}
static uchar burin_f32_to_f4e2m1(float x) {
  const uint bits = as_uint(x);
  const uint magnitude = bits & 0x7fffffffu, sign = (bits >> 28) & 8u;
  if (x != x) return (uchar)(sign ^ 8u);
  if (magnitude >= (129u << 23) + 0x00400000u) return (uchar)(7u | sign);
  if (magnitude < (127u << 23)) {
    const uint aligner = 149u << 23;
    return (uchar)((as_uint(as_float(magnitude) + as_float(aligner)) - aligner) | sign);
  }
  const uint odd = (magnitude >> 22) & 1u;
  return (uchar)(((magnitude - (126u << 23) + 0x001fffffu + odd) >> 22) | sign);
}
