// The operators of the burin program (generator/small_blocks.cpp), which this program has as well.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

namespace burin {
namespace {

struct Block {
  unsigned char* bytes = nullptr;
  size_t size = 0;
  unsigned char mark = 0;
};

Block made(size_t size, unsigned char mark) {
  auto* const bytes = static_cast<unsigned char*>(::operator new(size));
  std::memset(bytes, mark, size);
  return {bytes, size, mark};
}

bool is_whole(const Block& block) {
  for (size_t i = 0; i < block.size; ++i) {
    if (block.bytes[i] != block.mark) return false;
  }
  return true;
}

// With its size, or without.
void drop(const Block& block, bool sized) {
  sized ? ::operator delete(block.bytes, block.size) : ::operator delete(block.bytes);
}

// The slabs that blocks lie in.
std::set<uint64_t> slabs_of(const std::vector<Block>& blocks) {
  std::set<uint64_t> out;
  for (const Block& block : blocks) out.insert(reinterpret_cast<uintptr_t>(block.bytes) >> 14);
  return out;
}

size_t in_common(const std::set<uint64_t>& a, const std::set<uint64_t>& b) {
  size_t count = 0;
  for (const uint64_t one : a) count += b.count(one);
  return count;
}

TEST(SmallBlocks, KeepTheirBytesWhateverComesAndGoes) {
  uint32_t seed = 7;
  const auto below = [&](uint32_t most) { return (seed = seed * 1664525 + 1013904223) / 7 % most; };
  std::vector<Block> live;
  for (int turn = 0; turn < 200'000; ++turn) {
    if (live.size() < 4'000 && below(5) < 3) {
      live.push_back(
          made(below(10) == 0 ? below(5'000) : below(280), static_cast<unsigned char>(turn)));
      ASSERT_EQ(reinterpret_cast<uintptr_t>(live.back().bytes) % 16, 0u);
    } else if (!live.empty()) {
      std::swap(live[below(static_cast<uint32_t>(live.size()))], live.back());
      ASSERT_TRUE(is_whole(live.back())) << live.back().size << " bytes";
      drop(live.back(), turn % 2 == 0);
      live.pop_back();
    }
  }
  for (const Block& block : live) {
    ASSERT_TRUE(is_whole(block));
    drop(block, true);
  }
}

TEST(SmallBlocks, MayBeFreedByAnotherThread) {
  constexpr size_t kBlocks = 20'000;
  std::vector<std::vector<Block>> made_by(4);
  const auto make = [](std::vector<Block>& to, unsigned char mark) {
    for (size_t i = 0; i < kBlocks; ++i) to.push_back(made(16 + i % 240, mark));
  };
  for (int round = 0; round < 3; ++round) {
    std::vector<std::thread> threads;
    for (size_t k = 0; k < made_by.size(); ++k)
      threads.emplace_back(make, std::ref(made_by[k]), static_cast<unsigned char>(k + 1));
    for (std::thread& one : threads) one.join();
    threads.clear();
    // Each frees what the next one made, while it makes its own.
    std::vector<std::vector<Block>> then(made_by.size());
    std::vector<int> whole(made_by.size(), 1);
    for (size_t k = 0; k < made_by.size(); ++k) {
      threads.emplace_back([&, k] {
        for (const Block& block : made_by[(k + 1) % made_by.size()]) {
          whole[k] = whole[k] && is_whole(block);
          drop(block, block.size % 2 == 0);
          then[k].push_back(made(block.size, static_cast<unsigned char>(100 + k)));
        }
      });
    }
    for (std::thread& one : threads) one.join();
    EXPECT_EQ(whole, std::vector<int>(made_by.size(), 1));
    for (const std::vector<Block>& blocks : then) {
      for (const Block& block : blocks) {
        ASSERT_TRUE(is_whole(block));
        drop(block, true);
      }
    }
    for (std::vector<Block>& blocks : made_by) blocks.clear();
  }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

TEST(SmallBlocks, OfOneSizeLeaveTheirSlabsToThoseOfAnother) {
  constexpr size_t kBytes = size_t{16} << 20;
  std::vector<Block> narrow, wide;
  for (size_t i = 0; i < kBytes / 32; ++i) narrow.push_back(made(32, 1));
  const std::set<uint64_t> before = slabs_of(narrow);
  EXPECT_LE(before.size(), kBytes / 16'200 + 2);  // blocks have no headers
  for (const Block& block : narrow) drop(block, true);
  for (size_t i = 0; i < kBytes / 160; ++i) wide.push_back(made(160, 2));
  const std::set<uint64_t> after = slabs_of(wide);
  EXPECT_GE(in_common(after, before) * 10, after.size() * 9);
  for (const Block& block : wide) {
    ASSERT_TRUE(is_whole(block));
    drop(block, true);
  }
}

TEST(SmallBlocks, ComeBackToTheThreadThatMadeThem) {
  std::vector<Block> first, second;
  for (int i = 0; i < 50'000; ++i) first.push_back(made(208, 3));
  std::thread([&] {
    for (const Block& block : first) drop(block, true);
  }).join();
  for (int i = 0; i < 50'000; ++i) second.push_back(made(208, 4));
  const std::set<uint64_t> again = slabs_of(second);
  EXPECT_GE(in_common(again, slabs_of(first)) * 10, again.size() * 9);
  for (const Block& block : second) drop(block, true);
}

#endif

}  // namespace
}  // namespace burin
