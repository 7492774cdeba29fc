// The typed fields of a tensor. Which field holds which element type is the specification's table;
// f16, bf16 and float8 lie in int32_data as bit patterns, elements of less than a byte there too, a
// byte of them to an entry.
#include <cstring>

#include "import/file_tensor.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

enum Field : int { kFloats = 4, kInt32s = 5, kInt64s = 7, kDoubles = 10, kUint64s = 11 };

int field_of(Type type) {
  switch (type) {
    case Type::f32:
      return kFloats;
    case Type::f64:
      return kDoubles;
    case Type::i64:
      return kInt64s;
    case Type::u32:
    case Type::u64:
      return kUint64s;
    default:
      return kInt32s;
  }
}

const char* field_name(int field) {
  switch (field) {
    case kFloats:
      return "float_data";
    case kInt32s:
      return "int32_data";
    case 6:
      return "string_data";
    case kInt64s:
      return "int64_data";
    case kDoubles:
      return "double_data";
    default:
      return "uint64_data";
  }
}

struct Bounds {
  int64_t lo, hi;
};

// What an entry of int32_data may be for this type.
Bounds entry_bounds(Type type) {
  if (type == Type::boolean) return {0, 1};
  // A byte of several elements; some writers extend its sign.
  if (is_packed(type)) return {-128, 255};
  if (is_float(type)) return {0, size_bits(type) == 16 ? 65535 : 255};
  return {lowest(type), highest(type)};
}

[[noreturn]] void refuse_count(int64_t wanted, int64_t found, int field) {
  refuse("tensor", std::string(field_name(field)) + " has " + std::to_string(found) +
                       " entries, the shape takes " + std::to_string(wanted));
}

}  // namespace

std::vector<std::byte> decode_typed(const TensorMessage& message, Type type, int64_t elements) {
  const int field = field_of(type);
  if (message.typed_field != field) {
    refuse("tensor", std::string(to_string(type)) + " lies in " + field_name(field) + ", not in " +
                         field_name(message.typed_field));
  }
  const bool fixed = field == kFloats || field == kDoubles;
  const int bits = size_bits(type);
  // One entry of the field is written as `step` bytes.
  const size_t step = static_cast<size_t>(std::max(bits / 8, 1));
  const int64_t entries = is_packed(type) ? size_bytes(type, elements) : elements;
  std::vector<std::byte> bytes;
  // Every entry has at least one byte in the file, so this is no more than eight times what is
  // there.
  int64_t available = 0;
  for (const std::string_view piece : message.typed)
    available += static_cast<int64_t>(piece.size());
  if (available < entries)
    refuse_count(entries, available / static_cast<int64_t>(fixed ? step : 1), field);
  bytes.reserve(static_cast<size_t>(entries) * step);

  if (fixed) {
    if (available != entries * static_cast<int64_t>(step)) {
      refuse_count(entries, available / static_cast<int64_t>(step), field);
    }
    for (const std::string_view piece : message.typed) {
      const auto* data = reinterpret_cast<const std::byte*>(piece.data());
      bytes.insert(bytes.end(), data, data + piece.size());
    }
    return bytes;
  }

  const bool whole = type == Type::i64 || type == Type::u64;
  const Bounds bounds = whole               ? Bounds{}
                        : type == Type::u32 ? Bounds{0, highest(type)}
                                            : entry_bounds(type);
  int64_t found = 0;
  for (const std::string_view piece : message.typed) {
    for (VarintReader numbers(piece); !numbers.at_end(); ++found) {
      const int64_t value = numbers.next();
      if (!whole && (value < bounds.lo || value > bounds.hi)) {
        refuse("tensor", "entry " + std::to_string(found) + " of " + field_name(field) + " is " +
                             std::to_string(value) + ", which is not " +
                             std::string(to_string(type)));
      }
      if (found >= entries) continue;  // counted only
      for (size_t b = 0; b < step; ++b) {
        bytes.push_back(static_cast<std::byte>(static_cast<uint64_t>(value) >> (8 * b)));
      }
    }
  }
  if (found != entries) refuse_count(entries, found, field);
  if (is_packed(type) && elements * bits % 8 != 0)
    bytes.back() &= static_cast<std::byte>((1 << elements * bits % 8) - 1);
  return bytes;
}

}  // namespace burin
