#include "kernel/procedures/procedures.h"

#include <algorithm>

#include "runtime_min/status.h"

namespace burin {

bool rounds(const Procedure& procedure) {
  return procedure.function == "determinant" || procedure.function == "inverse";
}

Procedure stop_if(ValueId reason, Stop why) {
  Procedure out;
  out.function = "stop_if";
  out.element = Type::boolean;
  out.reads = {reason};
  out.arguments = {int64_t{why == Stop::no_path     ? burin_rt::kNoPath
                           : why == Stop::undefined ? burin_rt::kInvalidArgument
                                                    : burin_rt::kIterationLimit}};
  return out;
}

std::optional<Written> written(const Procedure& procedure, ValueId to) {
  const std::string& name = procedure.function;
  const std::vector<ValueId>& writes = procedure.writes;
  const std::vector<Dim>& a = procedure.arguments;
  const auto number = std::find(writes.begin(), writes.end(), to) - writes.begin();
  if (number == 0 && (name == "compress" || name == "top_k" || name == "unique"))
    return Written{.chosen = true};
  if (name == "top_k") return Written{.most = a[1] - 1};
  // Places and numbers of what there is; of each at least one.
  if (name == "unique") return Written{.most = number == 3 ? a[2] : a[2] - 1};
  if (name == "non_max_suppression") return Written{.most = max(max(a[1], a[2]), a[3]) - 1};
  if (name == "non_zero") {
    Dim extent = 0;
    for (size_t d = 2; d < a.size(); ++d) extent = max(extent, a[d]);
    return Written{.most = extent - 1};
  }
  return std::nullopt;
}

}  // namespace burin
