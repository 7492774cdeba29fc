// Minimum, maximum, absolute value and sign for every arithmetic type. NaN in, NaN out; integers
// wrap.
#ifndef BURIN_RT_ELEMENTARY_H
#define BURIN_RT_ELEMENTARY_H

#include "integer.h"

namespace burin_rt {

// Branch-free: a comparison with NaN is false, so a NaN in `a` is kept by the second test.
template <class T>
static inline T minimum(T a, T b) {
  return ((a < b) | (a != a)) ? a : b;
}
template <class T>
static inline T maximum(T a, T b) {
  return ((a > b) | (a != a)) ? a : b;
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

}  // namespace burin_rt

#endif  // BURIN_RT_ELEMENTARY_H
