// SPDX-License-Identifier: MIT-0
// Sums of products of bytes or of bfloat16 in a unit for matrices: 16 x 16 of 32 bits in a
// register, several registers at a time,
//   c[i][j] += sum over k < groups, q < n of a[i * pitch_a + n k + q] * b[k * pitch_b + n j + q]
// where n elements have four bytes.
//
// With AMX they lie in registers 0 and following of the unit, so one MatrixSums exists at a time,
// between open_matrix and close_matrix of its thread; what is read has up to 16 rows of up to 64
// bytes. It is written in assembly, because GCC 12 takes numbers of these registers as text only.
// Everywhere else it is plain arithmetic of the same value: products are exact, sums of integers
// wrap. Sums of floats are rounded in another order, and the unit takes what is below 2^-126 for 0.
#ifndef BURIN_RT_MATRIX_H
#define BURIN_RT_MATRIX_H

#include <stddef.h>
#include <stdint.h>

#include "half.h"
#include "status.h"
#include "tree.h"
#include "vec.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

enum { kMatrixRows = 16, kMatrixColumns = 16 };  // of a register

#if defined(__AMX_INT8__) || defined(__AMX_BF16__) || defined(__AMXINT8__) || \
    defined(__AMXBF16__)  // of clang before 17

// Of so many registers, which the type says and nothing holds.
template <int kRows, int kColumns, class Sum = int32_t>
struct MatrixSums {};

namespace detail {

// Which register has what: sums first, then rows of a, then columns of b, which take turns where
// there are more of them than registers. Of one column rows of a take turns.
template <int kRows, int kColumns>
struct MatrixRegisters {
  enum {
    kAll = 8,
    kSums = kRows * kColumns,
    kOfA = kColumns > 1 ? kRows : (kRows < kAll - 1 - kSums ? kRows : kAll - 1 - kSums),
    kOfB = kAll - kSums - kOfA
  };
  static_assert(kOfA > 0 && kOfB > 0, "sums leave no registers");
};
template <int kRows, int kColumns>
constexpr int matrix_sum(int row, int column) {
  return row * kColumns + column;
}
template <int kRows, int kColumns>
constexpr int matrix_a(int row) {
  typedef MatrixRegisters<kRows, kColumns> Registers;
  return Registers::kSums + row % Registers::kOfA;
}
template <int kRows, int kColumns>
constexpr int matrix_b(int column) {
  typedef MatrixRegisters<kRows, kColumns> Registers;
  return Registers::kSums + Registers::kOfA + column % Registers::kOfB;
}

template <int kRegister>
BURIN_RT_INLINE void load_matrix(const void* from, int64_t pitch) {
  __asm__ volatile("tileloadd (%1,%2,1), %%tmm%c0"
                   :
                   : "i"(kRegister), "r"(from), "r"(pitch)
                   : "memory");
}
template <int kSum, int kA, int kB>
BURIN_RT_INLINE void multiply_matrix(const int8_t*, const uint8_t*) {
  __asm__ volatile("tdpbsud %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(kSum), "i"(kA), "i"(kB));
}
template <int kSum, int kA, int kB>
BURIN_RT_INLINE void multiply_matrix(const uint8_t*, const int8_t*) {
  __asm__ volatile("tdpbusd %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(kSum), "i"(kA), "i"(kB));
}
template <int kSum, int kA, int kB>
BURIN_RT_INLINE void multiply_matrix(const uint16_t*, const uint16_t*) {
  __asm__ volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(kSum), "i"(kA), "i"(kB));
}

// One register of sums after the other, rows first.
template <int kRows, int kColumns, int kCount>
struct EachMatrixSum {
  typedef EachMatrixSum<kRows, kColumns, kCount - 1> Before;
  enum { kSum = kCount - 1, kRow = kSum % kRows, kColumn = kSum / kRows };
  static BURIN_RT_INLINE_MEMBER void zero() {
    Before::zero();
    __asm__ volatile("tilezero %%tmm%c0" : : "i"(kSum));
  }
  template <class Sum>
  static BURIN_RT_INLINE_MEMBER void store(Sum* to) {
    Before::store(to);
    Sum* const own = to + kRow * kMatrixRows * kMatrixColumns * kColumns + kColumn * kMatrixColumns;
    __asm__ volatile("tilestored %%tmm%c0, (%1,%2,1)"
                     :
                     : "i"(matrix_sum<kRows, kColumns>(kRow, kColumn)), "r"(own),
                       "r"(int64_t{4} * kMatrixColumns * kColumns)
                     : "memory");
  }
  template <class A, class B>
  static BURIN_RT_INLINE_MEMBER void add(const A* a, int64_t pitch_a, const B* b, int64_t pitch_b) {
    Before::add(a, pitch_a, b, pitch_b);
    enum {
      kOfA = matrix_a<kRows, kColumns>(kRow),
      kOfB = matrix_b<kRows, kColumns>(kColumn),
      kOfSum = matrix_sum<kRows, kColumns>(kRow, kColumn)
    };
    enum { kBytes = sizeof(A), kGroup = 4 / kBytes };
    if (kRow == 0) load_matrix<kOfB>(b + kColumn * kMatrixColumns * kGroup, kBytes * pitch_b);
    if (kColumn == 0) load_matrix<kOfA>(a + kRow * kMatrixRows * pitch_a, kBytes * pitch_a);
    multiply_matrix<kOfSum, kOfA, kOfB>(a, b);
  }
};
template <int kRows, int kColumns>
struct EachMatrixSum<kRows, kColumns, 0> {
  static BURIN_RT_INLINE_MEMBER void zero() {}
  template <class Sum>
  static BURIN_RT_INLINE_MEMBER void store(Sum*) {}
  template <class A, class B>
  static BURIN_RT_INLINE_MEMBER void add(const A*, int64_t, const B*, int64_t) {}
};

// The shape of each register, as the unit reads it.
struct MatrixShapes {
  uint8_t palette, start_row, reserved[14];
  uint16_t row_bytes[16];
  uint8_t rows[16];
};

// Linux gives a process the unit when it asks for it; once is enough. Whether it does.
BURIN_RT_INLINE bool ask_for_matrix() {
#if defined(__linux__) && defined(__x86_64__)
  static int answered;  // 1: it did, 2: it did not
  const int before = __atomic_load_n(&answered, __ATOMIC_RELAXED);
  if (before != 0) return before == 1;
  enum { kArchPrctl = 158, kRequestPermission = 0x1023, kTileData = 18 };
  int64_t result = kArchPrctl;
  __asm__ volatile("syscall"
                   : "+a"(result)
                   : "D"(int64_t{kRequestPermission}), "S"(int64_t{kTileData})
                   : "rcx", "r11", "memory");
  __atomic_store_n(&answered, result == 0 ? 1 : 2, __ATOMIC_RELAXED);
  return result == 0;
#else
  return true;
#endif
}

}  // namespace detail

// Before a tree uses the unit.
BURIN_RT_INLINE int32_t matrix_status() { return detail::ask_for_matrix() ? kOk : kUnitRefused; }

// For groups of a and b in so many steps: up to 16.
template <int kRows, int kColumns>
BURIN_RT_INLINE void open_matrix(int64_t groups) {
  typedef detail::MatrixRegisters<kRows, kColumns> Registers;
  detail::ask_for_matrix();
  detail::MatrixShapes shapes = {1, 0, {}, {}, {}};
  for (int i = 0; i < Registers::kAll; ++i) {
    const bool of_b = i >= Registers::kSums + Registers::kOfA,
               of_a = !of_b && i >= Registers::kSums;
    shapes.rows[i] = of_b ? static_cast<uint8_t>(groups) : uint8_t{kMatrixRows};
    shapes.row_bytes[i] = of_a ? static_cast<uint16_t>(4 * groups) : uint16_t{4 * kMatrixColumns};
  }
  __asm__ volatile("ldtilecfg %0" : : "m"(shapes));
}
BURIN_RT_INLINE void close_matrix() { __asm__ volatile("tilerelease"); }

template <int kRows, int kColumns, class Sum>
BURIN_RT_INLINE void zero_matrix(MatrixSums<kRows, kColumns, Sum>&) {
  detail::EachMatrixSum<kRows, kColumns, kRows * kColumns>::zero();
}
template <int kRows, int kColumns, class Sum>
BURIN_RT_INLINE void store_matrix(Sum* to, const MatrixSums<kRows, kColumns, Sum>&) {
  detail::EachMatrixSum<kRows, kColumns, kRows * kColumns>::store(to);
}
template <int kRows, int kColumns, class Sum, class A, class B>
BURIN_RT_INLINE void add_matrix(MatrixSums<kRows, kColumns, Sum>&, const A* a, const B* b, int64_t,
                                int64_t pitch_a, int64_t pitch_b) {
  detail::EachMatrixSum<kRows, kColumns, kRows * kColumns>::add(a, pitch_a, b, pitch_b);
}

#else

template <int kRows, int kColumns, class Sum = int32_t>
struct MatrixSums {
  Sum sums[size_t{kRows * kMatrixRows}][size_t{kColumns * kMatrixColumns}];
};

BURIN_RT_INLINE int32_t matrix_status() { return kOk; }

template <int kRows, int kColumns>
BURIN_RT_INLINE void open_matrix(int64_t) {}
BURIN_RT_INLINE void close_matrix() {}

namespace detail {

template <class A, class B>
BURIN_RT_INLINE int32_t with_product(int32_t sum, A a, B b) {
  return static_cast<int32_t>(static_cast<uint32_t>(sum) +
                              static_cast<uint32_t>(int32_t{a} * int32_t{b}));
}
BURIN_RT_INLINE float with_product(float sum, uint16_t a, uint16_t b) {
  return sum + bf16_to_f32(a) * bf16_to_f32(b);
}

}  // namespace detail

template <int kRows, int kColumns, class Sum>
BURIN_RT_INLINE void zero_matrix(MatrixSums<kRows, kColumns, Sum>& c) {
  for (auto& row : c.sums) {
    for (Sum& sum : row) sum = 0;
  }
}
template <int kRows, int kColumns, class Sum>
BURIN_RT_INLINE void store_matrix(Sum* to, const MatrixSums<kRows, kColumns, Sum>& c) {
  for (const auto& row : c.sums) {
    for (const Sum sum : row) *to++ = sum;
  }
}
template <int kRows, int kColumns, class Sum, class A, class B>
BURIN_RT_INLINE void add_matrix(MatrixSums<kRows, kColumns, Sum>& c, const A* a, const B* b,
                                int64_t groups, int64_t pitch_a, int64_t pitch_b) {
  enum { kGroup = 4 / sizeof(A) };
  for (int i = 0; i < kRows * kMatrixRows; ++i) {
    for (int64_t k = 0; k < groups; ++k) {
      const A* const group = a + i * pitch_a + kGroup * k;
      const B* const columns = b + k * pitch_b;
      for (int j = 0; j < kColumns * kMatrixColumns; ++j) {
        Sum sum = c.sums[i][j];
        for (int q = 0; q < kGroup; ++q)
          sum = detail::with_product(sum, group[q], columns[kGroup * j + q]);
        c.sums[i][j] = sum;
      }
    }
  }
}

#endif

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_MATRIX_H
