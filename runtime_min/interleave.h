// SPDX-License-Identifier: MIT-0
// Rows of floats that lie apart become one, element after element, and back: phases of a stride.
#ifndef BURIN_RT_INTERLEAVE_H
#define BURIN_RT_INTERLEAVE_H

#include <stddef.h>

#include "tree.h"
#include "vec.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

#if defined(__clang__)
#define BURIN_RT_SHUFFLED(a, b, lanes, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
template <int kLanes>
struct Places {
  typedef int Type __attribute__((vector_size(4u * unsigned{kLanes})));
};
#define BURIN_RT_SHUFFLED(a, b, lanes, ...) \
  __builtin_shuffle(a, b, typename Places<lanes>::Type{__VA_ARGS__})
#endif

// Of two vectors: element after element in two, and those of even and of odd places.
template <int kLanes>
struct Pair {
  FloatVector<kLanes, true> first, second;
};
template <int kLanes>
struct Shuffles;
template <>
struct Shuffles<4> {
  using Vector = FloatVector<4, true>;
  static BURIN_RT_INLINE_MEMBER Pair<4> mixed(Vector a, Vector b) {
    return {{BURIN_RT_SHUFFLED(a.lanes, b.lanes, 4, 0, 4, 1, 5)},
            {BURIN_RT_SHUFFLED(a.lanes, b.lanes, 4, 2, 6, 3, 7)}};
  }
  static BURIN_RT_INLINE_MEMBER Pair<4> parted(Vector a, Vector b) {
    return {{BURIN_RT_SHUFFLED(a.lanes, b.lanes, 4, 0, 2, 4, 6)},
            {BURIN_RT_SHUFFLED(a.lanes, b.lanes, 4, 1, 3, 5, 7)}};
  }
};
#if defined(__AVX__)
template <>
struct Shuffles<8> {
  using Vector = FloatVector<8, true>;
  static BURIN_RT_INLINE_MEMBER Pair<8> mixed(Vector a, Vector b) {
    return {{BURIN_RT_SHUFFLED(a.lanes, b.lanes, 8, 0, 8, 1, 9, 2, 10, 3, 11)},
            {BURIN_RT_SHUFFLED(a.lanes, b.lanes, 8, 4, 12, 5, 13, 6, 14, 7, 15)}};
  }
  static BURIN_RT_INLINE_MEMBER Pair<8> parted(Vector a, Vector b) {
    return {{BURIN_RT_SHUFFLED(a.lanes, b.lanes, 8, 0, 2, 4, 6, 8, 10, 12, 14)},
            {BURIN_RT_SHUFFLED(a.lanes, b.lanes, 8, 1, 3, 5, 7, 9, 11, 13, 15)}};
  }
};
#endif
#if defined(__AVX512F__)
template <>
struct Shuffles<16> {
  using Vector = FloatVector<16, true>;
  static BURIN_RT_INLINE_MEMBER Pair<16> mixed(Vector a, Vector b) {
    return {{BURIN_RT_SHUFFLED(a.lanes, b.lanes, 16, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6,
                               22, 7, 23)},
            {BURIN_RT_SHUFFLED(a.lanes, b.lanes, 16, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29,
                               14, 30, 15, 31)}};
  }
  static BURIN_RT_INLINE_MEMBER Pair<16> parted(Vector a, Vector b) {
    return {{BURIN_RT_SHUFFLED(a.lanes, b.lanes, 16, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24,
                               26, 28, 30)},
            {BURIN_RT_SHUFFLED(a.lanes, b.lanes, 16, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25,
                               27, 29, 31)}};
  }
};
#endif
#undef BURIN_RT_SHUFFLED

// Element by element, where there is no better way.
template <int kWays, int kLanes, bool kInRegisters>
struct Interleave {
  static BURIN_RT_INLINE_MEMBER void together(float* to, const float* from, ptrdiff_t pitch) {
    for (int j = 0; j < kLanes; ++j) {
      for (int k = 0; k < kWays; ++k) to[kWays * j + k] = from[pitch * k + j];
    }
  }
  static BURIN_RT_INLINE_MEMBER void apart(float* to, const float* from, ptrdiff_t pitch) {
    for (int j = 0; j < kLanes; ++j) {
      for (int k = 0; k < kWays; ++k) to[pitch * k + j] = from[kWays * j + k];
    }
  }
};
template <int kLanes>
struct Interleave<2, kLanes, true> {
  static BURIN_RT_INLINE_MEMBER void together(float* to, const float* from, ptrdiff_t pitch) {
    const Pair<kLanes> all =
        Shuffles<kLanes>::mixed(load<kLanes>(from), load<kLanes>(from + pitch));
    store(to, all.first);
    store(to + kLanes, all.second);
  }
  static BURIN_RT_INLINE_MEMBER void apart(float* to, const float* from, ptrdiff_t pitch) {
    const Pair<kLanes> all =
        Shuffles<kLanes>::parted(load<kLanes>(from), load<kLanes>(from + kLanes));
    store(to, all.first);
    store(to + pitch, all.second);
  }
};
template <int kLanes>
struct Interleave<4, kLanes, true> {
  static BURIN_RT_INLINE_MEMBER void together(float* to, const float* from, ptrdiff_t pitch) {
    using S = Shuffles<kLanes>;
    const Pair<kLanes> even = S::mixed(load<kLanes>(from), load<kLanes>(from + 2 * pitch)),
                       odd = S::mixed(load<kLanes>(from + pitch), load<kLanes>(from + 3 * pitch)),
                       low = S::mixed(even.first, odd.first),
                       high = S::mixed(even.second, odd.second);
    store(to, low.first);
    store(to + kLanes, low.second);
    store(to + 2 * kLanes, high.first);
    store(to + 3 * kLanes, high.second);
  }
  static BURIN_RT_INLINE_MEMBER void apart(float* to, const float* from, ptrdiff_t pitch) {
    using S = Shuffles<kLanes>;
    const Pair<kLanes> low = S::parted(load<kLanes>(from), load<kLanes>(from + kLanes)),
                       high = S::parted(load<kLanes>(from + 2 * kLanes),
                                        load<kLanes>(from + 3 * kLanes)),
                       even = S::parted(low.first, high.first),
                       odd = S::parted(low.second, high.second);
    store(to, even.first);
    store(to + pitch, odd.first);
    store(to + 2 * pitch, even.second);
    store(to + 3 * pitch, odd.second);
  }
};

// Vectors of so many lanes are one register, of several.
template <int kLanes>
struct IsRegister {
  static constexpr bool kIs = kLanes > 1 && kLanes <= kRegisterLanes;
};

}  // namespace detail

// to[ways * j + k] = from[pitch * k + j]
template <int kWays, int kLanes>
BURIN_RT_INLINE void interleave(float* to, const float* from, ptrdiff_t pitch) {
  detail::Interleave<kWays, kLanes, detail::IsRegister<kLanes>::kIs>::together(to, from, pitch);
}
// to[pitch * k + j] = from[ways * j + k]
template <int kWays, int kLanes>
BURIN_RT_INLINE void deinterleave(float* to, const float* from, ptrdiff_t pitch) {
  detail::Interleave<kWays, kLanes, detail::IsRegister<kLanes>::kIs>::apart(to, from, pitch);
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_INTERLEAVE_H
