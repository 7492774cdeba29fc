// Origins: merges against lists made by hand, and chains that are long.
#include "kernel/origins.h"

#include <gtest/gtest.h>

#include <thread>

namespace burin::origins_test {
namespace {

std::string text(const Origins& origins) {
  std::string out;
  for (const Origin& origin : origins)
    out += (out.empty() ? "" : " ") + origin.node + "/" + origin.op;
  return out;
}

TEST(Origins, AreListedOnceInOrder) {
  const Origins none, a = {{"a", "Add"}}, b = {{"b", "Mul"}, {"c", "Exp"}, {"b", "Mul"}};
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(text(none), "");
  EXPECT_EQ(text(b), "b/Mul c/Exp");
  EXPECT_EQ(text(Origins::merged(a, b)), "a/Add b/Mul c/Exp");
  EXPECT_EQ(text(Origins::merged(b, a)), "b/Mul c/Exp a/Add");
  // A node of the same name and another operator is another one.
  EXPECT_EQ(text(Origins::merged(a, {{"a", "Sub"}})), "a/Add a/Sub");
  EXPECT_EQ(text(Origins::merged(Origins::merged(a, b), Origins::merged(b, a))),
            "a/Add b/Mul c/Exp");
  EXPECT_EQ(Origins::merged(none, a), a);
  EXPECT_EQ(Origins::merged(a, none), a);
  EXPECT_EQ(Origins::merged(a, b).front(), (Origin{"a", "Add"}));
  EXPECT_FALSE(a == b);
}

// Each kernel of a chain stands for all before it; all of them are there at once.
TEST(Origins, LongChainsTakeOnePieceForEachLink) {
  constexpr int kLinks = 20'000;
  std::vector<Origins> chain = {{{"n0", "Where"}}};
  for (int i = 1; i < kLinks; ++i) {
    const Origins link = {{"n" + std::to_string(i), "Where"}};
    // Two readers, which become one again.
    const Origins left = Origins::merged(chain.back(), link);
    chain.push_back(Origins::merged(left, Origins::merged(chain.back(), link)));
  }
  EXPECT_EQ(chain.back().size(), static_cast<size_t>(kLinks));
  EXPECT_EQ(chain.back().list().back().node, "n19999");
  EXPECT_EQ(chain[1000].size(), 1001U);
  chain.erase(chain.begin(), chain.end() - 1);
  EXPECT_EQ(chain[0].front().node, "n0");
}

TEST(Origins, WhatComputesIsToldFirst) {
  const std::vector<Origin> all = {{.node = "d", .op = "DequantizeLinear", .converts = true},
                                   {.node = "t", .op = "Transpose", .moves = true},
                                   {.node = "c", .op = "Conv"},
                                   {.node = "q", .op = "QuantizeLinear", .converts = true},
                                   {.node = "r", .op = "Relu"}};
  std::string order;
  for (const Origin& one : telling_first(all)) order += one.node;
  EXPECT_EQ(order, "crdqt");
}

TEST(Origins, ManyThreadsMayAskAtOnce) {
  Origins all = {{"n0", "Exp"}};
  for (int i = 1; i < 2000; ++i) all = Origins::merged(all, {{"n" + std::to_string(i), "Exp"}});
  std::vector<std::thread> threads;
  std::vector<size_t> sizes(8);
  for (size_t& size : sizes) threads.emplace_back([&] { size = all.size(); });
  for (std::thread& thread : threads) thread.join();
  for (const size_t size : sizes) EXPECT_EQ(size, 2000U);
}

}  // namespace
}  // namespace burin::origins_test
