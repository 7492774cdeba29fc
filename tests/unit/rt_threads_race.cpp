// A program of its own, built with the thread sanitizer by rt_threads_test.cpp: pools of as many
// workers as there are processors, which spin, and of more, which sleep. 0: every part ran once.
#include <time.h>

#include <vector>

#include "runtime_min/hosted/pool.h"

namespace {

bool loops_are_whole(int32_t workers) {
  burin_pool::Pool* pool = burin_pool::create(workers);
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

int main() { return loops_are_whole(2) && loops_are_whole(3) && loops_are_whole(16) ? 0 : 1; }
