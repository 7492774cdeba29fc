#include "report/array_file.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>

#include "import/import.h"
#include "report/array_kinds.h"
#include "report/data_set.h"
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

std::string bytes_in(const std::string& path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  if (!in) refuse("io", "cannot be read");
  if (in.tellg() > kMostArrayBytes) refuse("io", "is larger than 4 GiB");
  in.seekg(0);
  std::string bytes(std::istreambuf_iterator<char>(in), {});
  if (in.bad()) refuse("io", "cannot be read");
  return bytes;
}

HostTensor of_bytes(Type type, std::vector<int64_t> shape, std::string_view bytes) {
  HostTensor out = make_tensor(type, std::move(shape));
  if (out.bytes.size() != bytes.size())
    refuse("io", "has " + std::to_string(bytes.size()) + " bytes of elements, " +
                     std::to_string(out.bytes.size()) + " are needed");
  if (!bytes.empty()) std::memcpy(out.bytes.data(), bytes.data(), bytes.size());
  return out;
}

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

}  // namespace

HostTensor read_npy(std::string_view all) {
  if (!all.starts_with(kMagic) || all.size() < 10) refuse("io", "is no .npy file");
  const auto byte = [&](size_t i) { return size_t{static_cast<unsigned char>(all[i])}; };
  const bool wide = byte(6) >= 2;
  if (wide && all.size() < 12) refuse("io", "its header is cut");
  const size_t length = byte(8) | byte(9) << 8 | (wide ? byte(10) << 16 | byte(11) << 24 : 0);
  const size_t start = wide ? 12 : 10;
  if (length > all.size() - start) refuse("io", "its header is cut");
  const std::string_view header = all.substr(start, length);
  if (value_of(header, "fortran_order") != "False")
    refuse("io", "is stored by columns", "save numpy.ascontiguousarray(x)");
  std::string_view word = value_of(header, "descr");
  if (word.size() > 2) word = word.substr(1, word.size() - 2);
  for (const NpyType& one : kNpyTypes) {
    if (word == one.word)
      return of_bytes(one.type, shape_of(value_of(header, "shape")), all.substr(start + length));
  }
  refuse("type", "its elements are " + burin::quoted(word) + ", which is not read",
         "numbers in little-endian order are");
}

std::vector<int64_t> filled(std::vector<int64_t> shape, int64_t count) {
  int64_t known = 1, open = 0;
  for (const int64_t extent : shape) {
    open += extent < 0;
    known *= extent < 0 ? 1 : extent;
  }
  if (open > 1)
    refuse("io", "does not say its shape, of which several sizes are open",
           "give them with --dim, or a .npy file");
  if (open == 1 ? known == 0 || count % known != 0 : count != known)
    refuse("io", "has " + std::to_string(count) + " elements, which do not fill the input",
           "give a .npy file, which has a shape");
  for (int64_t& extent : shape) extent = extent < 0 ? count / known : extent;
  return shape;
}

namespace {

HostTensor read_text(const std::string& text, const ArrayForm& form) {
  std::vector<ScalarValue> numbers;
  const auto is_gap = [](char c) {
    return c == ',' || c == ';' || c == ' ' || c == '\t' || c == '\n' || c == '\r';
  };
  for (size_t at = 0; at < text.size();) {
    if (is_gap(text[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < text.size() && !is_gap(text[end])) ++end;
    const char *first = text.data() + at, *last = text.data() + end;
    if (*first == '+') ++first;
    ScalarValue value{};
    const bool real = is_float(compute_type(form.type));
    const auto [stop, error] = real ? std::from_chars(first, last, value.number)
                                    : std::from_chars(first, last, value.integer);
    if (error != std::errc() || stop != last)
      refuse("type", "element " + std::to_string(numbers.size()) + " is " +
                         burin::quoted(text.substr(at, std::min<size_t>(end - at, 40))) + ", no " +
                         std::string(to_string(form.type)));
    numbers.push_back(value);
    at = end;
  }
  HostTensor out = make_tensor(form.type, filled(form.shape, static_cast<int64_t>(numbers.size())));
  for (size_t i = 0; i < numbers.size(); ++i) out.set(static_cast<int64_t>(i), numbers[i]);
  return out;
}

HostTensor read_as(const std::string& path, const ArrayForm& form) {
  const auto ends = [&](const char* ending) { return path.ends_with(ending); };
  if (ends(".pb")) return to_host(import_tensor(path).tensor);
  if (ends(".npy")) return read_npy(bytes_in(path));
  if (ends(".npz")) return read_npz(path, form.name);
  if (ends(".png")) return read_png(path, form);
  if (ends(".wav")) return read_wav(bytes_in(path), form);
  if (ends(".csv") || ends(".txt")) return read_text(bytes_in(path), form);
  if (ends(".raw") || ends(".bin")) {
    const std::string bytes = bytes_in(path);
    const int bits = size_bits(form.type);
    if (bits < 8) refuse("type", "elements of less than a byte are read from .pb only");
    return of_bytes(form.type, filled(form.shape, static_cast<int64_t>(bytes.size()) / (bits / 8)),
                    bytes);
  }
  refuse("io", "is of no known kind",
         "the endings .npy, .npz, .pb, .png, .wav, .csv, .txt, .raw and .bin are read");
}

}  // namespace

HostTensor read_array(const std::string& path, const ArrayForm& form) {
  return located({.file = path}, [&] { return read_as(path, form); });
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
  std::string shape;
  for (const int64_t extent : tensor.shape) shape += std::to_string(extent) + ", ";
  if (tensor.shape.size() > 1) shape.resize(shape.size() - 2);
  if (tensor.shape.size() == 1) shape.pop_back();
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

}  // namespace burin
