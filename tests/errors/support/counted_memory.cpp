#include "errors/support/counted_memory.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<int64_t> pieces_asked_for = 0;

}  // namespace

// Of this whole program: only counted.
void* operator new(size_t bytes) {
  pieces_asked_for.fetch_add(1 + static_cast<int64_t>(bytes / 64), std::memory_order_relaxed);
  if (void* const memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace burin {

int64_t memory_asked_for() { return pieces_asked_for; }

}  // namespace burin
