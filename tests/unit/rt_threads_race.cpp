// A program of its own, built with the thread sanitizer by rt_threads_test.cpp: pools whose workers
// look for loops before they sleep, and pools whose workers do not. 0: every part ran once.
#include <time.h>

#include <vector>

#include "runtime_min/hosted/pool.h"

namespace {

bool loops_are_whole(int32_t workers, bool spins) {
  burin_pool::Pool* pool = burin_pool::create(workers, spins);
  if (pool == nullptr) return false;
  bool whole = true;
  for (int round = 0; round < 1000; ++round) {
    std::vector<int> seen(1 + static_cast<size_t>(round % 40));
    burin_pool::parallel_for(
        pool, static_cast<int64_t>(seen.size()),
        [](void* data, int64_t begin, int64_t end, int32_t) {
          for (int64_t i = begin; i < end; ++i)
            ++(*static_cast<std::vector<int>*>(data))[static_cast<size_t>(i)];
        },
        &seen);
    for (const int one : seen) whole = whole && one == 1;
    if (round % 250 == 0) {
      const timespec pause = {0, 2 * burin_pool::kSpinNanoseconds};
      nanosleep(&pause, nullptr);
    }
  }
  burin_pool::destroy(pool);
  return whole;
}

}  // namespace

int main() {
  for (const int32_t workers : {2, 3, 16}) {
    if (!loops_are_whole(workers, false) || !loops_are_whole(workers, true)) return 1;
  }
  return 0;
}
