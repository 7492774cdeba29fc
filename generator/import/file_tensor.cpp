#include "import/file_tensor.h"

#include <bit>
#include <charconv>
#include <cstring>

#include "import/element.h"
#include "support/diagnostics.h"
#include "support/mapped_pages.h"

namespace burin {
namespace {

static_assert(std::endian::native == std::endian::little, "constants are little-endian in memory");

std::string shape_text(const std::vector<int64_t>& dims) {
  std::string out = "[";
  for (size_t i = 0; i < dims.size(); ++i) out += (i > 0 ? ", " : "") + std::to_string(dims[i]);
  return out + "]";
}

// Contents that every element type has but booleans and 4-bit numbers allow only some of.
void check_booleans(std::string_view bytes) {
  for (const char byte : bytes) {
    if (static_cast<uint8_t>(byte) > 1) {
      refuse("tensor", "a boolean is stored as " + std::to_string(static_cast<uint8_t>(byte)) +
                           "; booleans are 0 or 1");
    }
  }
}

int64_t parse_offset(std::string_view key, std::string_view digits) {
  int64_t value = -1;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc() || stop != end || value < 0 || digits[0] == '-') {
    refuse("external-data", std::string(key) + " " + quoted(digits) + " is not a number of bytes");
  }
  return value;
}

}  // namespace

Tensor TensorReader::header(const TensorMessage& message) {
  if (message.has_segment) refuse("tensor", "segmented tensors are not supported");
  if (message.location != 0 && message.location != 1) {
    refuse("tensor", "data_location is " + std::to_string(message.location) + "; 0 and 1 exist");
  }
  if (static_cast<int64_t>(message.dims.size()) > budget_.limits().rank) {
    refuse("limit", "a tensor has " + std::to_string(message.dims.size()) +
                        " dimensions; the limit is " + std::to_string(budget_.limits().rank));
  }
  Tensor tensor;
  tensor.type = element_type(message.element);
  tensor.shape = message.dims;
  return tensor;
}

int64_t TensorReader::checked_bytes(const Tensor& tensor) const {
  int64_t elements = 1, bits = 0;
  bool empty = false;
  for (const int64_t dim : tensor.shape) {
    if (dim < 0) refuse("tensor", "shape " + shape_text(tensor.shape) + " has a negative size");
    empty = empty || dim == 0;
  }
  if (empty) return 0;
  for (const int64_t dim : tensor.shape) {
    if (__builtin_mul_overflow(elements, dim, &elements)) elements = -1;
    if (elements < 0) break;
  }
  // 16 bits per element at least, so that later sums over sizes cannot overflow either.
  if (elements < 0 ||
      __builtin_mul_overflow(elements, std::max(size_bits(tensor.type), 16), &bits)) {
    refuse("tensor", "shape " + shape_text(tensor.shape) + " has more elements than 64 bits count");
  }
  return size_bytes(tensor.type, elements);
}

Tensor TensorReader::read(const TensorMessage& message) {
  Tensor tensor = header(message);
  const int64_t bytes = checked_bytes(tensor);
  const bool external = message.location == 1;
  if (!external && !message.external.empty()) {
    refuse("external-data", "there are external_data entries, but data_location is not EXTERNAL");
  }
  if (message.raw && message.typed_field != 0) {
    refuse("tensor", "there is raw data and a list of numbers; only one may be");
  }
  if (external && (message.raw || message.typed_field != 0)) {
    refuse("tensor", "there is external data and data in the model; only one may be");
  }
  if (message.typed_field < 0) refuse("tensor", "there are lists of numbers of several types");
  if (tensor.type == Type::string) {
    if (external || message.raw) refuse("tensor", "strings cannot be raw or external data");
    read_strings(message, tensor);
  } else if (external) {
    tensor.content = read_external(message, tensor, bytes);
  } else if (message.typed_field != 0) {
    budget_.take_memory(bytes);
    tensor.content = make_constant(decode_typed(message, tensor.type, tensor.elements()));
  } else {
    const std::string_view raw = message.raw.value_or(std::string_view());
    if (static_cast<int64_t>(raw.size()) != bytes) {
      refuse("tensor", std::string(to_string(tensor.type)) + " " + shape_text(tensor.shape) +
                           " takes " + std::to_string(bytes) + " bytes, there are " +
                           std::to_string(raw.size()));
    }
    tensor.content = read_raw(tensor, raw, file_);
  }
  return tensor;
}

void TensorReader::read_strings(const TensorMessage& message, Tensor& tensor) {
  if (message.typed_field != 0 && message.typed_field != 6) {
    refuse("tensor", "a tensor of strings has a list of numbers");
  }
  if (static_cast<int64_t>(message.typed.size()) != tensor.elements()) {
    refuse("tensor", "shape " + shape_text(tensor.shape) + " takes " +
                         std::to_string(tensor.elements()) + " strings, there are " +
                         std::to_string(message.typed.size()));
  }
  budget_.take_memory(static_cast<int64_t>(message.typed.size() * sizeof(std::string)));
  for (const std::string_view text : message.typed) tensor.strings.push_back(budget_.text(text));
}

Constant TensorReader::read_raw(const Tensor& tensor, std::string_view bytes,
                                const std::shared_ptr<const FileBytes>& owner) {
  if (tensor.type == Type::boolean) {
    budget_.take_work(static_cast<int64_t>(bytes.size()));
    check_booleans(bytes);
  }
  const int bits = size_bits(tensor.type);
  const auto alignment = static_cast<uintptr_t>(std::max(bits / 8, 1));
  if (!is_packed(tensor.type) && reinterpret_cast<uintptr_t>(bytes.data()) % alignment == 0) {
    return {reinterpret_cast<const std::byte*>(bytes.data()), bytes.size(), owner};
  }
  budget_.take_memory(static_cast<int64_t>(bytes.size()));
  std::vector<std::byte> copy(bytes.size());
  if (!bytes.empty()) std::memcpy(copy.data(), bytes.data(), bytes.size());
  forget_pages(bytes.data(), bytes.size(), owner);
  if (is_packed(tensor.type) && tensor.elements() * bits % 8 != 0)
    copy.back() &= static_cast<std::byte>((1 << tensor.elements() * bits % 8) - 1);
  return make_constant(std::move(copy));
}

Constant TensorReader::read_external(const TensorMessage& message, const Tensor& tensor,
                                     int64_t bytes) {
  std::optional<std::string_view> location, offset, length;
  for (const auto& [key, value] : message.external) {
    std::optional<std::string_view>* slot = nullptr;
    std::optional<std::string_view> ignored;
    if (key == "location") slot = &location;
    if (key == "offset") slot = &offset;
    if (key == "length") slot = &length;
    if (key == "checksum") slot = &ignored;
    if (slot == nullptr) {
      refuse("external-data", "key " + quoted(key) + " is not known",
             "the keys are location, offset, length and checksum");
    }
    if (slot->has_value()) refuse("external-data", "key " + quoted(key) + " is given twice");
    *slot = value;
  }
  if (!location) refuse("external-data", "there is no location");
  const std::shared_ptr<const FileBytes> file = external_.open(*location);
  const auto size = static_cast<int64_t>(file->bytes().size());
  const int64_t start = offset ? parse_offset("offset", *offset) : 0;
  if (start > size) {
    refuse("external-data", "offset " + std::to_string(start) + " lies behind the end of file " +
                                quoted(*location) + " of " + std::to_string(size) + " bytes");
  }
  const int64_t count = length ? parse_offset("length", *length) : size - start;
  if (count > size - start) {
    refuse("external-data", "offset " + std::to_string(start) + " and length " +
                                std::to_string(count) + " reach behind the end of file " +
                                quoted(*location) + " of " + std::to_string(size) + " bytes");
  }
  if (count != bytes) {
    refuse("external-data", std::string(to_string(tensor.type)) + " " + shape_text(tensor.shape) +
                                " takes " + std::to_string(bytes) + " bytes, file " +
                                quoted(*location) + " gives " + std::to_string(count));
  }
  const std::string_view part =
      file->bytes().substr(static_cast<size_t>(start), static_cast<size_t>(count));
  return read_raw(tensor, part, file);
}

}  // namespace burin
