// SPDX-License-Identifier: MIT-0
// Numbers as texts.
//
// reads      0: X, [count]
// writes     0: Y, texts of `width` bytes with zeros behind, [count, width]
// arguments  0: count, 1: width
// results    none
// scratch    none
// kCapacityExceeded where a text is longer. O(count), times the exponents of floats.
#ifndef BURIN_RT_PROCEDURES_WRITE_NUMBERS_H
#define BURIN_RT_PROCEDURES_WRITE_NUMBERS_H

#include "../number_text.h"
#include "../tree.h"
#include "call.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

template <class T>
int32_t write_numbers(const ProcedureCall& call) {
  const int64_t count = call.arguments[0], width = call.arguments[1];
  if (!detail::sizes_are_sane(count, width, 1, static_cast<int64_t>(sizeof(T))))
    return kInvalidArgument;
  const T* const x = static_cast<const T*>(call.reads[0]);
  uint8_t* const y = static_cast<uint8_t*>(call.writes[0]);
  for (int64_t i = 0; i < count; ++i) {
    if (!write_number(x[i], y + i * width, width)) return kCapacityExceeded;
  }
  return kOk;
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_PROCEDURES_WRITE_NUMBERS_H
