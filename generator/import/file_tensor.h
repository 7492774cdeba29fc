// Tensors of the file: contents checked against type and shape, then viewed where they lie or
// copied.
//
// Constants are row-major, little-endian, 4-bit elements two to a byte with the first in the low
// half and a zero in an unused one, booleans 0 or 1, and aligned to their element's size: raw data
// that lies aligned in the file stays there, other data is copied and its pages are given back.
// O(bytes).
#pragma once

#include <memory>

#include "import/budget.h"
#include "import/file.h"
#include "import/messages.h"

namespace burin {

class TensorReader {
 public:
  TensorReader(std::shared_ptr<const FileBytes> file, ExternalFiles& external, Budget& budget)
      : file_(std::move(file)), external_(external), budget_(budget) {}

  // Refuses as tensor, type, external-data or limit.
  Tensor read(const TensorMessage& message);
  // Made dense, within ImportLimits::sparse_bytes.
  Tensor read_sparse(const SparseTensorMessage& message);

 private:
  Tensor header(const TensorMessage& message);
  int64_t checked_bytes(const Tensor& tensor) const;
  void read_strings(const TensorMessage& message, Tensor& tensor);
  Constant read_raw(const Tensor& tensor, std::string_view bytes,
                    const std::shared_ptr<const FileBytes>& owner);
  Constant read_external(const TensorMessage& message, const Tensor& tensor, int64_t bytes);

  std::shared_ptr<const FileBytes> file_;
  ExternalFiles& external_;
  Budget& budget_;
};

// Numbers of the typed fields (float_data ... uint64_data), converted to the bytes of `type`.
std::vector<std::byte> decode_typed(const TensorMessage& message, Type type, int64_t elements);

}  // namespace burin
