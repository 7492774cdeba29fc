// Status codes, checksum, and the inline form of parallel loops.

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "runtime_min/crc32.h"
#include "runtime_min/parallel.h"
#include "runtime_min/status.h"

namespace {

TEST(RtSupport, Crc32MatchesTheCheckValue) {
  EXPECT_EQ(burin_rt::crc32("123456789", 9), 0xcbf43926u);  // the catalogue's check value
  EXPECT_EQ(burin_rt::crc32("", 0), 0u);
  EXPECT_EQ(burin_rt::crc32("6789", 4, burin_rt::crc32("12345", 5)), 0xcbf43926u);
}

// 9 was an index outside of its axis: they are clipped, so nothing gives it.
std::vector<int32_t> statuses() {
  std::vector<int32_t> out;
  for (int32_t status = 0; status <= 16; ++status) {
    if (status != 9) out.push_back(status);
  }
  return out;
}

TEST(RtSupport, EveryStatusHasItsOwnText) {
  std::set<std::string> texts;
  for (const int32_t status : statuses()) texts.insert(burin_rt::status_text(status));
  EXPECT_EQ(texts.size(), 16u);
  EXPECT_EQ(texts.count("unknown status"), 0u);
  EXPECT_STREQ(burin_rt::status_text(9), "unknown status");
  EXPECT_STREQ(burin_rt::status_text(99), "unknown status");
  EXPECT_STREQ(burin_rt::status_text(-1), "unknown status");
}

TEST(RtSupport, EveryStatusIsInTheReadme) {
  std::ostringstream readme;
  readme << std::ifstream(std::string(BURIN_SOURCE_DIR) + "/docs/tree.md").rdbuf();
  for (const int32_t status : statuses()) {
    const std::string row =
        "\n| " + std::to_string(status) + " | " + burin_rt::status_text(status) + " |\n";
    EXPECT_NE(readme.str().find(row), std::string::npos) << row;
  }
  for (const char* none : {"\n| 9 | an", "\n| 17 | "})
    EXPECT_EQ(readme.str().find(none), std::string::npos) << none;
}

TEST(RtSupport, WithoutThreadsTheBodyRunsHere) {
  std::vector<int> marks(100, 0);
  const auto part = [&](int64_t begin, int64_t end, int32_t worker) {
    EXPECT_EQ(worker, 0);
    for (int64_t i = begin; i < end; ++i) ++marks[static_cast<size_t>(i)];
  };
  EXPECT_TRUE(burin_rt::run_parallel({nullptr, nullptr, 4}, 100, part));
  EXPECT_EQ(marks, std::vector<int>(100, 1));
  EXPECT_TRUE(burin_rt::run_parallel({nullptr, nullptr, 4}, 0, part));
  EXPECT_EQ(marks, std::vector<int>(100, 1));
}

// Callers that break the promise of a parallel_for: noticed, and no part runs where it must not.
TEST(RtSupport, ABrokenParallelForIsNoticed) {
  std::vector<int> marks;
  const auto part = [&](int64_t begin, int64_t end, int32_t worker) {
    ASSERT_TRUE(worker == 0 || worker == 1);
    for (int64_t i = begin; i < end; ++i) ++marks.at(static_cast<size_t>(i));
  };
  const auto run = [&](BurinRtParallelFor parallel_for) {
    marks.assign(10, 0);
    return burin_rt::run_parallel({parallel_for, nullptr, 2}, 10, part);
  };
  EXPECT_TRUE(run([](void*, int64_t n, BurinRtBody body, void* data) {
    for (int64_t i = n; i-- > 0;) body(data, i, i + 1, static_cast<int32_t>(i % 2));
  }));
  EXPECT_EQ(marks, std::vector<int>(10, 1));
  EXPECT_FALSE(run([](void*, int64_t, BurinRtBody, void*) {}));
  EXPECT_FALSE(run([](void*, int64_t n, BurinRtBody body, void* data) { body(data, 1, n, 0); }));
  EXPECT_FALSE(
      run([](void*, int64_t n, BurinRtBody body, void* data) { body(data, 0, n + 1, 0); }));
  EXPECT_FALSE(run([](void*, int64_t n, BurinRtBody body, void* data) { body(data, -1, n, 0); }));
  EXPECT_FALSE(run([](void*, int64_t n, BurinRtBody body, void* data) { body(data, n, 0, 0); }));
  EXPECT_FALSE(run([](void*, int64_t n, BurinRtBody body, void* data) { body(data, 0, n, 2); }));
  EXPECT_EQ(marks, std::vector<int>(10, 0));
  EXPECT_FALSE(run([](void*, int64_t n, BurinRtBody body, void* data) { body(data, 0, n, -1); }));
  EXPECT_FALSE(run([](void*, int64_t n, BurinRtBody body, void* data) {
    body(data, 0, n, 0);
    body(data, 0, n, 1);
  }));
}

}  // namespace
