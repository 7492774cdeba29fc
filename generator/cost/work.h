// How often statements run, and what the machine starts for them.
#pragma once

#include <map>
#include <set>

#include "cost/cost.h"
#include "cost/issue.h"

namespace burin::cost {

// Of one loop, over the whole run.
struct LoopRuns {
  int64_t entries = 0, turns = 0;
};
// Of a condition: how often it held, and how often it did not.
struct BranchRuns {
  int64_t then = 0, otherwise = 0;
};

class Work {
 public:
  Work(const loops::Program& program, const Hardware& hardware, const SizeOf& size);

  int64_t cycles() const { return cycles_; }
  const std::map<const loops::For*, LoopRuns>& runs() const { return runs_; }
  const std::map<const loops::If*, BranchRuns>& branches() const { return branches_; }

 private:
  // Parts of a cycle of one run of `stmts`, which all in all run `times` times.
  int64_t block(const loops::Stmts& stmts, int64_t times, int along);
  int64_t loop(const loops::For& loop, int64_t times);
  int64_t turn(const loops::For& loop, int64_t times, bool innermost);
  Issue straight(const loops::Stmts& stmts, WrittenOut& around, int along, int lanes);
  int lanes_of(const loops::Stmts& stmts, int along) const;
  bool is_straight(const loops::Stmts& stmts) const;
  // Whether turns of a loop differ in what they run.
  bool differ(const loops::For& loop) const;
  int64_t value(const Index& index) const;
  bool holds(const Guard& guard) const;

  const loops::Program& program_;
  const Hardware& hardware_;
  const SizeOf& size_;
  std::vector<int64_t> vars_;  // at the present place
  std::map<const loops::For*, LoopRuns> runs_;
  std::map<const loops::If*, BranchRuns> branches_;
  int64_t cycles_ = 0;
};

}  // namespace burin::cost
