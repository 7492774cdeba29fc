// The kernels of a compiled model as their programs: what run_loops() makes of them beside what the
// interpreter does, kernel by kernel of a run.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "differential/support/emitted.h"
#include "isa/all_rows.h"
#include "loops/naive.h"
#include "loops/program_text.h"
#include "loops/run/run.h"
#include "loops/verify/verify_program.h"
#include "loops/walk.h"
#include "report/data_set.h"
#include "support/program_results.h"
#include "verify/read_case.h"

namespace burin::programs_test {

inline const std::string kRoot = BURIN_SOURCE_DIR;

struct Counts {
  int kernels = 0, programs = 0, reordered = 0;
  int calling = 0, instructions = 0;  // that call rows, and such that not every machine has
  int cut = 0, across = 0;            // that threads share, along two axes
  int other_orders = 0;               // whose parts ran in both orders
  std::set<std::string> unproven;  // whose threads are not shown to be apart, by model and kernel
};

// Whether it calls rows; `instructions`: such that not every machine has.
inline bool calls(const loops::Program& program, bool instructions) {
  bool found = false;
  loops::for_each(program.body, [&](const loops::Stmt& stmt) {
    const auto* call = std::get_if<loops::Call>(&stmt.node);
    found = found || (call != nullptr && (!instructions || !call->op->instruction.empty()));
  });
  return found;
}

inline void expect_same(const HostTensor& got, const HostTensor& wanted, double share,
                        const std::string& where) {
  const std::string fault = difference(got, wanted, share);
  ASSERT_TRUE(fault.empty()) << where << ": " << fault;
}

class ProgramsOf {
 public:
  ProgramsOf(const Compiled& compiled, std::string where, Counts& counts)
      : plan_(compiled.plan),
        limits_(limits_of(compiled.plan.hardware)),
        where_(std::move(where)),
        counts_(counts) {
    for_each_step(plan_.graph.steps, [&](const Step& step) {
      if (const auto* kernel = std::get_if<Kernel>(&step))
        schedules_[kernel] = &plan_.kernels.at(step.id);
    });
  }

  void run(const DataCase& data) {
    Environment environment;
    environment.symbols = data.run.symbols;
    for (size_t i = 0; i < plan_.graph.inputs.size(); ++i)
      environment.tensors[plan_.graph.inputs[i]] = data.run.inputs[i];
    environment.instead = [&](const Kernel& kernel) { compare(kernel, environment); };
    const RunResult result = execute_steps(plan_.graph.steps, plan_.graph.values, environment);
    EXPECT_EQ(result.status, kRunOk) << where_ << ": " << result.message;
  }

 private:
  void compare(const Kernel& kernel, Environment& environment) {
    ++counts_.kernels;
    Environment before = environment;
    before.instead = {};
    const auto run_kernel = [&](Environment& in) {
      const auto instead = std::exchange(in.instead, {});
      const RunResult result = execute_steps({kernel}, plan_.graph.values, in);
      ASSERT_EQ(result.status, kRunOk) << where_;
      in.instead = instead;
    };
    run_kernel(environment);
    if (!has_points(kernel, environment.symbols)) return;
    check(loops::naive_program(kernel, plan_.graph.values), 0, kernel, before, environment,
          " naively");
    const KernelSchedule& schedule = *schedules_.at(&kernel);
    const loops::Program& program = *schedule.program;
    ++counts_.programs;
    if (calls(program, false)) ++counts_.calling;
    if (schedule.cut) ++counts_.cut;
    if (schedule.cut && schedule.cut->across) ++counts_.across;
    if (calls(program, true)) ++counts_.instructions;
    const double share = share_of(schedule);
    if (share > 0) ++counts_.reordered;
    check(program, share, kernel, before, environment, "");
  }

  void check(const loops::Program& program, double share, const Kernel& kernel, Environment before,
             const Environment& after, const std::string& how) {
    const std::string where = where_ + ": " + kernel.name + how;
    const std::string text = loops::to_string(program);
    if (seen_.insert(text).second) {
      for (const std::string& fault : loops::verify(program, limits_)) {
        if (fault.find(") share ") != std::string::npos) {
          counts_.unproven.insert(where_ + ": " + kernel.name);
        } else {
          ADD_FAILURE() << where << ": " << fault << "\n" << text;
        }
      }
      EXPECT_EQ(loops::to_string(loops::parse(text, isa::all_rows())), text) << where;
    }
    Environment backward = before;
    const RunResult result = loops::run_loops(program, plan_.graph.values, before);
    ASSERT_EQ(result.status, kRunOk) << where << ": " << result.message;
    for (const Write& write : kernel.writes) {
      expect_same(before.tensor(plan_.graph.values, write.to),
                  after.tensor(plan_.graph.values, write.to), share,
                  where + ": " + plan_.graph.values[static_cast<size_t>(write.to)].name);
    }
    check_other_order(program, kernel, std::move(backward), before, where);
  }

  // The parts of threads in the other order: of two of them, whichever was first is second.
  void check_other_order(const loops::Program& program, const Kernel& kernel, Environment backward,
                         const Environment& forward, const std::string& where) {
    bool has_parts = false;
    loops::for_each(program.body, [&](const loops::Stmt& stmt) {
      const auto* loop = std::get_if<loops::For>(&stmt.node);
      has_parts |= loop != nullptr && loop->kind == loops::Kind::thread;
    });
    if (!has_parts) return;
    ++counts_.other_orders;
    const RunResult result =
        loops::run_loops(program, plan_.graph.values, backward, loops::PartOrder::backward);
    ASSERT_EQ(result.status, kRunOk) << where << ", parts backwards: " << result.message;
    for (const Write& write : kernel.writes) {
      expect_same(
          backward.tensor(plan_.graph.values, write.to),
          forward.tensor(plan_.graph.values, write.to), 0,
          where + ", parts backwards: " + plan_.graph.values[static_cast<size_t>(write.to)].name);
    }
  }

  const ModelPlan& plan_;
  const loops::MachineLimits limits_;
  std::string where_;
  Counts& counts_;
  std::map<const Kernel*, const KernelSchedule*> schedules_;
  std::set<std::string> seen_;  // programs that were read back and verified
};

}  // namespace burin::programs_test
