// SPDX-License-Identifier: MIT-0
// Minimum, maximum, absolute value and sign for every arithmetic type. NaN in, NaN out; integers
// wrap.
#ifndef BURIN_RT_ELEMENTARY_H
#define BURIN_RT_ELEMENTARY_H

#include "bits.h"
#include "integer.h"
#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

template <class T>
static inline T minimum(T a, T b) {
  return a < b ? a : b;
}
template <class T>
static inline T maximum(T a, T b) {
  return a > b ? a : b;
}
#if defined(__hexagon__)
// clang makes sfmin and sfmax of every choice between two floats that it recognises, and these
// prefer a number to a NaN. It cannot see through this test.
static inline bool is_nan_unseen(float a) {
  uint32_t nan = a != a;
  __asm__("" : "+r"(nan));
  return nan != 0;
}
static inline float minimum(float a, float b) {
  return is_nan_unseen(a) ? a : is_nan_unseen(b) ? b : a < b ? a : b;
}
static inline float maximum(float a, float b) {
  return is_nan_unseen(a) ? a : is_nan_unseen(b) ? b : a > b ? a : b;
}
#else
// Floats choose by masks (see bits.h): `!(a >= b)` holds for a NaN too, and the test of b vanishes
// for a constant.
static inline float minimum(float a, float b) { return select(b != b, b, select(!(a >= b), a, b)); }
static inline float maximum(float a, float b) { return select(b != b, b, select(!(a <= b), a, b)); }
#endif
static inline double minimum(double a, double b) {
  return select(b != b, b, select(!(a >= b), a, b));
}
static inline double maximum(double a, double b) {
  return select(b != b, b, select(!(a <= b), a, b));
}
template <class I>
static inline I absolute(I a) {
  return a < 0 ? negate_wrap(a) : a;
}
static inline float absolute(float a) { return __builtin_fabsf(a); }
static inline double absolute(double a) { return __builtin_fabs(a); }
// -1, 0 or 1; NaN stays NaN, and a zero keeps its sign.
template <class T>
static inline T sign(T a) {
  return a > T{0} ? T{1} : a < T{0} ? static_cast<T>(-1) : a;
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_ELEMENTARY_H
