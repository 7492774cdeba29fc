// SPDX-License-Identifier: MIT-0
// Total orders of element types, and sorting of index lists by them without recursion or extra
// memory.
//
// Numbers compare by value (-0 equals +0); NaN equals NaN and is larger than every number, as NumPy
// sorts. Heapsort: O(n log n) comparisons always. It is not stable, so callers break ties by index,
// which makes the result unique.
#ifndef BURIN_RT_PROCEDURES_ORDER_H
#define BURIN_RT_PROCEDURES_ORDER_H

#include "../bits.h"
#include "../half.h"
#include "../tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

// Sixteen-bit floats as element types of procedures.
struct F16 {
  uint16_t bits;
};
struct BF16 {
  uint16_t bits;
};

// A value that compares with < and ==.
template <class T>
static inline T ordered(T x) {
  return x;
}
static inline float ordered(F16 x) { return f16_to_f32(x.bits); }
static inline float ordered(BF16 x) { return bf16_to_f32(x.bits); }

// -1, 0 or 1 as a is less than, equal to or greater than b.
template <class T>
static inline int compare(const T& a, const T& b) {
  const auto x = ordered(a);
  const auto y = ordered(b);
  if (x < y) return -1;
  if (y < x) return 1;
  const bool x_nan = !(x == x);
  const bool y_nan = !(y == y);
  return static_cast<int>(x_nan) - static_cast<int>(y_nan);
}

template <class T>
static inline bool is_zero(const T& a) {
  const auto x = ordered(a);
  return x == static_cast<decltype(ordered(a))>(0);
}

// A number that orders as compare() does, of a type that has no more values than that.
template <class T>
constexpr bool kHasRank = sizeof(T) <= 4;

template <class T>
static inline uint32_t rank_of(T x) {
  constexpr bool is_signed = static_cast<T>(-1) < static_cast<T>(0);
  return static_cast<uint32_t>(x) ^ (is_signed ? UINT32_C(0x80000000) : 0);
}
static inline uint32_t rank_of(float x) {
  if (!(x == x)) return UINT32_C(0xffffffff);
  const uint32_t bits = x == 0.0f ? 0 : to_bits(x);  // of -0 those of 0
  return (bits >> 31) != 0 ? ~bits : bits | UINT32_C(0x80000000);
}
static inline uint32_t rank_of(F16 x) { return rank_of(ordered(x)); }
static inline uint32_t rank_of(BF16 x) { return rank_of(ordered(x)); }

// Rank and place as one entry of a list. Comparing two of them takes neither a branch nor what they
// stand for: the larger rank comes first, of equal ones the lower place.
constexpr int64_t kMostPlaces = int64_t{1} << 32;

static inline int64_t ranked(uint32_t rank, int64_t place) {
  return static_cast<int64_t>(uint64_t{rank} << 32 |
                              (UINT32_C(0xffffffff) - static_cast<uint32_t>(place)));
}
static inline int64_t place_of(int64_t entry) {
  return int64_t{UINT32_C(0xffffffff) - static_cast<uint32_t>(entry)};
}
struct RankedFirst {
  bool operator()(int64_t a, int64_t b) const {
    return static_cast<uint64_t>(a) > static_cast<uint64_t>(b);
  }
};

// Moves the entry at `root` down until no child comes after it; `before` is a strict total order of
// entries.
template <class Before>
static inline void sift_down(int64_t* heap, int64_t n, int64_t root, const Before& before) {
  const int64_t moving = heap[root];
  for (;;) {
    int64_t child = 2 * root + 1;
    if (child >= n) break;
    // The last child may have no neighbour: it is its own then.
    const int64_t next = child + (child + 1 < n);
    child = before(heap[child], heap[next]) ? next : child;
    if (!before(moving, heap[child])) break;
    heap[root] = heap[child];
    root = child;
  }
  heap[root] = moving;
}

// Makes heap[0] the entry that comes last.
template <class Before>
static inline void make_heap(int64_t* heap, int64_t n, const Before& before) {
  for (int64_t root = n / 2; root-- > 0;) sift_down(heap, n, root, before);
}

// Turns such a heap into a list in order.
template <class Before>
static inline void sort_heap(int64_t* heap, int64_t n, const Before& before) {
  for (int64_t last = n - 1; last > 0; --last) {
    const int64_t largest = heap[0];
    heap[0] = heap[last];
    heap[last] = largest;
    sift_down(heap, last, 0, before);
  }
}

template <class Before>
static inline void sort_indices(int64_t* indices, int64_t n, const Before& before) {
  make_heap(indices, n, before);
  sort_heap(indices, n, before);
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_PROCEDURES_ORDER_H
