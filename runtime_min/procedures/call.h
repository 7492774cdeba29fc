// SPDX-License-Identifier: MIT-0
// The calling convention of procedures: operations that are not loop nests (sorting, selection,
// compaction).
//
// A procedure is `template <class T> int32_t name(const ProcedureCall&)`. It reads `reads`, writes
// `writes`, takes integers in `arguments`, leaves integers (counts of what it wrote) in `results`,
// and may use `scratch`, of at least name_scratch_bytes(arguments) bytes, aligned to 8. It returns
// a Status, and on anything but kOk the contents of `writes` are unspecified, though never written
// beyond the capacities in `arguments`. Procedures are deterministic, allocate nothing and do not
// recurse.
//
// Tensors are dense and row-major. A tensor of any rank is seen from one axis as [outer, axis,
// inner]. Booleans are bytes, 0 or not 0. Floating-point arguments travel as bits in the low half
// of an integer.
#ifndef BURIN_RT_PROCEDURES_CALL_H
#define BURIN_RT_PROCEDURES_CALL_H

#include <stddef.h>
#include <stdint.h>

#include "../status.h"
#include "../tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

struct ProcedureCall {
  const void* const* reads;
  void* const* writes;
  const int64_t* arguments;
  int64_t* results;
  void* scratch;
};

namespace detail {

// True if a, b, c are not negative and a*b*c*unit fits in 62 bits.
static inline bool sizes_are_sane(int64_t a, int64_t b, int64_t c, int64_t unit) {
  if (a < 0 || b < 0 || c < 0) return false;
  int64_t left = INT64_MAX / 2 / unit;
  const int64_t factors[3] = {a, b, c};
  for (int i = 0; i < 3; ++i) {
    if (factors[i] == 0) return true;
    if (factors[i] > left) return false;
    left /= factors[i];
  }
  return true;
}

static inline void copy_bytes(void* to, const void* from, int64_t bytes) {
  if (bytes > 0) __builtin_memcpy(to, from, static_cast<size_t>(bytes));
}

}  // namespace detail
}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_PROCEDURES_CALL_H
