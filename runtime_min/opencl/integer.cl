// SPDX-License-Identifier: MIT-0
// Integer arithmetic defined for every input, as runtime_min/integer.h: overflow wraps, dividing by
// zero gives 0, a shift by the width or more gives 0 (of a negative number to the right: -1).
// T: the type, U: the unsigned type of its width, N: the suffix of its functions.
#define BURIN_INTEGERS(T, U, N, BITS, SIGNED)                                                   \
  static T burin_add_##N(T a, T b) { return (T)((U)a + (U)b); }                                 \
  static T burin_subtract_##N(T a, T b) { return (T)((U)a - (U)b); }                            \
  static T burin_multiply_##N(T a, T b) { return (T)((ulong)a * (ulong)b); }                    \
  static T burin_negate_##N(T a) { return (T)((U)0 - (U)a); }                                   \
  static T burin_absolute_##N(T a) { return a < (T)0 ? burin_negate_##N(a) : a; }               \
  static T burin_sign_##N(T a) { return (T)(a > (T)0 ? 1 : a < (T)0 ? -1 : 0); }                \
  static T burin_divide_##N(T a, T b) {                                                         \
    if (b == (T)0) return (T)0;                                                                 \
    if (SIGNED && b == (T)-1) return burin_negate_##N(a);                                       \
    return (T)(a / b);                                                                          \
  }                                                                                             \
  static T burin_remainder_##N(T a, T b) {                                                      \
    if (b == (T)0 || (SIGNED && b == (T)-1)) return (T)0;                                       \
    return (T)(a % b);                                                                          \
  }                                                                                             \
  static T burin_floor_divide_##N(T a, T b) {                                                   \
    const T q = burin_divide_##N(a, b);                                                         \
    const T r = burin_remainder_##N(a, b);                                                      \
    return r != (T)0 && (r < (T)0) != (b < (T)0) ? (T)(q - (T)1) : q;                           \
  }                                                                                             \
  static T burin_floor_mod_##N(T a, T b) {                                                      \
    const T r = burin_remainder_##N(a, b);                                                      \
    return r != (T)0 && (r < (T)0) != (b < (T)0) ? (T)(r + b) : r;                              \
  }                                                                                             \
  static T burin_power_##N(T base, T exponent) {                                                \
    if (exponent < (T)0) {                                                                      \
      if (base == (T)1) return base;                                                            \
      if (SIGNED && base == (T)-1) return (T)((exponent & (T)1) != (T)0 ? -1 : 1);              \
      return (T)0;                                                                              \
    }                                                                                           \
    ulong result = 1;                                                                           \
    ulong square = (ulong)base;                                                                 \
    for (ulong n = (ulong)exponent; n != 0; n >>= 1) {                                          \
      if ((n & 1) != 0) result *= square;                                                       \
      square *= square;                                                                         \
    }                                                                                           \
    return (T)result;                                                                           \
  }                                                                                             \
  static T burin_shift_left_##N(T a, T n) {                                                     \
    return (U)n < (U)BITS ? (T)((ulong)(U)a << (U)n) : (T)0;                                    \
  }                                                                                             \
  static T burin_shift_right_##N(T a, T n) {                                                    \
    return (U)n < (U)BITS ? (T)(a >> (U)n) : (T)(a < (T)0 ? -1 : 0);                            \
  }

BURIN_INTEGERS(char, uchar, i8, 8, 1)
BURIN_INTEGERS(uchar, uchar, u8, 8, 0)
BURIN_INTEGERS(short, ushort, i16, 16, 1)
BURIN_INTEGERS(ushort, ushort, u16, 16, 0)
BURIN_INTEGERS(int, uint, i32, 32, 1)
BURIN_INTEGERS(uint, uint, u32, 32, 0)
BURIN_INTEGERS(long, ulong, i64, 64, 1)
BURIN_INTEGERS(ulong, ulong, u64, 64, 0)

// Four-bit integers, which compute in 32 bits.
static int burin_wrap_i2(int a) { return (int)(((uint)a & 3u) ^ 2u) - 2; }
static uint burin_wrap_u2(uint a) { return a & 3u; }
static int burin_saturate_i2(int a) { return clamp(a, -2, 1); }
static uint burin_saturate_u2(uint a) { return min(a, 3u); }
static int burin_wrap_i4(int a) { return (int)(((uint)a & 15u) ^ 8u) - 8; }
static uint burin_wrap_u4(uint a) { return a & 15u; }
static int burin_saturate_i4(int a) { return clamp(a, -8, 7); }
static uint burin_saturate_u4(uint a) { return min(a, 15u); }
