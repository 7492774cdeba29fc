// What import has taken so far, held against ImportLimits before memory is taken.
#pragma once

#include <string>
#include <string_view>

#include "import/import.h"
#include "support/diagnostics.h"

namespace burin {

class Budget {
 public:
  explicit Budget(const ImportLimits& limits) : limits_(limits), memory_(limits.memory_bytes) {}

  const ImportLimits& limits() const { return limits_; }

  void add_file(int64_t bytes) {
    int64_t more;
    if (__builtin_mul_overflow(bytes, int64_t{limits_.memory_per_file_byte}, &more) ||
        __builtin_add_overflow(memory_, more, &memory_)) {
      memory_ = INT64_MAX;
    }
  }
  void take_memory(int64_t bytes) {
    if (bytes > memory_) {
      refuse("limit", "the model needs more memory than its size explains (" +
                          std::to_string(limits_.memory_bytes) + " bytes and " +
                          std::to_string(limits_.memory_per_file_byte) + " per byte of the files)");
    }
    memory_ -= bytes;
  }
  void take_sparse(int64_t bytes) {
    take(sparse_, bytes, limits_.sparse_bytes, "bytes in sparse tensors");
  }
  void take_nodes(int64_t n) { take(nodes_, n, limits_.nodes, "nodes"); }
  void take_value() { take(values_, 1, limits_.values, "values"); }
  void take_attribute() { take(attributes_, 1, limits_.attributes, "attributes"); }

  // A copy of a name of the file.
  std::string name(std::string_view text) {
    if (static_cast<int64_t>(text.size()) > limits_.name_bytes) {
      refuse("limit", "name " + quoted(text) + " has " + std::to_string(text.size()) +
                          " bytes; the limit is " + std::to_string(limits_.name_bytes));
    }
    return this->text(text);
  }
  std::string text(std::string_view text) {
    take_memory(static_cast<int64_t>(text.size()));
    return std::string(text);
  }

 private:
  static void take(int64_t& used, int64_t n, int64_t limit, const char* what) {
    if (n > limit - used) {
      refuse("limit", "the model has more than " + std::to_string(limit) + " " + what);
    }
    used += n;
  }

  const ImportLimits& limits_;
  int64_t memory_;
  int64_t sparse_ = 0, nodes_ = 0, values_ = 0, attributes_ = 0;
};

}  // namespace burin
