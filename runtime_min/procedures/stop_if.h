// SPDX-License-Identifier: MIT-0
// Ends the run where what data decide may not be: a loop that would go on beyond its bound, paths
// of which none ran.
//
// reads      0: T, one boolean
// arguments  0: the status of a run in which it holds
#ifndef BURIN_RT_PROCEDURES_STOP_IF_H
#define BURIN_RT_PROCEDURES_STOP_IF_H

#include "../tree.h"
#include "call.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

template <class T>
static inline int32_t stop_if(const ProcedureCall& call) {
  const T* holds = static_cast<const T*>(call.reads[0]);
  if (holds == nullptr) return kNullArgument;
  return *holds != 0 ? static_cast<int32_t>(call.arguments[0]) : kOk;
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_PROCEDURES_STOP_IF_H
