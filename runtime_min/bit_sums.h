// SPDX-License-Identifier: MIT-0
// Sums of products of signs, 32 of them in a word, into sums of 32 bits, lane by lane. A factor of
// which some are 0 has two words: which are not, and which of these are negative. The other factor
// has none that is 0. What is counted are products that are negative:
//
//   c[j] += number of ones in present & (negative ^ other)
//
// AVX-512 counts the ones of a vector's lanes by an instruction and has the three operations in
// front as one, both in assembly: compilers do not find the latter. Other machines count the ones
// of bytes, by an instruction (Arm) or by a table of 16 in a register (AVX2), and add bytes; what
// is left takes sums of neighbouring bits.
#ifndef BURIN_RT_BIT_SUMS_H
#define BURIN_RT_BIT_SUMS_H

#include <stdint.h>

#include "dot.h"
#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {
namespace detail {

template <int kLanes>
struct Words {
  typedef uint32_t Lanes __attribute__((vector_size(4u * unsigned{kLanes})));
  Lanes lanes;

  static BURIN_RT_INLINE_MEMBER Words load(const uint32_t* from) {
    Words words;
    __builtin_memcpy(&words.lanes, from, sizeof words.lanes);
    return words;
  }
  static BURIN_RT_INLINE_MEMBER Words all(uint32_t word) { return {Lanes{} + word}; }
};

// The number of ones in each lane.
template <int kLanes>
struct Ones {
  static BURIN_RT_INLINE_MEMBER Words<kLanes> of(Words<kLanes> words) {
    typename Words<kLanes>::Lanes x = words.lanes;
    x -= (x >> 1) & 0x55555555u;
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0fu;
    return {(x * 0x01010101u) >> 24};
  }
};
// present & (negative ^ other)
template <int kLanes>
struct Negatives {
  static BURIN_RT_INLINE_MEMBER Words<kLanes> of(Words<kLanes> present, Words<kLanes> negative,
                                                 Words<kLanes> other) {
    return {present.lanes & (negative.lanes ^ other.lanes)};
  }
};

#if defined(__AVX512F__)
template <>
struct Negatives<16> {
  static BURIN_RT_INLINE_MEMBER Words<16> of(Words<16> present, Words<16> negative,
                                             Words<16> other) {
    // Of the bits of the three as a number, first to last: 5 and 6 give a one.
    __asm__("vpternlogd $0x60, %2, %1, %0"
            : "+v"(present.lanes)
            : "v"(negative.lanes), "v"(other.lanes));
    return present;
  }
};
#endif
#if defined(__AVX512BW__) && !defined(__AVX512VPOPCNTDQ__)
template <>
struct Ones<16> {
  static BURIN_RT_INLINE_MEMBER Words<16> of(Words<16> words) {
    using Lanes = Words<16>::Lanes;
    // The ones of 0 to 15, for each quarter of a vector.
    const Lanes table = {0x02010100u, 0x03020201u, 0x03020201u, 0x04030302u,
                         0x02010100u, 0x03020201u, 0x03020201u, 0x04030302u,
                         0x02010100u, 0x03020201u, 0x03020201u, 0x04030302u,
                         0x02010100u, 0x03020201u, 0x03020201u, 0x04030302u};
    Lanes low = words.lanes & 0x0f0f0f0fu, high = (words.lanes >> 4) & 0x0f0f0f0fu;
    __asm__("vpshufb %0, %1, %0" : "+v"(low) : "v"(table));
    __asm__("vpshufb %0, %1, %0" : "+v"(high) : "v"(table));
    Lanes ones = low + high;  // of each byte: at most 8
    __asm__("vpmaddubsw %1, %0, %0" : "+v"(ones) : "v"(Lanes{} + 0x01010101u));
    __asm__("vpmaddwd %1, %0, %0" : "+v"(ones) : "v"(Lanes{} + 0x00010001u));
    return {ones};
  }
};
#endif
#if defined(__AVX512VPOPCNTDQ__)
template <>
struct Ones<16> {
  static BURIN_RT_INLINE_MEMBER Words<16> of(Words<16> words) {
    __asm__("vpopcntd %0, %0" : "+v"(words.lanes));
    return words;
  }
};
#endif
#if defined(__AVX2__)
template <>
struct Ones<8> {
  typedef uint8_t Bytes __attribute__((vector_size(32)));
  typedef char Chars __attribute__((vector_size(32)));
  typedef int16_t Shorts __attribute__((vector_size(32)));
  static BURIN_RT_INLINE_MEMBER Words<8> of(Words<8> words) {
    const Chars table = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
                         0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    const Words<8>::Lanes low = words.lanes & 0x0f0f0f0fu, high = (words.lanes >> 4) & 0x0f0f0f0fu;
    const Bytes ones =
        reinterpret_cast<Bytes>(__builtin_ia32_pshufb256(table, reinterpret_cast<Chars>(low))) +
        reinterpret_cast<Bytes>(__builtin_ia32_pshufb256(table, reinterpret_cast<Chars>(high)));
    const Shorts pairs = __builtin_ia32_pmaddubsw256(reinterpret_cast<Chars>(ones), Chars{} + 1);
    return {reinterpret_cast<Words<8>::Lanes>(__builtin_ia32_pmaddwd256(pairs, Shorts{} + 1))};
  }
};
#endif
#if defined(__aarch64__)
template <>
struct Ones<4> {
  static BURIN_RT_INLINE_MEMBER Words<4> of(Words<4> words) {
    __asm__("cnt %0.16b, %0.16b\n\tuaddlp %0.8h, %0.16b\n\tuaddlp %0.4s, %0.8h"
            : "+w"(words.lanes));
    return words;
  }
};
#endif

template <int kLanes>
BURIN_RT_INLINE IntVector<kLanes> plus(IntVector<kLanes> c, Words<kLanes> ones) {
  const typename Words<kLanes>::Lanes sum =
      reinterpret_cast<typename Words<kLanes>::Lanes>(c.lanes) + ones.lanes;
  return {reinterpret_cast<typename IntVector<kLanes>::Lanes>(sum)};
}

}  // namespace detail

// `present` and `negative` have lanes, `other` is one word for all of them.
template <int kLanes>
BURIN_RT_INLINE IntVector<kLanes> add_negatives(IntVector<kLanes> c, const uint32_t* present,
                                                const uint32_t* negative, const uint32_t* other) {
  using Words = detail::Words<kLanes>;
  return detail::plus(c, detail::Ones<kLanes>::of(detail::Negatives<kLanes>::of(
                             Words::load(present), Words::load(negative), Words::all(*other))));
}
// `other` has lanes, `present` and `negative` are one word for all of them.
template <int kLanes>
BURIN_RT_INLINE IntVector<kLanes> add_negatives_of(IntVector<kLanes> c, const uint32_t* present,
                                                   const uint32_t* negative,
                                                   const uint32_t* other) {
  using Words = detail::Words<kLanes>;
  return detail::plus(c, detail::Ones<kLanes>::of(detail::Negatives<kLanes>::of(
                             Words::all(*present), Words::all(*negative), Words::load(other))));
}
// c[j] += number of ones in words[j]
template <int kLanes>
BURIN_RT_INLINE IntVector<kLanes> add_ones(IntVector<kLanes> c, const uint32_t* words) {
  return detail::plus(c, detail::Ones<kLanes>::of(detail::Words<kLanes>::load(words)));
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_BIT_SUMS_H
