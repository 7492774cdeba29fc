#include "select/select.h"

#include <utility>

#include "hardware/capabilities.h"
#include "kernel/run_order.h"
#include "loops/idle.h"
#include "loops/known_numbers.h"
#include "loops/program_text.h"
#include "loops/transforms/strength_reduce.h"
#include "select/choose.h"
#include "select/plan_facts.h"
#include "select/program_of.h"
#include "select/programs/alike.h"
#include "select/programs/brief.h"
#include "select/programs/independent.h"
#include "select/programs/vectors.h"
#include "select/schedule/index_width.h"
#include "select/threads/parallel.h"
#include "select/tiles/short_code.h"

namespace burin {
namespace {

loops::Stmts settled(const loops::Stmts& stmts) {
  return loops::without_idle_loops(loops::with_known_numbers(stmts));
}

// What is made of a program before anyone prints it.
loops::Program finished(loops::Program made, const Hardware& hardware) {
  made.body = settled(made.body);
  made = in_vectors(std::move(made), hardware.vector.lanes(4), hardware.instructions.mask);
  made.body = loops::without_idle_loops(made.body);
  made = short_code(hardware) ? with_shared_loops(std::move(made))
                              : with_independent_loops(std::move(made));
  made = loops::strength_reduce(made);
  made.body = loops::without_idle_loops(made.body);
  return loops::without_idle_locals(std::move(made));
}

// What is known of a plan when nothing of it changes any more.
KernelSchedule finished(LoopPlan plan, const std::vector<Value>& values, AlikePrograms& programs) {
  plan.scratches = scratches_of(plan);
  plan.rows_first = rows_first(plan);
  plan.versions = versions_of(plan);
  plan.packed = packed_of(plan);
  plan.products = share_of_products(plan);
  plan.added_error = added_error(plan);
  // Those of a device are made when it is known which tensors are images.
  if (!plan.launches.empty()) return plan;
  loops::Program made = plan.program ? *plan.program : programs.of(program_of(plan, values));
  if (plan.program) {
    made.body = settled(made.body);
    made = loops::name_sizes(std::move(made));
  }
  KernelSchedule out = std::move(plan);
  out.places.clear();
  out.program = std::make_shared<const loops::Program>(std::move(made));
  out.index_bits = index_bits(out, values);
  return out;
}

}  // namespace

Selection with_programs(LoopPlans chosen, const Hardware& hardware) {
  Selection out;
  AlikePrograms programs(
      [&](loops::Program program) { return finished(std::move(program), hardware); });
  // A plan goes when its program is there: both of all kernels are most of the memory.
  while (!chosen.plans.empty()) {
    auto plan = chosen.plans.extract(chosen.plans.begin());
    out.kernels.emplace(plan.key(),
                        finished(std::move(plan.mapped()), chosen.graph.values, programs));
  }
  out.graph = std::move(chosen.graph);
  out.keys = std::move(chosen.keys);
  out.unlocked = chosen.unlocked;
  return out;
}

Selection select(KernelGraph graph, const Hardware& hardware, const SelectOptions& options) {
  return with_programs(choose_loops(std::move(graph), hardware, options), hardware);
}

void give_launch_programs(std::map<StepId, KernelSchedule>& kernels,
                          const std::vector<Value>& values, const ImageMaps& images) {
  for (auto& [step, schedule] : kernels) {
    if (schedule.launches.empty()) continue;
    loops::Program made = launch_program(schedule, values, images);
    made.body = settled(made.body);
    schedule.program =
        std::make_shared<const loops::Program>(loops::strength_reduce(std::move(made)));
    schedule.index_bits = index_bits(schedule, values);
  }
}

std::string to_string(const Selection& selection) {
  std::string out;
  for (const StepId step : run_order(selection.graph.steps)) {
    const auto found = selection.kernels.find(step);
    if (found == selection.kernels.end()) continue;
    const KernelSchedule& schedule = found->second;
    out += to_string(step) + " " + schedule.kernel.name + ": ";
    // Every loop, buffer and instruction.
    out +=
        schedule.family + ": " + schedule.reason + "\n" +
        loops::to_string(schedule.program ? *schedule.program
                                          : launch_program(schedule, selection.graph.values, {}));
  }
  return out;
}

}  // namespace burin
