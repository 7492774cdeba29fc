// What import has taken so far, held against ImportLimits before memory is taken.
#pragma once

#include <string>
#include <string_view>

#include "import/import.h"
#include "support/diagnostics.h"

namespace burin {

class Budget {
 public:
  explicit Budget(const ImportLimits& limits)
      : limits_(limits), memory_(limits.memory_bytes), work_(limits.work_bytes) {}

  const ImportLimits& limits() const { return limits_; }

  void add_file(int64_t bytes) {
    add_product(memory_, bytes, limits_.memory_per_file_byte);
    add_product(work_, bytes, limits_.work_per_file_byte);
  }
  void take_memory(int64_t bytes) {
    if (bytes > memory_)
      refuse_excess("memory", limits_.memory_bytes, limits_.memory_per_file_byte);
    memory_ -= bytes;
  }
  void take_work(int64_t bytes) {
    if (bytes > work_) refuse_excess("reading", limits_.work_bytes, limits_.work_per_file_byte);
    work_ -= bytes;
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
  static void add_product(int64_t& sum, int64_t bytes, int64_t factor) {
    int64_t more;
    if (__builtin_mul_overflow(bytes, factor, &more) || __builtin_add_overflow(sum, more, &sum)) {
      sum = INT64_MAX;
    }
  }
  [[noreturn]] static void refuse_excess(const char* what, int64_t base, int64_t per_byte) {
    refuse("limit", std::string("the model needs more ") + what + " than its size explains (" +
                        std::to_string(base) + " bytes and " + std::to_string(per_byte) +
                        " per byte of the files)");
  }
  static void take(int64_t& used, int64_t n, int64_t limit, const char* what) {
    if (n > limit - used) {
      refuse("limit", "the model has more than " + std::to_string(limit) + " " + what);
    }
    used += n;
  }

  const ImportLimits& limits_;
  int64_t memory_, work_;
  int64_t sparse_ = 0, nodes_ = 0, values_ = 0, attributes_ = 0;
};

}  // namespace burin
