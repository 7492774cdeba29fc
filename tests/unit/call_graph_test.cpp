#include "verify/call_graph.h"

#include <gtest/gtest.h>

#include "verify/object_file.h"

namespace burin::call_graph_test {
namespace {

std::string node(const std::string& name, int bytes) {
  return "node: { title: \"" + name + "\" label: \"" + name + "\\nf.cpp:1:2\\n" +
         std::to_string(bytes) + " bytes (static)\\n0 dynamic objects\" }\n";
}
std::string edge(const std::string& from, const std::string& to) {
  return "edge: { sourcename: \"" + from + "\" targetname: \"" + to + "\" label: \"f.cpp:3:4\" }\n";
}

TEST(CallGraph, TheDeepestSumIsNotThatOfTheLargestFrames) {
  CallGraph graph;
  graph.add("graph: { title: \"a\"\n" + node("run", 16) + node("wide", 100) + edge("run", "wide") +
            edge("run", "narrow") + "}\n");
  graph.add(node("narrow", 40) + node("below", 80) + edge("narrow", "below"));
  const CallGraph::Path path = graph.deepest();
  EXPECT_EQ(path.bytes, 136);
  EXPECT_EQ(path.functions, (std::vector<std::string>{"run", "narrow", "below"}));
  EXPECT_EQ(graph.largest(), 100);
}

TEST(CallGraph, ACallByPointerMayReachWhatNothingCalls) {
  CallGraph graph;
  graph.add(node("run", 16) + node("called", 500) + node("other", 8) + node("part", 64) +
            edge("run", "__indirect_call") + edge("other", "called"));
  // `called` has a caller; `other` and `part` have none.
  EXPECT_EQ(graph.deepest().bytes, 16 + 8 + 500);
}

TEST(CallGraph, CyclesEnd) {
  CallGraph graph;
  graph.add(node("run", 1) + node("a", 2) + node("b", 4) + edge("run", "a") + edge("a", "b") +
            edge("b", "a"));
  EXPECT_EQ(graph.deepest().bytes, 7);
}

// Whoever comes first: what was found while a cycle was open is not all there is.
TEST(CallGraph, NamesDoNotCount) {
  for (const char* const first : {"a", "z"}) {
    CallGraph graph;
    graph.add(node(first, 8) + node("run", 100) + node("part", 64) +
              edge(first, "__indirect_call") + edge("run", "__indirect_call"));
    EXPECT_EQ(graph.deepest().bytes, 164) << first;
  }
}

TEST(CallGraph, FunctionsWithoutABodyTakeNothing) {
  CallGraph graph;
  graph.add(node("run", 24) +
            "node: { title: \"memcpy\" label: \"memcpy\\n<built-in>\" shape : "
            "ellipse }\n" +
            edge("run", "memcpy"));
  EXPECT_EQ(graph.deepest().bytes, 24);
  EXPECT_EQ(graph.frames.size(), 1u);
  CallGraph empty;
  empty.add("");
  empty.add("node: { title: \"cut");
  EXPECT_EQ(empty.deepest().bytes, 0);
}

// A file of one class with four sections: code, constants, data, and what has no bytes.
std::string object(bool wide) {
  std::string out(wide ? 64 + 4 * 64 : 64 + 4 * 40, '\0');
  const auto put = [&](size_t at, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i)
      out[at + static_cast<size_t>(i)] = static_cast<char>(value >> (8 * i) & 0xff);
  };
  out.replace(0, 4,
              "\x7f"
              "ELF");
  out[4] = wide ? 2 : 1;
  out[5] = 1;
  put(wide ? 0x28 : 0x20, 64, wide ? 8 : 4);
  const size_t each = wide ? 64 : 40;
  put(wide ? 0x3a : 0x2e, each, 2);
  put(wide ? 0x3c : 0x30, 4, 2);
  const uint64_t flags[] = {2 | 4, 2, 2 | 1, 2 | 1}, sizes[] = {100, 20, 7, 9},
                 types[] = {1, 1, 1, 8};
  for (size_t i = 0; i < 4; ++i) {
    const size_t at = 64 + i * each;
    put(at + 4, types[i], 4);
    put(at + 8, flags[i], wide ? 8 : 4);
    put(at + (wide ? 0x20 : 0x14), sizes[i], wide ? 8 : 4);
  }
  return out;
}

TEST(ObjectFile, SectionsOfBothClasses) {
  for (const bool wide : {false, true}) {
    ObjectSizes sizes;
    ASSERT_TRUE(read_object_sizes(object(wide), sizes)) << wide;
    EXPECT_EQ(sizes, (ObjectSizes{100, 20})) << wide;
  }
}

TEST(ObjectFile, OthersAreRefusedAndCutOnesRead) {
  ObjectSizes sizes;
  EXPECT_FALSE(read_object_sizes("", sizes));
  EXPECT_FALSE(read_object_sizes(std::string(200, 'x'), sizes));
  std::string other = object(true);
  other[5] = 2;  // big-endian
  EXPECT_FALSE(read_object_sizes(other, sizes));
  const std::string whole = object(true);
  for (size_t bytes = 64; bytes < whole.size(); ++bytes)
    EXPECT_TRUE(read_object_sizes(whole.substr(0, bytes), sizes));
}

}  // namespace
}  // namespace burin::call_graph_test
