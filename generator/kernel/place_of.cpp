#include "kernel/place_of.h"

#include <algorithm>

namespace burin {

Location place_of(const Origins& origins) {
  if (origins.empty()) return {};
  return {.node = "node " + quoted(origins.front().node), .op = origins.front().op};
}

const Origins& origins_of(const Step& step) {
  return std::visit(
      [](const auto& one) -> const Origins& {
        if constexpr (requires { one.origins; }) {
          return one.origins;
        } else {
          return one->origins;
        }
      },
      step);
}

Origins& origins_of(Step& step) {
  return const_cast<Origins&>(origins_of(static_cast<const Step&>(step)));
}

Location place_of(const Step& step) { return place_of(origins_of(step)); }

Location place_of(const KernelGraph& graph, ValueId id) {
  const Value& value = graph.values[static_cast<size_t>(id)];
  if (value.kind == ValueKind::input) return {.operand = "input " + quoted(value.name)};
  if (value.kind == ValueKind::constant) return {.operand = "constant " + quoted(value.name)};
  Location where;
  for_each_step(graph.steps, [&](const Step& step) {
    const bool region = std::holds_alternative<std::shared_ptr<If>>(step) ||
                        std::holds_alternative<std::shared_ptr<Loop>>(step);
    if (region || !where.node.empty()) return;
    const std::vector<ValueId> written = writes_of(step);
    if (std::find(written.begin(), written.end(), id) == written.end()) return;
    where = std::visit(
        [](const auto& one) {
          if constexpr (requires { one.origins; }) {
            return one.origins.empty() ? Location{} : place_of({one.origins.list().back()});
          } else {
            return Location{};
          }
        },
        step);
  });
  where.operand = "output " + quoted(value.name);
  return where;
}

}  // namespace burin
