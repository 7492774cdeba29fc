// SPDX-License-Identifier: MIT-0
// The coordinates of the elements that are not zero, in row-major order. NaN is not zero, -0 is.
//
// reads      0: X, T[dims]
// writes     0: coordinates, int64[rank, count]; room for rank*capacity
// arguments  0: capacity, 1: rank, 2...: dims
// results    0: count
// scratch    8*rank bytes
// A scalar has rank 1 and one dim of 1. Two passes over X, because count is the pitch of the
// result.
#ifndef BURIN_RT_PROCEDURES_NON_ZERO_H
#define BURIN_RT_PROCEDURES_NON_ZERO_H

#include "../tree.h"
#include "call.h"
#include "order.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

constexpr int64_t non_zero_scratch_bytes(const int64_t* arguments) {
  return arguments[1] > 0 ? 8 * arguments[1] : 0;
}

template <class T>
static inline int32_t non_zero(const ProcedureCall& call) {
  const int64_t capacity = call.arguments[0];
  const int64_t rank = call.arguments[1];
  const int64_t* dims = call.arguments + 2;
  call.results[0] = 0;
  if (capacity < 0 || rank < 1) return kInvalidArgument;
  int64_t elements = 1;
  for (int64_t r = 0; r < rank; ++r) {
    if (!detail::sizes_are_sane(elements, dims[r], 1, 8)) return kInvalidArgument;
    elements *= dims[r];
  }
  const T* x = static_cast<const T*>(call.reads[0]);
  if (elements == 0) return kOk;
  if (x == nullptr) return kNullArgument;
  int64_t count = 0;
  for (int64_t i = 0; i < elements; ++i) count += is_zero(x[i]) ? 0 : 1;
  if (count > capacity) return kCapacityExceeded;
  call.results[0] = count;
  if (count == 0) return kOk;

  int64_t* coordinates = static_cast<int64_t*>(call.writes[0]);
  int64_t* position = static_cast<int64_t*>(call.scratch);
  if (coordinates == nullptr || position == nullptr) return kNullArgument;
  for (int64_t r = 0; r < rank; ++r) position[r] = 0;
  int64_t written = 0;
  for (int64_t i = 0; i < elements; ++i) {
    if (!is_zero(x[i])) {
      for (int64_t r = 0; r < rank; ++r) coordinates[r * count + written] = position[r];
      ++written;
    }
    for (int64_t r = rank - 1; r >= 0; --r) {  // the next position, like an odometer
      if (++position[r] < dims[r]) break;
      position[r] = 0;
    }
  }
  return kOk;
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_PROCEDURES_NON_ZERO_H
