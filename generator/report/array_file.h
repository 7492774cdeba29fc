// Arrays in files that people have: NumPy's .npy and .npz, ONNX's .pb, images (.png), sound (.wav),
// numbers as text (.csv, .txt), strings as lines of text (.txt) and bytes as they are (.raw, .bin).
#pragma once

#include <string>
#include <vector>

#include "kernel/tensor.h"

namespace burin {

// What a file without type and shape is read as.
struct ArrayForm {
  Type type = Type::f32;
  std::vector<int64_t> shape;  // -1: an extent that is not known, of which one may be
  std::string name{};          // of the array in an archive of several
  // Above 0: strings, each of so many bytes (graph/string_bytes.h), and read as u8 with one
  // dimension more than `shape`.
  int64_t string_bytes = 0;
};

// By the ending of the path. A first line of text without a number has names of columns. Refused
// (io, type): other endings, broken files, numbers that the type does not have, a count of elements
// that the shape does not allow. O(bytes).
HostTensor read_array(const std::string& path, const ArrayForm& form);

// What is in a .npz file, in its order.
std::vector<std::string> npz_names(const std::string& path);

// The bytes of a .npy file; of types that NumPy lacks (bf16, 8-bit floats, 4 bits) as f32 or bytes.
std::string npy_bytes(const HostTensor& tensor);
// The same of strings, whose last extent is that of their bytes: NumPy's 'S'.
std::string npy_bytes_of_strings(const HostTensor& tensor);

}  // namespace burin
