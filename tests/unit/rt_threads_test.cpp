// The thread pool: every index exactly once, worker numbers in range and never used twice at a
// time; those of few parts are below the number of parts.

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "runtime_min/hosted/pool.h"
#include "runtime_min/parallel.h"

namespace {

struct Marks {
  std::vector<std::atomic<int>> seen;
  std::vector<std::atomic<int>> busy;
  std::atomic<int> errors{0};
  Marks(size_t n, size_t workers) : seen(n), busy(workers) {}
};

void mark(Marks& marks, int64_t begin, int64_t end, int32_t worker) {
  if (worker < 0 || worker >= static_cast<int32_t>(marks.busy.size())) {
    ++marks.errors;
    return;
  }
  if (marks.busy[static_cast<size_t>(worker)].exchange(1) != 0) ++marks.errors;
  for (int64_t i = begin; i < end; ++i) ++marks.seen[static_cast<size_t>(i)];
  marks.busy[static_cast<size_t>(worker)] = 0;
}

TEST(RtThreads, EveryIndexOnce) {
  for (const int32_t workers : {1, 2, 3, 8}) {
    burin_pool::Pool* pool = burin_pool::create(workers);
    ASSERT_NE(pool, nullptr);
    EXPECT_EQ(burin_pool::count_of(pool), workers);
    for (const int64_t n : {0, 1, 2, 7, 31, 1000}) {
      for (int round = 0; round < 20; ++round) {
        Marks marks(static_cast<size_t>(n), static_cast<size_t>(workers));
        const burin_rt::Threads threads = {burin_pool::parallel_for, pool, workers};
        const auto part = [&](int64_t begin, int64_t end, int32_t worker) {
          if (n > 1 && n <= workers && worker != begin) ++marks.errors;
          mark(marks, begin, end, worker);
        };
        EXPECT_TRUE(burin_rt::run_parallel(threads, n, part));
        EXPECT_EQ(marks.errors, 0);
        for (const auto& seen : marks.seen) ASSERT_EQ(seen, 1);
      }
    }
    burin_pool::destroy(pool);
  }
}

TEST(RtThreads, RefusesAPoolOfNobody) {
  EXPECT_EQ(burin_pool::create(0), nullptr);
  EXPECT_EQ(burin_pool::create(-3), nullptr);
  burin_pool::destroy(nullptr);
}

}  // namespace
