// What rows of exponents of bytes are made of (exponent_rows.h): the kernel's parts, entries in
// fixed point with what exponents stray from them, the line that makes shares of them.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "kernel/kernel.h"
#include "select/bytes/run_line.h"

namespace burin {

inline constexpr int kEntries = 256;
inline constexpr int kEntryBits = 23, kPlanes = 3;  // of an entry of 1; bytes of it
inline constexpr int kWindow = 2 * kEntries;        // entries, then as many that nobody asks for

struct ExponentRow {
  int axis = -1;
  Expr load, of_byte;                    // x, g(x)
  RunLine line;                          // of the exponent
  double strays = 0;                     // a part of an exponent
  std::vector<int32_t> entries;          // of m - x
  ValueId words = kNoValue;              // the last entry first, as isa/byte_rows.h reads words
  ValueId planes[kPlanes] = {kNoValue};  // the same by bytes, with room behind
};

// nullopt: the kernel is something else. Constants are appended.
std::optional<ExponentRow> find_exponent_row(const Kernel& kernel, std::vector<Value>& values);

// The numbers of a line of entries, as expressions of a factor, an offset and `most` in f32.
struct ShareLine {
  Expr shift, factor, offset, near, least, greatest;
};
ShareLine share_line(const ExponentRow& row, int64_t length, const Expr& factor, const Expr& offset,
                     const Expr& most);

// How far from the end of a byte the position of one entry, a word, is in doubt: the reach of its
// own share, where `near` of the line is twice that of the greatest one.
Expr reach_of_entry(const ExponentRow& row, int64_t length, const Expr& word, const Expr& most);

// The sum of entries, of those of its bytes.
Expr sum_of_planes(const std::function<Expr(int plane)>& total);

// Below it 16 bits hold the reach of `most`.
inline constexpr double kMostShare = 1000;  // in bytes

}  // namespace burin
