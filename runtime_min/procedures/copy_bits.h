// SPDX-License-Identifier: MIT-0
// The bits of a tensor as elements of another type of the same width.
//
// reads      0: X, of elements as wide as T, [count]
// writes     0: Y, the same bytes, [count]
// arguments  0: count
// results    none
// scratch    none
// O(count).
#ifndef BURIN_RT_PROCEDURES_COPY_BITS_H
#define BURIN_RT_PROCEDURES_COPY_BITS_H

#include "../tree.h"
#include "call.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

template <class T>
int32_t copy_bits(const ProcedureCall& call) {
  const int64_t count = call.arguments[0];
  constexpr int64_t kWidth = static_cast<int64_t>(sizeof(T));
  if (!detail::sizes_are_sane(count, 1, 1, kWidth)) return kInvalidArgument;
  detail::copy_bytes(call.writes[0], call.reads[0], count * kWidth);
  return kOk;
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_PROCEDURES_COPY_BITS_H
