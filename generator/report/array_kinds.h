// The kinds of files that read_array dispatches on, apart from text and bytes. Private to
// report/array_*.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/array_file.h"

namespace burin {

inline constexpr int64_t kMostArrayBytes = int64_t{1} << 32;

// A .npy file's bytes, in either byte order, by rows or by columns. Refuses (io, type) what is
// broken or neither numbers nor the strings that the form asks for.
HostTensor read_npy(std::string_view bytes, const ArrayForm& form);
// Of an archive, the array of the form's name, or the only one. Refuses (io) other archives.
HostTensor read_npz(const std::string& path, const ArrayForm& form);
// Elements that NumPy's header calls `word`, as rows of `each` bytes; nullopt: they are no strings.
// Refuses (io, unsupported-feature) what is no Unicode, too long, or cut.
std::optional<HostTensor> npy_strings(std::string_view word, const std::vector<int64_t>& shape,
                                      std::string_view elements, int64_t each);
HostTensor lines_of_text(std::string_view text, std::vector<int64_t> shape, int64_t each);
HostTensor rows_of_strings(std::vector<int64_t> shape, const std::vector<std::string>& strings,
                           int64_t each);
// Gray, colour or colour and opacity, as the form's channels are; 0 to 1 in floats, 0 to 255 in
// u8. Refuses (io, type) a form that is no image, or of another size.
HostTensor read_png(const std::string& path, const ArrayForm& form);
// Samples, channel after channel, where the form has several: -1 to 1 in floats, as they are in
// integers of their width. Refuses (io, type) compressed ones.
HostTensor read_wav(const std::string& bytes, const ArrayForm& form);

// Refuses (io) another number of bytes than the shape has.
HostTensor of_bytes(Type type, std::vector<int64_t> shape, std::string_view bytes);

// Without what editors put in front of text.
std::string_view without_byte_order_mark(std::string_view text);

// The shape of `count` elements; what is open is what is left. Refuses (io) a count that the shape
// does not allow.
std::vector<int64_t> filled(std::vector<int64_t> shape, int64_t count);

}  // namespace burin
