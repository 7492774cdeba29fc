#include "layout/copies.h"

#include <algorithm>

#include "kernel/rewrite_kernel.h"
#include "support/check.h"

namespace burin {
namespace {

bool has(const std::vector<ValueId>& ids, ValueId id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

// The kernel with `to` in place of `from` where it loads.
Kernel reading(const Kernel& kernel, ValueId from, ValueId to) {
  Kernel out = kernel;
  rewrite_exprs(out, [&](const Expr& expr) -> Expr {
    if (expr.kind() != ExprKind::load || expr->id != from) return expr;
    return Expr::load(to, expr->storage, expr->at);
  });
  return out;
}

}  // namespace

Kernel copy_kernel(ValueId from, ValueId to, const std::vector<Value>& values) {
  const Value& value = values[static_cast<size_t>(from)];
  Kernel kernel;
  Write write;
  for (const Dim& extent : value.shape) {
    const int axis = static_cast<int>(kernel.axes.size());
    kernel.axes.push_back({extent, AxisKind::parallel, {}});
    write.at.push_back(Index::axis(axis, extent));
    write.over.push_back(axis);
  }
  write.to = to;
  write.value = Expr::load(from, value.type, write.at);
  kernel.name = value.name;
  kernel.writes.push_back(std::move(write));
  return kernel;
}

std::vector<int> readers_of(const KernelGraph& graph, ValueId id) {
  std::vector<int> out;
  for (size_t s = 0; s < graph.steps.size(); ++s) {
    if (has(reads_of(graph.steps[s]), id)) out.push_back(static_cast<int>(s));
  }
  return out;
}

KernelGraph with_copies(KernelGraph graph, const LayoutCopies& copies, Layouts& layouts) {
  // Readers are numbered as they are without copies.
  std::vector<std::vector<int>> readers;
  for (const LayoutCopy& copy : copies) readers.push_back(readers_of(graph, copy.of));
  std::vector<ValueId> made;
  for (size_t c = 0; c < copies.size(); ++c) {
    const LayoutCopy& copy = copies[c];
    made.push_back(static_cast<ValueId>(graph.values.size()));
    Value value = graph.values[static_cast<size_t>(copy.of)];
    value.name += "_copy";
    graph.values.push_back(std::move(value));
    if (!copy.layout.is_row_major()) layouts[made.back()] = copy.layout;
    for (const int number : copy.readers) {
      BURIN_CHECK(number >= 0 && static_cast<size_t>(number) < readers[c].size(), "no such reader");
      Step& step = graph.steps[static_cast<size_t>(readers[c][static_cast<size_t>(number)])];
      BURIN_CHECK(std::holds_alternative<Kernel>(step), "a reader that is no kernel");
      step = reading(std::get<Kernel>(step), copy.of, made.back());
    }
  }
  for (size_t c = 0; c < copies.size(); ++c) {
    const auto maker =
        std::find_if(graph.steps.rbegin(), graph.steps.rend(),
                     [&](const Step& step) { return has(writes_of(step), copies[c].of); });
    BURIN_CHECK(maker != graph.steps.rend() && std::holds_alternative<Kernel>(*maker),
                "a tensor that no kernel makes");
    Kernel kernel = copy_kernel(copies[c].of, made[c], graph.values);
    kernel.origins = std::get<Kernel>(*maker).origins;
    graph.steps.insert(maker.base(), std::move(kernel));
  }
  return graph;
}

}  // namespace burin
