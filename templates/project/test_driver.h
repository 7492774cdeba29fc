// Between the two parts of a test program: test_driver.cpp, which is the same for every emitted
// tree, and driver.cpp, which says what the Network of one tree is made of.
#ifndef BURIN_TEST_DRIVER_H
#define BURIN_TEST_DRIVER_H

#include <stddef.h>
#include <stdint.h>

namespace burin_test {

constexpr size_t kMostText = 1024;  // that explains a status

// An input and an output that may be one buffer, by their numbers.
struct State {
  int input, output;
};

struct Network {
  int symbols, inputs, outputs, shape_entries;
  size_t context_bytes;
  bool has_weights;  // a file; else they are part of the program
  size_t (*arena_bytes)(const int64_t* dims);
  int32_t (*init)(void* context, void* arena, size_t arena_bytes, const void* weights,
                  size_t weights_bytes);
  int32_t (*run)(void* context, const int64_t* dims, const void* const* inputs,
                 void* const* outputs, const int64_t* capacities, int64_t* shapes);
  size_t (*explain)(const void* context, int32_t status, char* text, size_t bytes);
  void (*release)(void* context);  // of what init took; or null
  const State* state;
  int states;
};

// A parallel_for that no pool would be: single parts, last one first, under changing workers. What
// a network computes must not depend on it.
template <int32_t kWorkers>
void scattered_for(void*, int64_t n, void (*body)(void*, int64_t, int64_t, int32_t), void* data) {
  for (int64_t i = n; i-- > 0;) body(data, i, i + 1, static_cast<int32_t>(i % kWorkers));
}

// Defined by driver.cpp.
Network network();

}  // namespace burin_test

#endif  // BURIN_TEST_DRIVER_H
