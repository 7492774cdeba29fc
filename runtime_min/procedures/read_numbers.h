// SPDX-License-Identifier: MIT-0
// The numbers that texts begin with.
//
// reads      0: X, texts of `width` bytes with zeros behind, [count, width]
// writes     0: Y, [count]
// arguments  0: count, 1: width
// results    none
// scratch    none
// kInvalidArgument where a text is no number. O(count * width), times the exponents of floats.
#ifndef BURIN_RT_PROCEDURES_READ_NUMBERS_H
#define BURIN_RT_PROCEDURES_READ_NUMBERS_H

#include "../number_text.h"
#include "../tree.h"
#include "call.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

template <class T>
int32_t read_numbers(const ProcedureCall& call) {
  const int64_t count = call.arguments[0], width = call.arguments[1];
  if (!detail::sizes_are_sane(count, width, 1, static_cast<int64_t>(sizeof(T))))
    return kInvalidArgument;
  const uint8_t* const x = static_cast<const uint8_t*>(call.reads[0]);
  T* const y = static_cast<T*>(call.writes[0]);
  for (int64_t i = 0; i < count; ++i) {
    if (!read_number(x + i * width, width, y[i])) return kInvalidArgument;
  }
  return kOk;
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_PROCEDURES_READ_NUMBERS_H
