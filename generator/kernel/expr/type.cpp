#include "kernel/expr/type.h"

#include <array>
#include <limits>

#include "support/check.h"

namespace burin {
namespace {

enum class Sort : uint8_t { other, floating, signed_integer, unsigned_integer };

struct Info {
  std::string_view name;
  int bits;
  Sort sort;
  Type compute;
};

// In the order of the enumeration.
constexpr std::array<Info, kTypeCount> kInfo{{
    {"none", 0, Sort::other, Type::none},           {"f16", 16, Sort::floating, Type::f32},
    {"bf16", 16, Sort::floating, Type::f32},        {"f32", 32, Sort::floating, Type::f32},
    {"f64", 64, Sort::floating, Type::f64},         {"f8e4m3fn", 8, Sort::floating, Type::f32},
    {"f8e4m3fnuz", 8, Sort::floating, Type::f32},   {"f8e5m2", 8, Sort::floating, Type::f32},
    {"f8e5m2fnuz", 8, Sort::floating, Type::f32},   {"f8e8m0", 8, Sort::floating, Type::f32},
    {"f4e2m1", 4, Sort::floating, Type::f32},       {"i2", 2, Sort::signed_integer, Type::i32},
    {"i4", 4, Sort::signed_integer, Type::i32},     {"i8", 8, Sort::signed_integer, Type::i8},
    {"i16", 16, Sort::signed_integer, Type::i16},   {"i32", 32, Sort::signed_integer, Type::i32},
    {"i64", 64, Sort::signed_integer, Type::i64},   {"u2", 2, Sort::unsigned_integer, Type::u32},
    {"u4", 4, Sort::unsigned_integer, Type::u32},   {"u8", 8, Sort::unsigned_integer, Type::u8},
    {"u16", 16, Sort::unsigned_integer, Type::u16}, {"u32", 32, Sort::unsigned_integer, Type::u32},
    {"u64", 64, Sort::unsigned_integer, Type::u64}, {"boolean", 8, Sort::other, Type::boolean},
    {"string", 0, Sort::other, Type::string},
}};

const Info& info(Type type) { return kInfo[static_cast<size_t>(type)]; }

}  // namespace

std::string_view to_string(Type type) { return info(type).name; }

std::optional<Type> type_from_string(std::string_view name) {
  for (int i = 0; i < kTypeCount; ++i) {
    if (kInfo[static_cast<size_t>(i)].name == name) return static_cast<Type>(i);
  }
  return std::nullopt;
}

int size_bits(Type type) { return info(type).bits; }

int64_t size_bytes(Type type, int64_t elements) {
  constexpr int64_t kMost = int64_t{1} << 62;
  const int64_t bits = size_bits(type);
  if (bits != 0 && elements / 8 > kMost / bits)
    return kMost;  // far above every limit that is asked
  return elements / 8 * bits + (elements % 8 * bits + 7) / 8;
}

bool is_float(Type type) { return info(type).sort == Sort::floating; }

bool is_integer(Type type) {
  return info(type).sort == Sort::signed_integer || info(type).sort == Sort::unsigned_integer;
}

bool is_signed(Type type) {
  return info(type).sort == Sort::floating || info(type).sort == Sort::signed_integer;
}

bool is_narrow_float(Type type) { return is_float(type) && size_bits(type) < 32; }

bool is_packed(Type type) { return size_bits(type) > 0 && size_bits(type) < 8; }

Type compute_type(Type storage) { return info(storage).compute; }

int64_t lowest(Type integer) {
  BURIN_CHECK(is_integer(integer));
  return is_signed(integer) ? -(int64_t{1} << (size_bits(integer) - 2)) * 2 : 0;
}

int64_t highest(Type integer) {
  BURIN_CHECK(is_integer(integer));
  if (integer == Type::u64) return std::numeric_limits<int64_t>::max();
  const int bits = size_bits(integer) - (is_signed(integer) ? 1 : 0);
  return ((int64_t{1} << (bits - 1)) - 1) * 2 + 1;
}

}  // namespace burin
