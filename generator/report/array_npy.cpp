// NumPy's .npy: elements of either byte order, stored by rows or by columns.
#include <algorithm>
#include <charconv>

#include "report/array_file.h"
#include "report/array_kinds.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

struct NpyType {
  const char* word;
  Type type;
};
constexpr NpyType kNpyTypes[] = {
    {"<f4", Type::f32}, {"<f8", Type::f64}, {"<f2", Type::f16}, {"|i1", Type::i8},
    {"|u1", Type::u8},  {"<i2", Type::i16}, {"<u2", Type::u16}, {"<i4", Type::i32},
    {"<u4", Type::u32}, {"<i8", Type::i64}, {"<u8", Type::u64}, {"|b1", Type::boolean},
};

// The value of a key in a header such as {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3),
// }
std::string_view value_of(std::string_view header, std::string_view key) {
  const std::string wanted = "'" + std::string(key) + "':";
  size_t at = header.find(wanted);
  if (at == header.npos) refuse("io", "its header has no " + std::string(key));
  at += wanted.size();
  while (at < header.size() && header[at] == ' ') ++at;
  const bool tuple = at < header.size() && header[at] == '(';
  const size_t end = tuple ? header.find(')', at) : header.find_first_of(",}", at);
  if (end == header.npos) refuse("io", "its header is cut");
  return header.substr(at, end - at + (tuple ? 1 : 0));
}

std::vector<int64_t> shape_of(std::string_view tuple) {
  std::vector<int64_t> out;
  int64_t elements = 1;
  for (size_t at = 1; at < tuple.size();) {
    const size_t digit = tuple.find_first_of("0123456789", at);
    if (digit == tuple.npos) break;
    int64_t extent = 0;
    const auto [end, error] =
        std::from_chars(tuple.data() + digit, tuple.data() + tuple.size(), extent);
    if (error != std::errc() || extent < 0 || (extent > 0 && elements > kMostArrayBytes / extent))
      refuse("io", "its shape is too large");
    elements *= std::max<int64_t>(1, extent);
    out.push_back(extent);
    at = static_cast<size_t>(end - tuple.data());
  }
  if (out.size() > 64) refuse("io", "it has more than 64 dimensions");
  return out;
}

// Elements as this machine has them: other ones are turned around.
std::string in_own_order(std::string_view bytes, size_t element) {
  std::string out(bytes);
  for (size_t at = 0; at + element <= out.size(); at += element)
    std::reverse(out.begin() + static_cast<std::ptrdiff_t>(at),
                 out.begin() + static_cast<std::ptrdiff_t>(at + element));
  return out;
}

// Of elements that are stored by columns, whose first extent runs fastest.
HostTensor by_rows(const HostTensor& columns, const std::vector<int64_t>& shape) {
  HostTensor out = make_tensor(columns.type, columns.shape);
  size_t element = static_cast<size_t>(size_bits(columns.type)) / 8;
  // Strings: what is moved is all bytes of one.
  if (columns.shape.size() > shape.size()) element = static_cast<size_t>(columns.shape.back());
  std::vector<int64_t> strides(shape.size(), 1), at(shape.size(), 0);
  for (size_t d = 1; d < shape.size(); ++d) strides[d] = strides[d - 1] * shape[d - 1];
  for (size_t to = 0; to < out.bytes.size(); to += element) {
    int64_t from = 0;
    for (size_t d = 0; d < shape.size(); ++d) from += at[d] * strides[d];
    std::copy_n(columns.bytes.data() + static_cast<size_t>(from) * element, element,
                out.bytes.data() + to);
    for (size_t d = shape.size(); d-- > 0 && ++at[d] == shape[d];) at[d] = 0;
  }
  return out;
}

}  // namespace

HostTensor read_npy(std::string_view all, const ArrayForm& form) {
  if (!all.starts_with(kMagic) || all.size() < 10) refuse("io", "is no .npy file");
  const auto byte = [&](size_t i) { return size_t{static_cast<unsigned char>(all[i])}; };
  const bool wide = byte(6) >= 2;
  if (wide && all.size() < 12) refuse("io", "its header is cut");
  const size_t length = byte(8) | byte(9) << 8 | (wide ? byte(10) << 16 | byte(11) << 24 : 0);
  const size_t start = wide ? 12 : 10;
  if (length > all.size() - start) refuse("io", "its header is cut");
  const std::string_view header = all.substr(start, length);
  const std::string_view descr = value_of(header, "descr");
  std::string word(descr);
  if (word.size() > 2) word = word.substr(1, word.size() - 2);
  const std::vector<int64_t> shape = shape_of(value_of(header, "shape"));
  if (form.string_bytes > 0) {
    if (auto strings = npy_strings(word, shape, all.substr(start + length), form.string_bytes)) {
      return value_of(header, "fortran_order") == "False" ? std::move(*strings)
                                                          : by_rows(*strings, shape);
    }
  }
  for (const NpyType& one : kNpyTypes) {
    const bool turned = word.starts_with(">") && word.substr(1) == one.word + 1;
    if (word != one.word && !turned) continue;
    const std::string_view elements = all.substr(start + length);
    const size_t element = static_cast<size_t>(size_bits(one.type)) / 8;
    HostTensor out = turned ? of_bytes(one.type, shape, in_own_order(elements, element))
                            : of_bytes(one.type, shape, elements);
    return value_of(header, "fortran_order") == "False" ? out : by_rows(out, shape);
  }
  refuse("type", "its elements are " + burin::quoted(word) + ", which is not read",
         word == "|O" ? "objects of Python are not; astype(str) makes strings of them"
                      : "floats and integers of up to 8 bytes are, and truths");
}

namespace {

std::string with_header(std::string_view word, const std::vector<int64_t>& extents,
                        const HostTensor& tensor) {
  std::string shape;
  for (const int64_t extent : extents) shape += std::to_string(extent) + ", ";
  if (extents.size() > 1) shape.resize(shape.size() - 2);
  if (extents.size() == 1) shape.pop_back();
  std::string header =
      "{'descr': '" + std::string(word) + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  // The elements start at a multiple of 64.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string out(kMagic);
  out += '\x01';
  out += '\0';
  out += static_cast<char>(header.size() & 0xff);
  out += static_cast<char>(header.size() >> 8);
  out += header;
  out.append(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
  return out;
}

}  // namespace

std::string npy_bytes_of_strings(const HostTensor& tensor) {
  const std::vector<int64_t> shape(tensor.shape.begin(), tensor.shape.end() - 1);
  return with_header("|S" + std::to_string(tensor.shape.back()), shape, tensor);
}

std::string npy_bytes(const HostTensor& tensor) {
  const char* word = nullptr;
  for (const NpyType& one : kNpyTypes) word = one.type == tensor.type ? one.word : word;
  if (!word) {
    const bool real = is_float(compute_type(tensor.type));
    HostTensor wider = make_tensor(real                     ? Type::f32
                                   : is_signed(tensor.type) ? Type::i8
                                                            : Type::u8,
                                   tensor.shape);
    for (int64_t i = 0; i < tensor.elements(); ++i) wider.set(i, tensor.get(i));
    return npy_bytes(wider);
  }
  return with_header(word, tensor.shape, tensor);
}

}  // namespace burin
