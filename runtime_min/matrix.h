// SPDX-License-Identifier: MIT-0
// Sums of products of bytes in a unit for matrices: 16 x 16 of 32 bits in a register, several
// registers at a time,
//   c[i][j] += sum over k < groups, q < 4 of a[i * pitch_a + 4 k + q] * b[k * pitch_b + 4 j + q]
//
// With AMX they lie in registers 0 and following of the unit, so one MatrixSums exists at a time,
// between open_matrix and close_matrix of its thread; what is read has up to 16 rows of up to 64
// bytes. It is written in assembly, because GCC 12 takes numbers of these registers as text only.
// Everywhere else it is plain arithmetic of the same value: products are exact, sums wrap.
#ifndef BURIN_RT_MATRIX_H
#define BURIN_RT_MATRIX_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"
#include "tree.h"
#include "vec.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

enum { kMatrixRows = 16, kMatrixColumns = 16 };  // of a register

#if defined(__AMX_INT8__) || defined(__AMXINT8__)  // of clang before 17

// Of so many registers, which the type says and nothing holds.
template <int kRows, int kColumns>
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

// One register of sums after the other, rows first.
template <int kRows, int kColumns, int kCount>
struct EachMatrixSum {
  typedef EachMatrixSum<kRows, kColumns, kCount - 1> Before;
  enum { kSum = kCount - 1, kRow = kSum % kRows, kColumn = kSum / kRows };
  static BURIN_RT_INLINE_MEMBER void zero() {
    Before::zero();
    __asm__ volatile("tilezero %%tmm%c0" : : "i"(kSum));
  }
  static BURIN_RT_INLINE_MEMBER void store(int32_t* to) {
    Before::store(to);
    int32_t* const own =
        to + kRow * kMatrixRows * kMatrixColumns * kColumns + kColumn * kMatrixColumns;
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
    if (kRow == 0) load_matrix<kOfB>(b + kColumn * kMatrixColumns * 4, pitch_b);
    if (kColumn == 0) load_matrix<kOfA>(a + kRow * kMatrixRows * pitch_a, pitch_a);
    multiply_matrix<kOfSum, kOfA, kOfB>(a, b);
  }
};
template <int kRows, int kColumns>
struct EachMatrixSum<kRows, kColumns, 0> {
  static BURIN_RT_INLINE_MEMBER void zero() {}
  static BURIN_RT_INLINE_MEMBER void store(int32_t*) {}
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

template <int kRows, int kColumns>
BURIN_RT_INLINE void zero_matrix(MatrixSums<kRows, kColumns>&) {
  detail::EachMatrixSum<kRows, kColumns, kRows * kColumns>::zero();
}
template <int kRows, int kColumns>
BURIN_RT_INLINE void store_matrix(int32_t* to, const MatrixSums<kRows, kColumns>&) {
  detail::EachMatrixSum<kRows, kColumns, kRows * kColumns>::store(to);
}
template <int kRows, int kColumns, class A, class B>
BURIN_RT_INLINE void add_matrix(MatrixSums<kRows, kColumns>&, const A* a, const B* b, int64_t,
                                int64_t pitch_a, int64_t pitch_b) {
  detail::EachMatrixSum<kRows, kColumns, kRows * kColumns>::add(a, pitch_a, b, pitch_b);
}

#else

template <int kRows, int kColumns>
struct MatrixSums {
  int32_t sums[size_t{kRows * kMatrixRows}][size_t{kColumns * kMatrixColumns}];
};

BURIN_RT_INLINE int32_t matrix_status() { return kOk; }

template <int kRows, int kColumns>
BURIN_RT_INLINE void open_matrix(int64_t) {}
BURIN_RT_INLINE void close_matrix() {}

template <int kRows, int kColumns>
BURIN_RT_INLINE void zero_matrix(MatrixSums<kRows, kColumns>& c) {
  for (auto& row : c.sums) {
    for (int32_t& sum : row) sum = 0;
  }
}
template <int kRows, int kColumns>
BURIN_RT_INLINE void store_matrix(int32_t* to, const MatrixSums<kRows, kColumns>& c) {
  for (const auto& row : c.sums) {
    for (const int32_t sum : row) *to++ = sum;
  }
}
template <int kRows, int kColumns, class A, class B>
BURIN_RT_INLINE void add_matrix(MatrixSums<kRows, kColumns>& c, const A* a, const B* b,
                                int64_t groups, int64_t pitch_a, int64_t pitch_b) {
  for (int i = 0; i < kRows * kMatrixRows; ++i) {
    for (int64_t k = 0; k < groups; ++k) {
      const A* const group = a + i * pitch_a + 4 * k;
      const B* const columns = b + k * pitch_b;
      for (int j = 0; j < kColumns * kMatrixColumns; ++j) {
        uint32_t sum = static_cast<uint32_t>(c.sums[i][j]);
        for (int q = 0; q < 4; ++q)
          sum += static_cast<uint32_t>(int32_t{group[q]} * int32_t{columns[4 * j + q]});
        c.sums[i][j] = static_cast<int32_t>(sum);
      }
    }
  }
}

#endif

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_MATRIX_H
