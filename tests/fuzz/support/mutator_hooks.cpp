// The fuzzers of models mutate the model's message (model_mutator.h), so that most inputs get
// behind import.
#include <google/protobuf/stubs/logging.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "fuzz/support/model_mutator.h"

namespace {

// Strings of a mutated model are no UTF-8, which need not be said each time.
[[maybe_unused]] const auto kTold = google::protobuf::SetLogHandler(nullptr);

// Copies the bytes where they fit; libFuzzer's buffers have a fixed capacity.
size_t put(const std::string& bytes, uint8_t* out, size_t capacity) {
  if (bytes.size() > capacity) return 0;
  std::memcpy(out, bytes.data(), bytes.size());
  return bytes.size();
}

std::string_view view(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t capacity,
                                          unsigned seed) {
  const std::string mutated = burin::fuzz::mutate_model(view(data, size), seed);
  const size_t taken = put(mutated, data, capacity);
  return taken > 0 ? taken : size;
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* first, size_t first_size,
                                            const uint8_t* second, size_t second_size, uint8_t* out,
                                            size_t capacity, unsigned seed) {
  return put(burin::fuzz::cross_models(view(first, first_size), view(second, second_size), seed),
             out, capacity);
}
