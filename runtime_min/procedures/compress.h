// SPDX-License-Identifier: MIT-0
// The slices along an axis for which a condition holds, in order.
//
// reads      0: X, T[outer, axis, inner]; 1: condition, byte[length]
// writes     0: Y, T[outer, count, inner]; room for outer*capacity*inner
// arguments  0: capacity, 1: outer, 2: axis, 3: inner, 4: length
// results    0: count
// scratch    none
// A condition may be shorter than the axis; what it does not cover is dropped. A longer one is
// refused. T only has to have the right size: any type of that size will do.
#ifndef BURIN_RT_PROCEDURES_COMPRESS_H
#define BURIN_RT_PROCEDURES_COMPRESS_H

#include "../tree.h"
#include "call.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

constexpr int64_t compress_scratch_bytes(const int64_t*) { return 0; }

template <class T>
static inline int32_t compress(const ProcedureCall& call) {
  const int64_t capacity = call.arguments[0];
  const int64_t outer = call.arguments[1];
  const int64_t axis = call.arguments[2];
  const int64_t inner = call.arguments[3];
  const int64_t length = call.arguments[4];
  call.results[0] = 0;
  if (capacity < 0 || length < 0 || !detail::sizes_are_sane(outer, axis, inner, sizeof(T))) {
    return kInvalidArgument;
  }
  if (length > axis) return kShapeMismatch;
  const unsigned char* condition = static_cast<const unsigned char*>(call.reads[1]);
  if (condition == nullptr && length > 0) return kNullArgument;
  int64_t count = 0;
  for (int64_t i = 0; i < length; ++i) count += condition[i] != 0 ? 1 : 0;
  if (count > capacity) return kCapacityExceeded;
  call.results[0] = count;
  if (outer * inner * count == 0) return kOk;

  const T* x = static_cast<const T*>(call.reads[0]);
  T* y = static_cast<T*>(call.writes[0]);
  if (x == nullptr || y == nullptr) return kNullArgument;
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < length; ++i) {
      if (condition[i] == 0) continue;
      detail::copy_bytes(y, x + (o * axis + i) * inner, inner * static_cast<int64_t>(sizeof(T)));
      y += inner;
    }
  }
  return kOk;
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_PROCEDURES_COMPRESS_H
