// SPDX-License-Identifier: MIT-0
// State that the caller keeps: where input and output are one buffer, everything is there already.
//
// reads      0: what the buffer holds, T[n]
// writes     0: T[n]; the same bytes, or none of them
// arguments  0: n
#ifndef BURIN_RT_PROCEDURES_KEEP_STATE_H
#define BURIN_RT_PROCEDURES_KEEP_STATE_H

#include "../tree.h"
#include "call.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

template <class T>
static inline int32_t keep_state(const ProcedureCall& call) {
  const T* before = static_cast<const T*>(call.reads[0]);
  T* now = static_cast<T*>(call.writes[0]);
  if (before == now) return kOk;
  for (int64_t i = 0; i < call.arguments[0]; ++i) now[i] = before[i];
  return kOk;
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_PROCEDURES_KEEP_STATE_H
