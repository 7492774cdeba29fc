#include "select/images/image_plan.h"

#include <algorithm>

#include "support/check.h"

namespace burin {
namespace {

// What a buffer costs where images are wanted: more than any launch takes.
constexpr Cost kUnwanted = 10'000'000'000'000;

std::string microseconds(Cost picoseconds) {
  const Cost tenths = (picoseconds + 50'000) / 100'000;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " us";
}

// What the plan would cost with one tensor in another state.
Cost with_state(const Choice& choice, std::vector<int> states, size_t variable, int state) {
  states[variable] = state;
  return cost_of(choice, states);
}

}  // namespace

std::string_view to_string(MemoryUse use) {
  return use == MemoryUse::buffers ? "buffers" : use == MemoryUse::images ? "images" : "selected";
}

MeasuredImages measured_images(const std::map<StepId, KernelSchedule>& kernels,
                               const std::vector<Value>& values,
                               const std::map<StepId, std::string>& keys, const Tuning& tuning) {
  MeasuredImages out;
  for (const auto& [step, schedule] : kernels) {
    const auto key = keys.find(step);
    if (key == keys.end()) continue;
    const auto tuned = tuning.kernels.find(key->second);
    if (tuned == tuning.kernels.end()) continue;
    if (const auto images = number_of(tuned->second.verbs, "images")) {
      for (const ValueId id : writes_of(schedule.kernel)) out.emplace(id, *images != 0);
    }
    if (const auto constants = number_of(tuned->second.verbs, "constants")) {
      for (const ValueId id : reads_of(schedule.kernel)) {
        if (values[static_cast<size_t>(id)].kind == ValueKind::constant)
          out.emplace(id, *constants != 0);
      }
    }
  }
  return out;
}

ImagePlan plan_images(const KernelGraph& graph, const std::map<StepId, KernelSchedule>& kernels,
                      const std::set<StepId>& views, const Hardware& hardware, MemoryUse use,
                      const MeasuredImages& measured, const SolveOptions& options) {
  ImagePlan plan;
  plan.use = use;
  if (use == MemoryUse::buffers || hardware.opencl.images.width_max == 0) return plan;
  const ImageProblem problem = image_problem(graph, kernels, views, hardware);
  Choice wanted = problem.choice;
  if (use == MemoryUse::images) {
    for (std::vector<Cost>& costs : wanted.costs) costs[0] = plus(costs[0], kUnwanted);
  }
  for (size_t v = 0; v < problem.values.size(); ++v) {
    const auto said = measured.find(problem.values[v]);
    if (said == measured.end()) continue;
    for (size_t s = 0; s < wanted.costs[v].size(); ++s) {
      if ((s > 0) != said->second) wanted.costs[v][s] = plus(wanted.costs[v][s], 2 * kUnwanted);
    }
  }
  plan.solved = solve(wanted, options);
  const std::vector<int> none(problem.values.size(), 0);
  plan.buffers = cost_of(problem.choice, none);
  plan.solved.cost = cost_of(problem.choice, plan.solved.states);
  plan.decisions = problem.refused;
  for (size_t v = 0; v < problem.values.size(); ++v) {
    const int state = plan.solved.states[v];
    if (state > 0) plan.maps[problem.values[v]] = problem.maps[v][static_cast<size_t>(state) - 1];
    Cost other = kForbidden;
    for (int s = 0; s < static_cast<int>(problem.choice.costs[v].size()); ++s) {
      if ((s == 0) == (state == 0)) continue;
      other = std::min(other, with_state(problem.choice, plan.solved.states, v, s));
    }
    const Cost gain = other - plan.solved.cost;
    const char* what = state > 0 ? "a buffer" : "an image";
    std::string reason = other >= kForbidden ? std::string(what) + " cannot be beside the others"
                         : gain >= 0
                             ? std::string(what) + " would take " + microseconds(gain) + " more"
                             : "wanted, although " + std::string(what) + " would take " +
                                   microseconds(-gain) + " less";
    const auto said = measured.find(problem.values[v]);
    if (said != measured.end() && said->second == (state > 0)) reason = "measured";
    plan.decisions.push_back({problem.values[v], state > 0, std::move(reason), true});
  }
  std::sort(plan.decisions.begin(), plan.decisions.end(),
            [](const ImageDecision& a, const ImageDecision& b) { return a.value < b.value; });
  return plan;
}

std::string to_string(const ImagePlan& plan, const KernelGraph& graph) {
  std::string out = std::string(to_string(plan.use)) + ": " + std::to_string(plan.maps.size()) +
                    " images; buffers alone " + microseconds(plan.buffers) + ", so " +
                    microseconds(plan.solved.cost) + "; " + to_string(plan.solved) + "\n";
  for (const ImageDecision& one : plan.decisions) {
    out += "v" + std::to_string(one.value) + " '" +
           graph.values[static_cast<size_t>(one.value)].name + "': ";
    out += one.image ? "image, " + to_string(plan.maps.at(one.value)) : std::string("buffer");
    out += " (" + one.reason + ")\n";
  }
  return out;
}

}  // namespace burin
