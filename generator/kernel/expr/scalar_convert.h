// A ScalarValue as the C++ type that stands for a compute type, and back. Only scalar*.cpp include
// it.
#pragma once

#include <type_traits>

#include "kernel/expr/scalar.h"

namespace burin {

template <class T>
T get(ScalarValue a) {
  if constexpr (std::is_floating_point_v<T>) return static_cast<T>(a.number);
  return static_cast<T>(a.integer);
}

template <class T>
ScalarValue put(T a) {
  if constexpr (std::is_floating_point_v<T>) return {static_cast<double>(a), 0};
  return {0, static_cast<int64_t>(a)};
}

template <class T>
struct TypeTag {
  using type = T;
};

// Calls `body` with the TypeTag of the C++ type that computes in `type`, for fp16 that which
// holds them; null function for types that do not compute (strings).
template <class Body>
auto with_compute_type(Type type, const Body& body) -> decltype(body(TypeTag<float>())) {
  switch (type) {
    case Type::f16:
    case Type::f32:
      return body(TypeTag<float>());
    case Type::f64:
      return body(TypeTag<double>());
    case Type::i8:
      return body(TypeTag<int8_t>());
    case Type::i16:
      return body(TypeTag<int16_t>());
    case Type::i32:
      return body(TypeTag<int32_t>());
    case Type::i64:
      return body(TypeTag<int64_t>());
    case Type::u8:
      return body(TypeTag<uint8_t>());
    case Type::u16:
      return body(TypeTag<uint16_t>());
    case Type::u32:
      return body(TypeTag<uint32_t>());
    case Type::u64:
      return body(TypeTag<uint64_t>());
    case Type::boolean:
      return body(TypeTag<bool>());
    default:
      return nullptr;
  }
}

}  // namespace burin
