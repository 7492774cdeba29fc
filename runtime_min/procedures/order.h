// Total orders of element types, and sorting of index lists by them without recursion or extra
// memory.
//
// Numbers compare by value (-0 equals +0); NaN equals NaN and is larger than every number, as NumPy
// sorts. Heapsort: O(n log n) comparisons always. It is not stable, so callers break ties by index,
// which makes the result unique.
#ifndef BURIN_RT_PROCEDURES_ORDER_H
#define BURIN_RT_PROCEDURES_ORDER_H

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

// Moves the entry at `root` down until no child comes after it; `before` is a strict total order of
// entries.
template <class Before>
static inline void sift_down(int64_t* heap, int64_t n, int64_t root, const Before& before) {
  const int64_t moving = heap[root];
  for (;;) {
    int64_t child = 2 * root + 1;
    if (child >= n) break;
    if (child + 1 < n && before(heap[child], heap[child + 1])) ++child;
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
