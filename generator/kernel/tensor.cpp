#include "kernel/tensor.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "kernel/expr/scalar_convert.h"
#include "runtime_min/float4.h"
#include "runtime_min/float8.h"
#include "runtime_min/half.h"
#include "support/check.h"
#include "support/mapped_pages.h"

namespace burin {
namespace {

// Memory may be unaligned (a mapped file), hence memcpy.
template <class T>
T read(const std::byte* data, int64_t element) {
  T value;
  std::memcpy(&value, data + element * static_cast<int64_t>(sizeof(T)), sizeof(T));
  return value;
}

template <class T>
void write(std::byte* data, int64_t element, T value) {
  std::memcpy(data + element * static_cast<int64_t>(sizeof(T)), &value, sizeof(T));
}

template <class T>
ScalarValue load_plain(const std::byte* data, int64_t element) {
  return put(read<T>(data, element));
}

template <class T>
void store_plain(std::byte* data, int64_t element, ScalarValue value) {
  write(data, element, get<T>(value));
}

ScalarValue load_boolean(const std::byte* data, int64_t element) {
  return put(data[element] != std::byte{0});
}

void store_boolean(std::byte* data, int64_t element, ScalarValue value) {
  data[element] = std::byte{value.integer != 0};
}

template <class Bits, float (*kWiden)(Bits)>
ScalarValue load_narrow(const std::byte* data, int64_t element) {
  return put(kWiden(read<Bits>(data, element)));
}

template <class Bits, Bits (*kNarrow)(float)>
void store_narrow(std::byte* data, int64_t element, ScalarValue value) {
  write(data, element, kNarrow(get<float>(value)));
}

// Several to a byte, low bits first.
template <int kBits>
unsigned load_bits(const std::byte* data, int64_t element) {
  constexpr int64_t kEach = 8 / kBits;
  const auto byte = static_cast<unsigned>(data[element / kEach]);
  return byte >> (element % kEach * kBits) & ((1u << kBits) - 1);
}

template <int kBits>
ScalarValue load_unsigned(const std::byte* data, int64_t element) {
  return put(load_bits<kBits>(data, element));
}

template <int kBits>
ScalarValue load_signed(const std::byte* data, int64_t element) {
  constexpr unsigned kSign = 1u << (kBits - 1);
  return put(static_cast<int>(load_bits<kBits>(data, element) ^ kSign) - static_cast<int>(kSign));
}

ScalarValue load_f4(const std::byte* data, int64_t element) {
  return put(burin_rt::f4e2m1_to_f32(static_cast<uint8_t>(load_bits<4>(data, element))));
}

template <int kBits>
void put_bits(std::byte* data, int64_t element, unsigned bits) {
  constexpr int64_t kEach = 8 / kBits;
  constexpr unsigned kMask = (1u << kBits) - 1;
  const auto shift = static_cast<unsigned>(element % kEach * kBits);
  const auto byte = static_cast<unsigned>(data[element / kEach]);
  data[element / kEach] =
      static_cast<std::byte>((byte & ~(kMask << shift)) | (bits & kMask) << shift);
}

template <int kBits>
void store_bits(std::byte* data, int64_t element, ScalarValue value) {
  put_bits<kBits>(data, element, static_cast<unsigned>(value.integer & 15));
}

void store_f4(std::byte* data, int64_t element, ScalarValue value) {
  put_bits<4>(data, element, burin_rt::f32_to_f4e2m1(get<float>(value)));
}

template <class Number>
HostTensor filled(Type type, std::vector<int64_t> shape, Type from,
                  const std::vector<Number>& numbers) {
  HostTensor tensor = make_tensor(type, std::move(shape));
  BURIN_CHECK(tensor.elements() == static_cast<int64_t>(numbers.size()));
  const UnaryFunction convert = cast_function(from, type, CastMode::convert);
  for (size_t i = 0; i < numbers.size(); ++i) {
    tensor.set(static_cast<int64_t>(i), convert(put(numbers[i])));
  }
  return tensor;
}

}  // namespace

LoadFunction load_function(Type storage) {
  using namespace burin_rt;
  switch (storage) {
    case Type::f16:
      return load_narrow<uint16_t, f16_to_f32>;
    case Type::bf16:
      return load_narrow<uint16_t, bf16_to_f32>;
    case Type::f8e4m3fn:
      return load_narrow<uint8_t, f8e4m3fn_to_f32>;
    case Type::f8e4m3fnuz:
      return load_narrow<uint8_t, f8e4m3fnuz_to_f32>;
    case Type::f8e5m2:
      return load_narrow<uint8_t, f8e5m2_to_f32>;
    case Type::f8e5m2fnuz:
      return load_narrow<uint8_t, f8e5m2fnuz_to_f32>;
    case Type::f8e8m0:
      return load_narrow<uint8_t, f8e8m0_to_f32>;
    case Type::f4e2m1:
      return load_f4;
    case Type::i2:
      return load_signed<2>;
    case Type::i4:
      return load_signed<4>;
    case Type::u2:
      return load_unsigned<2>;
    case Type::u4:
      return load_unsigned<4>;
    case Type::boolean:
      return load_boolean;
    default:
      break;
  }
  const LoadFunction load = with_compute_type(
      storage, [](auto tag) -> LoadFunction { return load_plain<typename decltype(tag)::type>; });
  BURIN_CHECK(load != nullptr, std::string(to_string(storage)));
  return load;
}

StoreFunction store_function(Type storage) {
  using namespace burin_rt;
  switch (storage) {
    case Type::f16:
      return store_narrow<uint16_t, f32_to_f16>;
    case Type::bf16:
      return store_narrow<uint16_t, f32_to_bf16>;
    case Type::f8e4m3fn:
      return store_narrow<uint8_t, f32_to_f8e4m3fn>;
    case Type::f8e4m3fnuz:
      return store_narrow<uint8_t, f32_to_f8e4m3fnuz>;
    case Type::f8e5m2:
      return store_narrow<uint8_t, f32_to_f8e5m2>;
    case Type::f8e5m2fnuz:
      return store_narrow<uint8_t, f32_to_f8e5m2fnuz>;
    case Type::f8e8m0:
      return store_narrow<uint8_t, f32_to_f8e8m0>;
    case Type::f4e2m1:
      return store_f4;
    case Type::i2:
    case Type::u2:
      return store_bits<2>;
    case Type::i4:
    case Type::u4:
      return store_bits<4>;
    case Type::boolean:
      return store_boolean;
    default:
      break;
  }
  const StoreFunction store = with_compute_type(
      storage, [](auto tag) -> StoreFunction { return store_plain<typename decltype(tag)::type>; });
  BURIN_CHECK(store != nullptr, std::string(to_string(storage)));
  return store;
}

int64_t HostTensor::elements() const {
  // However long others are: of none there is none.
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  int64_t count = 1;
  for (const int64_t extent : shape) {
    BURIN_CHECK(extent >= 0 && !__builtin_mul_overflow(count, extent, &count));
  }
  return count;
}

ScalarValue HostTensor::get(int64_t element) const {
  BURIN_CHECK(element >= 0 && element < elements());
  return load_function(type)(bytes.data(), element);
}

void HostTensor::set(int64_t element, ScalarValue value) {
  BURIN_CHECK(element >= 0 && element < elements());
  store_function(type)(bytes.data(), element, value);
}

HostTensor make_tensor(Type type, std::vector<int64_t> shape) {
  HostTensor tensor{type, std::move(shape), {}};
  tensor.bytes.resize(static_cast<size_t>(size_bytes(type, tensor.elements())));
  return tensor;
}

HostTensor make_tensor(Type type, std::vector<int64_t> shape, const std::vector<double>& numbers) {
  return filled(type, std::move(shape), Type::f64, numbers);
}

HostTensor make_tensor(Type type, std::vector<int64_t> shape, const std::vector<int64_t>& numbers) {
  return filled(type, std::move(shape), Type::i64, numbers);
}

HostTensor to_tensor(Type type, std::vector<int64_t> shape, const Constant& constant) {
  HostTensor tensor{type, std::move(shape), {}};
  BURIN_CHECK(constant.bytes == static_cast<size_t>(size_bytes(type, tensor.elements())));
  tensor.bytes.assign(constant.data, constant.data + constant.bytes);
  return tensor;
}

HostTensor to_row_major(const Value& constant) {
  std::vector<int64_t> shape;
  for (const Dim& dim : constant.shape) shape.push_back(dim.constant());
  if (constant.layout.is_row_major())
    return to_tensor(constant.type, std::move(shape), constant.constant);
  HostTensor tensor = make_tensor(constant.type, shape);
  const int64_t elements = physical_elements(constant.layout, constant.shape).constant();
  BURIN_CHECK(constant.constant.bytes == static_cast<size_t>(size_bytes(constant.type, elements)));
  std::vector<Index> at;
  for (size_t d = 0; d < shape.size(); ++d)
    at.push_back(Index::axis(static_cast<int>(d), constant.shape[d]));
  const Index where = address(constant.layout, constant.shape, at);
  const LoadFunction load = load_function(constant.type);
  std::vector<int64_t> point(shape.size(), 0);
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    const int64_t from = where.evaluate(
        [&](const Index& leaf) { return point[static_cast<size_t>(leaf.axis_id())]; });
    tensor.set(i, load(constant.constant.data, from));
    for (size_t d = shape.size(); d-- > 0 && ++point[d] == shape[d];) point[d] = 0;
  }
  return tensor;
}

Constant to_constant(const HostTensor& tensor) {
  if (std::shared_ptr<const void> pages = move_to_disk(tensor.bytes))
    return {static_cast<const std::byte*>(pages.get()), tensor.bytes.size(), pages};
  return make_constant(tensor.bytes);
}

}  // namespace burin
