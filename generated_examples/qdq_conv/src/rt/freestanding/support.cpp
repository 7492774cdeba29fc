// SPDX-License-Identifier: MIT-0
// The functions that compilers call by themselves, for targets without a C library. Add this file
// to a freestanding build and to no other: in a hosted program it would replace the C library's
// memcpy.
//
// Everywhere: memcpy, memmove, memset, memcmp.
// Hexagon (clang 19, v66 and later; found by compiling every operation at -O0, -O2 and -Os):
//   __hexagon_{u,}div{si,di}3, __hexagon_{u,}mod{si,di}3    integer division
//   __hexagon_muldf3 (v66), __hexagon_divdf3                 double multiplication and division
//   __hexagon_divsf3 (-Os)                                   float division
//   __hexagon_memcpy_likely_aligned_min32bytes_mult8bytes    copies of known size and alignment
// All are weak: a platform's own are preferred. Not covered: register save routines that -Os and
// -Oz call (build with -O2), half-precision types (emitted code does not use them), and targets
// without any floating-point unit.
#include "division.h"
#include "soft_float.h"

#define BURIN_RT_EXPORT extern "C" __attribute__((weak))
// A loop that copies must not be turned into a call of the function that it is.
#if defined(__clang__)
#define BURIN_RT_LOOP __attribute__((no_builtin("memcpy", "memmove", "memset", "memcmp")))
#else
#define BURIN_RT_LOOP __attribute__((optimize("no-tree-loop-distribute-patterns")))
#endif

namespace {

typedef uint64_t __attribute__((may_alias)) Word;

BURIN_RT_LOOP void copy_upwards(unsigned char* to, const unsigned char* from, size_t n) {
  const uintptr_t apart = reinterpret_cast<uintptr_t>(to) ^ reinterpret_cast<uintptr_t>(from);
  if ((apart & 7u) == 0) {
    while (n != 0 && (reinterpret_cast<uintptr_t>(to) & 7u) != 0) {
      *to++ = *from++;
      --n;
    }
    for (; n >= 8; n -= 8) {
      *reinterpret_cast<Word*>(to) = *reinterpret_cast<const Word*>(from);
      to += 8;
      from += 8;
    }
  }
  for (; n != 0; --n) *to++ = *from++;
}

BURIN_RT_LOOP void copy_downwards(unsigned char* to, const unsigned char* from, size_t n) {
  while (n != 0) {
    --n;
    to[n] = from[n];
  }
}

}  // namespace

BURIN_RT_EXPORT BURIN_RT_LOOP void* memcpy(void* to, const void* from, size_t n) {
  copy_upwards(static_cast<unsigned char*>(to), static_cast<const unsigned char*>(from), n);
  return to;
}

BURIN_RT_EXPORT BURIN_RT_LOOP void* memmove(void* to, const void* from, size_t n) {
  const uintptr_t ahead = reinterpret_cast<uintptr_t>(to) - reinterpret_cast<uintptr_t>(from);
  if (ahead >= n) {  // `to` is below `from`, or beyond its end
    copy_upwards(static_cast<unsigned char*>(to), static_cast<const unsigned char*>(from), n);
  } else {
    copy_downwards(static_cast<unsigned char*>(to), static_cast<const unsigned char*>(from), n);
  }
  return to;
}

BURIN_RT_EXPORT BURIN_RT_LOOP void* memset(void* to, int value, size_t n) {
  unsigned char* p = static_cast<unsigned char*>(to);
  const unsigned char byte = static_cast<unsigned char>(value);
  while (n != 0 && (reinterpret_cast<uintptr_t>(p) & 7u) != 0) {
    *p++ = byte;
    --n;
  }
  const uint64_t word = 0x0101010101010101u * byte;
  for (; n >= 8; n -= 8) {
    *reinterpret_cast<Word*>(p) = word;
    p += 8;
  }
  for (; n != 0; --n) *p++ = byte;
  return to;
}

BURIN_RT_EXPORT BURIN_RT_LOOP int memcmp(const void* a, const void* b, size_t n) {
  const unsigned char* x = static_cast<const unsigned char*>(a);
  const unsigned char* y = static_cast<const unsigned char*>(b);
  for (size_t i = 0; i < n; ++i) {
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  }
  return 0;
}

#if defined(__hexagon__)

using burin_rt::detail::divide_signed;
using burin_rt::detail::divide_unsigned;

BURIN_RT_EXPORT void* __hexagon_memcpy_likely_aligned_min32bytes_mult8bytes(void* to,
                                                                            const void* from,
                                                                            size_t n) {
  copy_upwards(static_cast<unsigned char*>(to), static_cast<const unsigned char*>(from), n);
  return to;
}

BURIN_RT_EXPORT uint32_t __hexagon_udivsi3(uint32_t a, uint32_t b) {
  return divide_unsigned(a, b).quotient;
}
BURIN_RT_EXPORT uint32_t __hexagon_umodsi3(uint32_t a, uint32_t b) {
  return divide_unsigned(a, b).remainder;
}
BURIN_RT_EXPORT uint32_t __hexagon_divsi3(uint32_t a, uint32_t b) {
  return divide_signed(a, b).quotient;
}
BURIN_RT_EXPORT uint32_t __hexagon_modsi3(uint32_t a, uint32_t b) {
  return divide_signed(a, b).remainder;
}
BURIN_RT_EXPORT uint64_t __hexagon_udivdi3(uint64_t a, uint64_t b) {
  return divide_unsigned(a, b).quotient;
}
BURIN_RT_EXPORT uint64_t __hexagon_umoddi3(uint64_t a, uint64_t b) {
  return divide_unsigned(a, b).remainder;
}
BURIN_RT_EXPORT uint64_t __hexagon_divdi3(uint64_t a, uint64_t b) {
  return divide_signed(a, b).quotient;
}
BURIN_RT_EXPORT uint64_t __hexagon_moddi3(uint64_t a, uint64_t b) {
  return divide_signed(a, b).remainder;
}

BURIN_RT_EXPORT double __hexagon_muldf3(double a, double b) {
  return burin_rt::f64_from_bits(
      burin_rt::detail::multiply_f64(burin_rt::to_bits(a), burin_rt::to_bits(b)));
}
BURIN_RT_EXPORT double __hexagon_divdf3(double a, double b) {
  return burin_rt::f64_from_bits(
      burin_rt::detail::divide_f64(burin_rt::to_bits(a), burin_rt::to_bits(b)));
}
BURIN_RT_EXPORT float __hexagon_divsf3(float a, float b) {
  return burin_rt::f32_from_bits(
      burin_rt::detail::divide_f32(burin_rt::to_bits(a), burin_rt::to_bits(b)));
}

#endif  // __hexagon__
