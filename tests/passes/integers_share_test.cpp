// What threads share of an integer product: bands of a plane, or its filters.
#include <gtest/gtest.h>

#include "select/integers/share.h"

namespace burin::integers_share_test {
namespace {

// A plane of size x size results of a 3 x 3 window over so many groups of channels, in bands of so
// many rows.
SlidingWindow window(int64_t size, int64_t groups, int64_t band) {
  SlidingWindow out;
  for (SlidingAxis* axis : {&out.rows, &out.columns}) {
    axis->output = 0;
    axis->tap = 1;
    axis->outputs = size;
    axis->positions = size + 2;
  }
  out.planes_extent = groups;
  out.band = band;
  return out;
}

// Of a core that does 64 products of 4 channels in 2 cycles.
bool whole_is_faster(int64_t size, int64_t groups, int64_t band, int64_t filters, int threads) {
  Hardware hardware;
  hardware.threads_max = threads;
  const int64_t cycles = size * size * 9 * groups * filters / 32;
  return whole_plane_is_faster(window(size, groups, band), window(size, groups, size), filters, 16,
                               cycles, hardware);
}

TEST(IntegersShare, SmallPlanesAreWholeAndFiltersShared) {
  EXPECT_TRUE(whole_is_faster(7, 128, 4, 512, 8));
  EXPECT_TRUE(whole_is_faster(7, 128, 4, 512, 1));
}

TEST(IntegersShare, LargePlanesAreBands) {
  EXPECT_FALSE(whole_is_faster(56, 16, 4, 64, 8));
  EXPECT_FALSE(whole_is_faster(28, 32, 4, 16, 8)) << "staging for few filters is dear";
}

TEST(IntegersShare, WhatIsNoBandStays) {
  Hardware hardware;
  EXPECT_FALSE(
      whole_plane_is_faster(window(7, 8, 7), window(7, 8, 7), 64, 16, int64_t{1} << 20, hardware));
}

}  // namespace
}  // namespace burin::integers_share_test
