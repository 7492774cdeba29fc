// The table of rewrites: in order, with names that the README of fuse/ explains.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "fuse/rewrites.h"
#include "unit/support/source_files.h"

namespace burin::fuse_rewrites_test {
namespace {

TEST(Rewrites, StandInTheOrderOfTheirPhases) {
  EXPECT_TRUE(std::is_sorted(rewrites().begin(), rewrites().end(),
                             [](const Rewrite& a, const Rewrite& b) { return a.phase < b.phase; }));
  for (const Rewrite& one : rewrites()) {
    EXPECT_NE(std::string(one.why), "") << one.name;
    EXPECT_FALSE(one.of_kernel && one.of_graph) << one.name;
    const bool of_blocks =
        one.phase == Phase::rounds || one.phase == Phase::once || one.phase == Phase::end;
    EXPECT_FALSE(of_blocks && one.of_graph) << one.name << " rewrites one block at a time";
  }
}

TEST(Rewrites, EveryNameSwitchesAnOption) {
  std::set<std::string> names;
  std::set<const bool*> options;
  FuseOptions all;
  for (const FuseSwitch& one : fuse_switches()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_TRUE(options.insert(&(all.*one.on)).second) << one.name;
    EXPECT_TRUE(all.*one.on) << one.name << " is off by itself";
  }
  // Rows that share a name share its option.
  for (const Rewrite& row : rewrites()) {
    for (const FuseSwitch& one : fuse_switches()) {
      if (std::string(one.name) != row.name) continue;
      EXPECT_EQ(row.on, one.on) << row.name;
    }
  }
}

TEST(Rewrites, TheReadmeExplainsEveryName) {
  std::string readme;
  for (const SourceFile& file : source_files()) {
    if (file.path == "generator/fuse/README.md") readme = file.text;
  }
  for (const FuseSwitch& one : fuse_switches())
    EXPECT_NE(readme.find("`" + std::string(one.name) + "`"), std::string::npos) << one.name;
}

}  // namespace
}  // namespace burin::fuse_rewrites_test
