#include "report/array_file.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>

#include "import/import.h"
#include "report/array_kinds.h"
#include "report/data_set.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

std::string bytes_in(const std::string& path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  if (!in) refuse("io", "cannot be read: " + std::system_category().message(errno));
  if (in.tellg() > kMostArrayBytes) refuse("io", "is larger than 4 GiB");
  in.seekg(0);
  std::string bytes(std::istreambuf_iterator<char>(in), {});
  if (in.bad()) refuse("io", "cannot be read");
  return bytes;
}

}  // namespace

HostTensor of_bytes(Type type, std::vector<int64_t> shape, std::string_view bytes) {
  HostTensor out = make_tensor(type, std::move(shape));
  if (out.bytes.size() != bytes.size())
    refuse("io", "has " + std::to_string(bytes.size()) + " bytes of elements, " +
                     std::to_string(out.bytes.size()) + " are needed");
  if (!bytes.empty()) std::memcpy(out.bytes.data(), bytes.data(), bytes.size());
  return out;
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  return text.substr(text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
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
    refuse("io", "has " + std::to_string(count) + " elements, the input takes " +
                     (open == 1 ? "a multiple of " : "") + std::to_string(known));
  for (int64_t& extent : shape) extent = extent < 0 ? count / known : extent;
  return shape;
}

namespace {

constexpr std::string_view kGaps = ",; \t\n\r";

// A number, in quotation marks or not; nullopt: it is none of this type.
std::optional<ScalarValue> number_in(std::string_view word, Type type) {
  if (word.size() > 2 && word.front() == '"' && word.back() == '"')
    word = word.substr(1, word.size() - 2);
  if (word.starts_with('+')) word.remove_prefix(1);
  const char *first = word.data(), *last = word.data() + word.size();
  ScalarValue value{};
  const bool real = is_float(compute_type(type));
  const auto [stop, error] = real ? std::from_chars(first, last, value.number)
                                  : std::from_chars(first, last, value.integer);
  if (error != std::errc() || stop != last) return std::nullopt;
  return value;
}

// The words of a line or of several.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> out;
  for (size_t at = 0; (at = text.find_first_not_of(kGaps, at)) != text.npos;) {
    const size_t end = std::min(text.find_first_of(kGaps, at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}

// Without a byte order mark, and without names of columns: a first line of several that has
// no number.
std::string_view numbers_in(std::string_view text, Type type) {
  text = without_byte_order_mark(text);
  const size_t end = text.find('\n');
  if (end == text.npos || text.find_first_not_of(kGaps, end) == text.npos) return text;
  const std::vector<std::string_view> first = words_of(text.substr(0, end));
  const bool has_names = std::none_of(first.begin(), first.end(), [&](std::string_view word) {
    return number_in(word, Type::f64) || number_in(word, type);
  });
  return has_names ? text.substr(end) : text;
}

HostTensor read_text(const std::string& text, const ArrayForm& form) {
  std::vector<ScalarValue> numbers;
  for (const std::string_view word : words_of(numbers_in(text, form.type))) {
    const std::optional<ScalarValue> value = number_in(word, form.type);
    if (!value)
      refuse("type", "element " + std::to_string(numbers.size()) + " is " +
                         burin::quoted(word.substr(0, 40)) + ", no " +
                         std::string(to_string(form.type)));
    numbers.push_back(*value);
  }
  HostTensor out = make_tensor(form.type, filled(form.shape, static_cast<int64_t>(numbers.size())));
  for (size_t i = 0; i < numbers.size(); ++i) out.set(static_cast<int64_t>(i), numbers[i]);
  return out;
}

HostTensor read_message(const std::string& path, const ArrayForm& form) {
  const Tensor tensor = import_tensor(path).tensor;
  if (form.string_bytes > 0 && tensor.type == Type::string)
    return rows_of_strings(tensor.shape, tensor.strings, form.string_bytes);
  return to_host(tensor);
}

HostTensor read_as(const std::string& path, const ArrayForm& form) {
  const auto ends = [&](const char* ending) { return path.ends_with(ending); };
  if (ends(".pb")) return read_message(path, form);
  if (ends(".npy")) return read_npy(bytes_in(path), form);
  if (ends(".npz")) return read_npz(path, form);
  if (ends(".txt") && form.string_bytes > 0)
    return lines_of_text(bytes_in(path), form.shape, form.string_bytes);
  if (form.string_bytes > 0) {
    bytes_in(path);  // one that cannot be read is told first
    refuse("io", "has no strings",
           "an array of strings is a .npy, .npz or .pb file, or a .txt file with one in each line");
  }
  if (ends(".png")) return read_png(path, form);
  if (ends(".wav")) return read_wav(bytes_in(path), form);
  if (ends(".csv") || ends(".txt")) return read_text(bytes_in(path), form);
  if (ends(".raw") || ends(".bin")) {
    const std::string bytes = bytes_in(path);
    const int bits = size_bits(form.type);
    if (bits < 8) refuse("type", "elements of less than a byte are read from .pb only");
    if (bytes.size() % (static_cast<size_t>(bits) / 8) != 0)
      refuse("io", "has " + std::to_string(bytes.size()) + " bytes, which are no whole number of " +
                       std::string(to_string(form.type)));
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

}  // namespace burin
