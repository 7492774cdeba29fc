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
  Work(const loops::Program& program, const Hardware& hardware, const Question& question);

  int64_t cycles() const { return cycles_; }
  const std::map<const loops::For*, LoopRuns>& runs() const { return runs_; }
  const std::map<const loops::If*, BranchRuns>& branches() const { return branches_; }
  // Of the variable of a loop over threads, and of its end: those of the call that was asked for.
  std::optional<int64_t> part_first(int var) const { return found(firsts_, var); }
  std::optional<int64_t> part_end(int var) const { return found(ends_, var); }

 private:
  // Parts of a cycle of one run of `stmts`, which all in all run `times` times.
  int64_t block(const loops::Stmts& stmts, int64_t times);
  int64_t loop(const loops::For& loop, int64_t times);
  // Of a loop without loops that turn: so many turns.
  int64_t innermost(const loops::For& loop, int64_t turns, int64_t times);
  // Statements in one straight line, in one turn of `line.form`.
  struct Line {
    Form form;
    std::set<loops::BufferId> changing;  // buffers that the loop around it stores to
    WrittenOut around = {};
  };
  Issue straight(const loops::Stmts& stmts, Line& line, int64_t times);
  Issue straight(const loops::Stmt& stmt, Line& line, int64_t times);
  int64_t alone(const loops::Stmt& stmt, int64_t times);  // where no loop turns around it
  // What a statement reads and writes of the kernel's own, sorted.
  struct Touches {
    std::vector<loops::BufferId> reads, writes;
  };
  const Touches& touches_of(const loops::Stmt& stmt);
  int lanes_of(const loops::Stmts& stmts, int var);
  bool is_straight(const loops::Stmts& stmts) const;
  bool is_straight(const loops::Stmt& stmt) const;
  // Whether turns of a loop differ in what they run.
  bool differ(const loops::For& loop);
  // Sets the call that was asked for, where there is one.
  bool is_one_call(const loops::For& loop);
  static std::optional<int64_t> found(const std::map<int, int64_t>& in, int var) {
    const auto known = in.find(var);
    return known == in.end() ? std::nullopt : std::optional(known->second);
  }
  int64_t value(const Index& index) const;
  bool holds(const Guard& guard) const;

  const loops::Program& program_;
  const Hardware& hardware_;
  const Question& question_;
  std::vector<int64_t> vars_;  // at the present place
  Lets lets_;
  std::map<const loops::For*, LoopRuns> runs_;
  std::map<const loops::If*, BranchRuns> branches_;
  std::map<const loops::For*, bool> differ_;
  std::map<std::pair<const loops::Stmts*, int>, int> lanes_;  // by statements and variable
  std::map<int, int64_t> firsts_, ends_;                      // by variable
  std::map<const loops::Stmt*, Touches> touches_;
  int64_t depth_ = 0;  // of the last straight line
  int64_t cycles_ = 0;
};

}  // namespace burin::cost
