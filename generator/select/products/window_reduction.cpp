// Sums, least and greatest of an operand alone that is read through windows: pools.
#include "kernel/expr/expr_axes.h"
#include "select/axes/regroup.h"
#include "select/products/contraction_parts.h"

namespace burin {

std::optional<Contraction> find_window_reduction(const Kernel& kernel,
                                                 const std::vector<Value>& values,
                                                 const Hardware& hardware, const Given& given) {
  if (!given.may("tile") || !given.may("window") || kernel.lets.size() != 1 ||
      !ends_in_reduction(kernel))
    return std::nullopt;
  const Let& let = kernel.lets[0];
  if (let.op != Combiner::sum && let.op != Combiner::min && let.op != Combiner::max)
    return std::nullopt;
  const int contiguous = closest_axis(kernel.writes[0], values, let.over, {});
  if (contiguous < 0 || has_let(let.body[0])) return std::nullopt;
  Contraction out;
  Regrouping regrouping(kernel, out.kernel);
  ContractionSchedule& schedule = out.schedule;
  std::vector<int> outputs;
  int columns = -1;
  for (const int axis : let.over) {
    outputs.push_back(regrouping.keep(axis));
    if (axis == contiguous) columns = outputs.back();
  }
  for (const int axis : let.reduced) schedule.k.push_back(regrouping.keep(axis));
  schedule.b.element = regrouping.moved(let.body[0]);
  std::optional<SlidingWindow> window =
      find_window(schedule.b.element, outputs, columns, schedule.k, out.kernel, hardware.memory,
                  {1, 0, given_band(given)});
  if (!window) return std::nullopt;
  settle_window(schedule, std::move(*window), schedule.k, ReadBy::nothing, out.kernel,
                hardware.vector, given);
  if (!schedule.window) return std::nullopt;
  if (!regrouping.move_lets(out.kernel)) return std::nullopt;
  schedule.op = let.op;
  schedule.depth = extent_of(kernel, let.reduced);
  schedule.columns = extent_of(kernel, let.over);
  if (at_least_one(schedule.columns) * at_least_one(schedule.depth) < kLeastWork)
    return std::nullopt;
  schedule.value = out.kernel.writes[0].value;
  schedule.when = out.kernel.writes[0].when;
  settle_tile(schedule, false, hardware, given);
  lay_out_scratch(schedule, false, true, out.scratch_bytes);
  return out;
}

}  // namespace burin
