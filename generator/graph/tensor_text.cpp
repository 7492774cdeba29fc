#include "graph/tensor_text.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "support/check.h"

namespace burin {
namespace {

std::string hex(uint64_t bits) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(bits));
  return text;
}

template <class Real, class Bits>
std::string real_of(Real value) {
  if (std::isnan(value)) return hex(std::bit_cast<Bits>(value));
  char text[64];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  BURIN_CHECK(error == std::errc());
  return {text, end};
}

template <class Number>
Number parse_number(TextCursor& cursor, std::string_view digits, int base = 10) {
  Number value{};
  const char* end = digits.data() + digits.size();
  std::from_chars_result result{};
  if constexpr (std::is_floating_point_v<Number>) {
    result = std::from_chars(digits.data(), end, value);
  } else {
    result = std::from_chars(digits.data(), end, value, base);
  }
  if (result.ec != std::errc() || result.ptr != end)
    cursor.refuse_here("not a number of this type");
  return value;
}

template <class Real, class Bits>
Real parse_real_of(TextCursor& cursor) {
  const std::string digits = cursor.number();
  if (digits.starts_with("0x")) {
    return std::bit_cast<Real>(parse_number<Bits>(cursor, std::string_view(digits).substr(2), 16));
  }
  return parse_number<Real>(cursor, digits);
}

// Element `i` of a constant as an unsigned pattern of its size.
uint64_t bits_at(const Tensor& tensor, int64_t i) {
  const int bits = size_bits(tensor.type);
  const auto at = static_cast<size_t>(i);
  if (bits == 4) {
    const auto byte = static_cast<uint64_t>(tensor.content.data[at / 2]);
    return (byte >> (at % 2 * 4)) & 15;
  }
  uint64_t pattern = 0;
  const auto size = static_cast<size_t>(bits) / 8;
  std::memcpy(&pattern, tensor.content.data + at * size, size);
  return pattern;
}

std::string element_text(const Tensor& tensor, int64_t i) {
  if (tensor.type == Type::string) return escape_text(tensor.strings[static_cast<size_t>(i)]);
  const uint64_t pattern = bits_at(tensor, i);
  if (tensor.type == Type::f32) {
    return real_of<float, uint32_t>(std::bit_cast<float>(static_cast<uint32_t>(pattern)));
  }
  if (tensor.type == Type::f64) return real_of<double, uint64_t>(std::bit_cast<double>(pattern));
  if (is_float(tensor.type)) return hex(pattern);
  if (!is_signed(tensor.type) || tensor.type == Type::boolean) return std::to_string(pattern);
  const int unused =
      64 - size_bits(tensor.type);  // shifts the sign of the element into the top bit
  return std::to_string(static_cast<int64_t>(pattern << unused) >> unused);
}

uint64_t parse_element(TextCursor& cursor, Type type) {
  if (type == Type::f32) return std::bit_cast<uint32_t>(parse_real_of<float, uint32_t>(cursor));
  if (type == Type::f64) return std::bit_cast<uint64_t>(parse_real_of<double, uint64_t>(cursor));
  const std::string digits = cursor.number();
  const int bits = size_bits(type);
  const uint64_t all = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  uint64_t pattern = 0;
  if (is_float(type)) {
    if (!digits.starts_with("0x")) cursor.refuse_here("expected the bits of a float as 0x...");
    pattern = parse_number<uint64_t>(cursor, std::string_view(digits).substr(2), 16);
    if (pattern > all) cursor.refuse_here("not a number of this type");
  } else if (is_signed(type) && type != Type::boolean) {
    const auto value = parse_number<int64_t>(cursor, digits);
    if (value < lowest(type) || value > highest(type))
      cursor.refuse_here("not a number of this type");
    pattern = static_cast<uint64_t>(value) & all;
  } else {
    pattern = parse_number<uint64_t>(cursor, digits);
    if (pattern > (type == Type::boolean ? 1 : all))
      cursor.refuse_here("not a number of this type");
  }
  return pattern;
}

uint64_t fnv1a(const Tensor& tensor) {
  uint64_t hash = 0xcbf29ce484222325u;
  const auto add = [&](const void* data, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) {
      hash = (hash ^ static_cast<const unsigned char*>(data)[i]) * 0x100000001b3u;
    }
  };
  add(tensor.content.data, tensor.content.bytes);
  for (const std::string& text : tensor.strings) add(text.c_str(), text.size() + 1);
  return hash;
}

}  // namespace

std::string real_text(float value) { return real_of<float, uint32_t>(value); }
float parse_real(TextCursor& cursor) { return parse_real_of<float, uint32_t>(cursor); }

Type parse_type(TextCursor& cursor) {
  const std::optional<Type> type = type_from_string(cursor.word());
  if (!type) cursor.refuse_here("unknown element type");
  return *type;
}

std::string tensor_text(const Tensor& tensor, int64_t longest) {
  std::string out(to_string(tensor.type));
  out += " [";
  for (size_t i = 0; i < tensor.shape.size(); ++i) {
    out += (i > 0 ? ", " : "") + std::to_string(tensor.shape[i]);
  }
  out += "] {";
  const int64_t elements = tensor.elements();
  if (elements > longest) return out + "hash " + hex(fnv1a(tensor)) + "}";
  for (int64_t i = 0; i < elements; ++i) out += (i > 0 ? ", " : "") + element_text(tensor, i);
  return out + "}";
}

Tensor parse_tensor(TextCursor& cursor) {
  Tensor tensor;
  tensor.type = parse_type(cursor);
  if (tensor.type == Type::none) cursor.refuse_here("a constant without element type");
  cursor.expect("[");
  while (cursor.peek() != ']') {
    if (!tensor.shape.empty()) cursor.expect(",");
    tensor.shape.push_back(cursor.integer());
    if (tensor.shape.back() < 0) cursor.refuse_here("a negative size");
  }
  cursor.expect("]");
  cursor.expect("{");
  if (cursor.accept("hash")) cursor.refuse_here("a constant of which only the hash is left");
  const int64_t elements = tensor.elements();
  std::vector<std::byte> bytes;
  const int bits = tensor.type == Type::string ? 0 : size_bits(tensor.type);
  for (int64_t i = 0; i < elements; ++i) {
    if (i > 0) cursor.expect(",");
    if (bits == 0) {
      tensor.strings.push_back(cursor.string());
      continue;
    }
    const uint64_t pattern = parse_element(cursor, tensor.type);
    if (bits == 4 && i % 2 == 1) {
      bytes.back() |= static_cast<std::byte>(pattern << 4);
    } else {
      for (int b = 0; b < std::max(bits / 8, 1); ++b) {
        bytes.push_back(static_cast<std::byte>(pattern >> (8 * b)));
      }
    }
  }
  cursor.expect("}");
  tensor.content = make_constant(std::move(bytes));
  return tensor;
}

}  // namespace burin
