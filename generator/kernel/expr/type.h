// Element types. `storage` is how an element lies in memory, `compute` is what arithmetic on it
// uses: narrower floats are stored as such and computed in f32, integers of less than a byte are
// computed in 32 bits.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace burin {

enum class Type : uint8_t {
  none,
  f16,
  bf16,
  f32,
  f64,
  f8e4m3fn,
  f8e4m3fnuz,
  f8e5m2,
  f8e5m2fnuz,
  f8e8m0,
  f4e2m1,
  i2,
  i4,
  i8,
  i16,
  i32,
  i64,
  u2,
  u4,
  u8,
  u16,
  u32,
  u64,
  boolean,
  string,
};

inline constexpr int kTypeCount = static_cast<int>(Type::string) + 1;

std::string_view to_string(Type type);  // "f32", "boolean"
std::optional<Type> type_from_string(std::string_view name);

int size_bits(Type type);  // 2, 4, 8, 16, 32, 64; 0 for none and string
// Types of less than a byte packed, rounded up; at most 2^62, which stands for everything above it.
int64_t size_bytes(Type type, int64_t elements);
bool is_float(Type type);
bool is_integer(Type type);       // not boolean
bool is_signed(Type type);        // floats count as signed
bool is_narrow_float(Type type);  // computed in f32, stored in fewer bits

// Whether several elements share a byte.
bool is_packed(Type type);

// The type that arithmetic on elements of `storage` uses: f32 for narrow floats, i32/u32 for
// integers of less than a byte, itself otherwise.
Type compute_type(Type storage);

// Smallest and largest value of an integer type (u64 is cut to INT64_MAX).
int64_t lowest(Type integer);
int64_t highest(Type integer);

}  // namespace burin
