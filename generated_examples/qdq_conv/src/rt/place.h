// SPDX-License-Identifier: MIT-0
// Where a tensor lies: a number of bytes behind the start of the arena, of the weights, or of a
// tensor that it is part of.
#ifndef BURIN_RT_PLACE_H
#define BURIN_RT_PLACE_H

#include <stdint.h>

#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

template <class T, class Offset>
inline T* place(uint8_t* start, Offset bytes) {
  return reinterpret_cast<T*>(start + bytes);
}
template <class T, class Offset>
inline const T* place(const uint8_t* start, Offset bytes) {
  return reinterpret_cast<const T*>(start + bytes);
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_PLACE_H
