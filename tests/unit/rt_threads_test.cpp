// The thread pool: every index exactly once, worker numbers in range and never used twice at a
// time; those of few parts are below the number of parts.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
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

struct Meeting {
  std::atomic<int> inside{0};
  std::atomic<bool> met{false};
};

// Waits until another worker is there as well, ten seconds at most.
void meet(void* data, int64_t, int64_t, int32_t) {
  auto* meeting = static_cast<Meeting*>(data);
  ++meeting->inside;
  const int64_t begin = burin_pool::nanoseconds();
  while (!meeting->met && burin_pool::nanoseconds() - begin < 10'000'000'000) {
    if (meeting->inside >= 2) meeting->met = true;
    sched_yield();
  }
  --meeting->inside;
}

// The caller could do all parts by itself; workers come all the same, from their sleep and from
// looking for a loop.
TEST(RtThreads, WorkersJoin) {
  for (const bool spins : {false, true}) {
    burin_pool::Pool* pool = burin_pool::create(2, spins);
    ASSERT_NE(pool, nullptr);
    for (const bool pause : {false, true, false}) {
      const timespec longer = {0, 5 * burin_pool::kSpinNanoseconds};
      if (pause) nanosleep(&longer, nullptr);
      Meeting meeting;
      burin_pool::parallel_for(pool, 2, meet, &meeting);
      EXPECT_TRUE(meeting.met) << "spins " << spins << ", after a pause " << pause;
    }
    burin_pool::destroy(pool);
  }
}

// Workers that are late are not waited for: loops right behind each other, and after a pause.
TEST(RtThreads, LoopsAfterAPauseAreWhole) {
  for (const bool spins : {false, true}) {
    burin_pool::Pool* pool = burin_pool::create(8, spins);
    ASSERT_NE(pool, nullptr);
    std::vector<int> seen(40);
    for (int round = 0; round < 600; ++round) {
      if (round % 100 == 0) {
        const timespec pause = {0, 2 * burin_pool::kSpinNanoseconds};
        nanosleep(&pause, nullptr);
      }
      burin_pool::parallel_for(
          pool, 40,
          [](void* data, int64_t begin, int64_t end, int32_t) {
            for (int64_t i = begin; i < end; ++i)
              ++(*static_cast<std::vector<int>*>(data))[static_cast<size_t>(i)];
          },
          &seen);
      // What workers wrote is seen here, without an atomic variable.
      for (const int one : seen) ASSERT_EQ(one, round + 1);
    }
    burin_pool::destroy(pool);
  }
}

TEST(RtThreads, TheThreadSanitizerSeesNoRace) {
  const std::string source = BURIN_SOURCE_DIR,
                    program = testing::TempDir() + "burin_pool_" + std::to_string(getpid());
  const std::string build = "g++ -std=c++17 -O1 -g -fsanitize=thread -pthread -I" + source +
                            " -o " + program + " " + source + "/tests/unit/rt_threads_race.cpp";
  ASSERT_EQ(std::system(build.c_str()), 0);
  EXPECT_EQ(std::system(program.c_str()), 0);
  std::remove(program.c_str());
}

TEST(RtThreads, RefusesAPoolOfNobody) {
  EXPECT_EQ(burin_pool::create(0), nullptr);
  EXPECT_EQ(burin_pool::create(-3), nullptr);
  EXPECT_EQ(burin_pool::create(4096), nullptr);
  burin_pool::destroy(nullptr);
}

}  // namespace
