#include "select/select.h"

namespace burin {

KernelSchedule best_schedule(const Kernel& kernel, const std::vector<Value>&, const Hardware&) {
  return schedule_generic(kernel);
}

Selection select(KernelGraph graph, const Hardware& hardware) {
  Selection out;
  int position = -1;
  for_each_step(graph.steps, [&](const Step& step) {
    ++position;
    if (const Kernel* kernel = std::get_if<Kernel>(&step)) {
      out.kernels.emplace(position, best_schedule(*kernel, graph.values, hardware));
    }
  });
  out.graph = std::move(graph);
  return out;
}

std::string to_string(const Selection& selection) {
  std::string out;
  for (const auto& [position, schedule] : selection.kernels) {
    out += std::to_string(position) + " " + schedule.kernel.name + ": " + to_string(schedule);
  }
  return out;
}

}  // namespace burin
