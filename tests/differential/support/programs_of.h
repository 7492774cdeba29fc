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
#include "hardware/capabilities.h"
#include "isa/all_rows.h"
#include "loops/naive.h"
#include "loops/program_text.h"
#include "loops/run/run.h"
#include "loops/verify/verify_program.h"
#include "loops/walk.h"
#include "report/data_set.h"
#include "verify/read_case.h"

namespace burin::programs_test {

inline const std::string kRoot = BURIN_SOURCE_DIR;

// Sums of at most 2^12 terms in another order: 2^12 roundings of 2^-24 each, of the greatest
// element.
constexpr double kReordered = 0x1p-12;
// What is kept in fp16 may then round the other way: one unit in its last place.
// Tiles of a plane by fewer products: 5.5 times the estimate of the coarsest, 5.5e-6 of the root of
// the mean square. The greatest of thousands of roundings is four to five times their root.
constexpr double kFewerProducts = 0x1p-15;
constexpr double kOtherHalf = 0x1p-10;

struct Counts {
  int kernels = 0, programs = 0, reordered = 0;
  int calling = 0, instructions = 0;  // that call rows, and such that not every machine has
  int cut = 0, across = 0;            // that threads share, along two axes
  int other_orders = 0;               // whose parts ran in both orders
  std::set<std::string> unproven;  // whose threads are not shown to be apart, by model and kernel
};

inline bool has_points(const Kernel& kernel, const std::map<std::string, int64_t>& symbols) {
  for (const Write& write : kernel.writes) {
    bool some = true;
    for (const int axis : write.over) {
      const Dim& extent = kernel.axes[static_cast<size_t>(axis)].extent;
      some = some && extent.evaluate([&](const Index& leaf) {
        const auto known = symbols.find(leaf.as_symbol()->name);
        return known == symbols.end() ? 0 : known->second;
      }) > 0;
    }
    if (some) return true;
  }
  return false;
}

// Partial results that the definition has not: sums of lanes or of several accumulators.
inline bool reorders(const loops::Program& program) {
  for (const loops::Buffer& buffer : program.buffers) {
    if (buffer.name.starts_with("lanes")) return true;
    // Sums of work-items, and a running softmax.
    if (buffer.scope == loops::Scope::group &&
        (buffer.name.starts_with("partial_f") || buffer.name == "weight_tile"))
      return true;
    // [steps][rows][vectors][lanes]
    if (buffer.scope == loops::Scope::registers && buffer.name.starts_with("sums") &&
        buffer.shape.size() == 4)
      return true;
  }
  return false;
}

// Whether it calls rows; `instructions`: such that not every machine has.
inline bool calls(const loops::Program& program, bool instructions) {
  bool found = false;
  loops::for_each(program.body, [&](const loops::Stmt& stmt) {
    const auto* call = std::get_if<loops::Call>(&stmt.node);
    found = found || (call != nullptr && (!instructions || !call->op->instruction.empty()));
  });
  return found;
}

// `share`: of the greatest element, that results may differ by.
inline void expect_same(const HostTensor& got, const HostTensor& wanted, double share,
                        const std::string& where) {
  ASSERT_EQ(got.shape, wanted.shape) << where;
  double greatest = 0;
  for (int64_t i = 0; is_float(wanted.type) && i < wanted.elements(); ++i) {
    if (std::isfinite(wanted.get(i).number))
      greatest = std::max(greatest, std::abs(wanted.get(i).number));
  }
  const auto unit = [&](const ScalarValue& value) {
    return wanted.type == Type::f16 ? kOtherHalf * std::abs(value.number) : 0.0;
  };
  for (int64_t i = 0; i < wanted.elements(); ++i) {
    const ScalarValue a = got.get(i), b = wanted.get(i);
    const bool same = a.integer == b.integer &&
                      (a.number == b.number || (std::isnan(a.number) && std::isnan(b.number)) ||
                       (share > 0 && std::abs(a.number - b.number) <= share * greatest + unit(b)));
    ASSERT_TRUE(same) << where << ": element " << i << " is " << a.number << " / " << a.integer
                      << ", not " << b.number << " / " << b.integer;
  }
}

// Tiles lie in registers of the description: of vectors, or words where there are none. Those of a
// device's work-items are its compiler's.
inline loops::MachineLimits limits_of(const Hardware& hardware) {
  if (has_device(hardware)) return {};
  int64_t bytes = 0;
  for (const VectorUnit& unit : {hardware.vector, integer_unit(hardware)})
    bytes =
        std::max(bytes, int64_t{unit.registers} * (unit.vector_bytes > 0 ? unit.vector_bytes : 4));
  return {bytes};
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
    // A running softmax sums what it rescales later, tiles of a plane sum products of points.
    const bool few = find_verb(schedule.verbs, "winograd") != nullptr;
    // Taps that blocks of columns skip are the outermost loops of the depth.
    const bool taps_first = find_verb(schedule.verbs, "met taps") != nullptr;
    const bool exact = !reorders(program) && schedule.family != "attention" && !few && !taps_first;
    if (!exact) ++counts_.reordered;
    check(program, few ? kFewerProducts : exact ? 0 : kReordered, kernel, before, environment, "");
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
