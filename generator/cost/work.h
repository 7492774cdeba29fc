// How often statements run, and what the machine starts for them.
#pragma once

#include <map>
#include <optional>
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

// What is found out of a program once, for all that is asked of it.
struct Known {
  Known(const loops::Program& program_, const Hardware& hardware_, SizeOf size_)
      : program(program_), hardware(hardware_), size(std::move(size_)) {}
  const loops::Program& program;
  const Hardware& hardware;
  const SizeOf size;

  std::map<const loops::For*, bool> differ;                  // turns differ in what they run
  std::map<std::pair<const loops::Stmts*, int>, int> lanes;  // by statements and variable
  std::map<const void*, bool> straight;                      // of statements, of one
  // What a statement reads and writes of the kernel's own, sorted.
  struct Touches {
    std::vector<loops::BufferId> reads, writes;
  };
  std::map<const loops::Stmt*, Touches> touches;
  // A straight line: whether it takes the same wherever its loops are, and what, by lanes.
  struct Line {
    bool fixed = false, vectors = false;
    std::set<loops::BufferId> changing;  // buffers that it stores to
    std::map<int, Issue> issues;
  };
  std::map<const void*, Line> lines;              // by statements, or one
  std::map<const Index*, std::vector<int>> axes;  // that an index of the program uses
};

class Work {
 public:
  Work(Known& known, const Question& question);

  int64_t cycles() const { return cycles_; }
  int64_t cycles_one_by_one() const { return one_by_one_ / kCycle; }
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
  // Statements in one straight line, in one turn of `form`.
  struct Line {
    Form form;
    const std::set<loops::BufferId>& changing;
    WrittenOut around = {};
    bool vectors = false;  // something in it is done for several points at a time
  };
  Issue straight(const loops::Stmts& stmts, Line& line);
  Issue straight(const loops::Stmt& stmt, Line& line);
  int64_t alone(const loops::Stmt& stmt, int64_t times);  // where no loop turns around it
  void set(const loops::Let& let);
  void count_runs(const loops::Stmts& stmts, int64_t times);
  void count_runs(const loops::Stmt& stmt, int64_t times);
  int64_t turns_of(const loops::For& loop) const;  // that is written out
  const Known::Touches& touches_of(const loops::Stmt& stmt);
  int lanes_of(const loops::Stmts& stmts, int var);
  bool is_straight(const loops::Stmts& stmts);
  bool is_straight(const loops::Stmt& stmt);
  bool differ(const loops::For& loop);
  // What the loop counts in the call that was asked for: one part, whose end is set; of a loop that
  // counts its parts, some of them. nullopt: every part has a call.
  std::optional<Range> range_of_call(const loops::For& loop);
  static std::optional<int64_t> found(const std::map<int, int64_t>& in, int var) {
    const auto known = in.find(var);
    return known == in.end() ? std::nullopt : std::optional(known->second);
  }
  int64_t value(const Index& index) const;
  bool holds(const Guard& guard) const;

  Known& known_;
  const loops::Program& program_;
  const Hardware& hardware_;
  const Question& question_;
  std::vector<int64_t> vars_;  // at the present place
  Lets lets_;
  std::map<const loops::For*, LoopRuns> runs_;
  std::map<const loops::If*, BranchRuns> branches_;
  std::map<int, int64_t> firsts_, ends_;  // by variable
  int64_t depth_ = 0;                     // of the last straight line
  int64_t cycles_ = 0;
  int64_t one_by_one_ = 0;  // parts
};

}  // namespace burin::cost
