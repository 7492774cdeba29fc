// Strings in arrays: NumPy's 'U' (code points of four bytes) and 'S' (bytes), and lines of text.
#include <charconv>

#include "graph/string_bytes.h"
#include "report/array_file.h"
#include "report/array_kinds.h"
#include "support/diagnostics.h"
#include "support/utf8.h"

namespace burin {
namespace {

constexpr uint32_t kLastCodePoint = 0x10ffff;

void append_utf8(std::string& out, uint32_t point) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | (point >> shift & 0x3f)); };
  if (point < 0x80) {
    out += static_cast<char>(point);
  } else if (point < 0x800) {
    out += static_cast<char>(0xc0 | point >> 6);
    tail(0);
  } else if (point < 0x10000) {
    out += static_cast<char>(0xe0 | point >> 12);
    tail(6), tail(0);
  } else {
    out += static_cast<char>(0xf0 | point >> 18);
    tail(12), tail(6), tail(0);
  }
}

// Zeros at the end are none of the string's.
std::string of_code_points(std::string_view bytes, bool big_end_first) {
  std::string out;
  size_t last = bytes.find_last_not_of('\0');
  const size_t count = last == bytes.npos ? 0 : last / 4 + 1;
  for (size_t i = 0; i < count; ++i) {
    uint32_t point = 0;
    for (size_t k = 0; k < 4; ++k) {
      const size_t at = 4 * i + (big_end_first ? k : 3 - k);
      point = point << 8 | static_cast<unsigned char>(bytes[at]);
    }
    if (point > kLastCodePoint || (point >= 0xd800 && point < 0xe000))
      refuse("io", "has a character that Unicode does not have");
    append_utf8(out, point);
  }
  return out;
}

std::string of_plain_bytes(std::string_view bytes) {
  const size_t last = bytes.find_last_not_of('\0');
  return std::string(bytes.substr(0, last == bytes.npos ? 0 : last + 1));
}

}  // namespace

HostTensor rows_of_strings(std::vector<int64_t> shape, const std::vector<std::string>& strings,
                           int64_t each) {
  for (const std::string& one : strings) {
    if (const size_t at = first_bad_utf8(one); at < one.size())
      refuse("io", "a string is no UTF-8 at its byte " + std::to_string(at));
  }
  shape.push_back(each);
  return to_tensor(Type::u8, std::move(shape), bytes_of(strings, each));
}

std::optional<HostTensor> npy_strings(std::string_view word, const std::vector<int64_t>& shape,
                                      std::string_view elements, int64_t each) {
  if (word.size() < 3 || (word[1] != 'U' && word[1] != 'S')) return std::nullopt;
  const bool wide = word[1] == 'U';
  int64_t units = 0;
  const auto [end, error] = std::from_chars(word.data() + 2, word.data() + word.size(), units);
  if (error != std::errc() || end != word.data() + word.size() || units < 0 ||
      units > kMostArrayBytes)
    refuse("io", "its header is broken");
  const auto width = static_cast<size_t>(units) * (wide ? 4 : 1);
  size_t count = 1;
  for (const int64_t extent : shape) count *= static_cast<size_t>(extent);
  if (width == 0 ? !elements.empty()
                 : elements.size() % width != 0 || elements.size() / width != count)
    refuse("io", "has " + std::to_string(elements.size()) + " bytes of elements, " +
                     std::to_string(count) + " of " + std::to_string(width) + " are needed");
  std::vector<std::string> strings;
  for (size_t i = 0; i < count; ++i) {
    const std::string_view one = elements.substr(i * width, width);
    strings.push_back(wide ? of_code_points(one, word[0] == '>') : of_plain_bytes(one));
  }
  return rows_of_strings(shape, strings, each);
}

HostTensor lines_of_text(std::string_view text, std::vector<int64_t> shape, int64_t each) {
  text = without_byte_order_mark(text);
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return rows_of_strings(filled(std::move(shape), static_cast<int64_t>(lines.size())), lines, each);
}

}  // namespace burin
