// SPDX-License-Identifier: MIT-0
// Where a tensor lies: a number of bytes behind the start of the arena, of the weights, or of a
// tensor that it is part of.
#ifndef BURIN_RT_PLACE_H
#define BURIN_RT_PLACE_H

#include <stdint.h>

#include "tree.h"

namespace burin_rt {
inline namespace BURIN_RT_TREE {

// So many bytes behind a start, where elements of type T lie.
template <class T>
class Place {
 public:
  constexpr Place() = default;
  constexpr Place(int64_t bytes) : bytes_(bytes) {}
  constexpr operator int64_t() const { return bytes_; }

 private:
  int64_t bytes_ = 0;
};

// A start, whose places are pointers.
class Bytes {
 public:
  explicit Bytes(uint8_t* start) : start_(start) {}
  template <class T>
  T* operator[](Place<T> place) const {
    return reinterpret_cast<T*>(start_ + static_cast<int64_t>(place));
  }

 private:
  uint8_t* start_;
};
class ConstBytes {
 public:
  explicit ConstBytes(const uint8_t* start) : start_(start) {}
  template <class T>
  const T* operator[](Place<T> place) const {
    return reinterpret_cast<const T*>(start_ + static_cast<int64_t>(place));
  }

 private:
  const uint8_t* start_;
};

// Those of a tensor.
template <class T>
inline Bytes bytes_of(T* tensor) {
  return Bytes(reinterpret_cast<uint8_t*>(tensor));
}
template <class T>
inline ConstBytes bytes_of(const T* tensor) {
  return ConstBytes(reinterpret_cast<const uint8_t*>(tensor));
}

}  // namespace BURIN_RT_TREE
}  // namespace burin_rt

#endif  // BURIN_RT_PLACE_H
