// Status codes, checksum, and the inline form of parallel loops.

#include <gtest/gtest.h>

#include <cstring>
#include <set>
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

TEST(RtSupport, EveryStatusHasItsOwnText) {
  std::set<std::string> texts;
  for (int32_t status = 0; status <= 12; ++status) texts.insert(burin_rt::status_text(status));
  EXPECT_EQ(texts.size(), 13u);
  EXPECT_EQ(texts.count("unknown status"), 0u);
  EXPECT_STREQ(burin_rt::status_text(99), "unknown status");
  EXPECT_STREQ(burin_rt::status_text(-1), "unknown status");
}

void add_range(void* data, int64_t begin, int64_t end, int32_t worker) {
  auto& marks = *static_cast<std::vector<int>*>(data);
  EXPECT_EQ(worker, 0);
  for (int64_t i = begin; i < end; ++i) ++marks[static_cast<size_t>(i)];
}

TEST(RtSupport, WithoutThreadsTheBodyRunsHere) {
  std::vector<int> marks(100, 0);
  burin_rt::run_parallel(nullptr, nullptr, 100, add_range, &marks);
  EXPECT_EQ(marks, std::vector<int>(100, 1));
  burin_rt::run_parallel(nullptr, nullptr, 0, add_range, nullptr);
}

}  // namespace
