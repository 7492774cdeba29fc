#include "layout/relayout.h"

#include <algorithm>
#include <set>

#include "fuse/access/products.h"
#include "kernel/rewrite_kernel.h"
#include "select/threads/fused_copies.h"
#include "support/check.h"

namespace burin {

std::vector<Index> physical_point(const Layout& layout, const std::vector<Index>& at) {
  const auto factor_of = [&](size_t axis) {
    for (const Layout::Block& block : layout.blocks) {
      if (block.axis == static_cast<int>(axis)) return block.factor;
    }
    return int64_t{1};
  };
  std::vector<Index> out;
  for (size_t d = 0; d < at.size(); ++d) {
    const auto axis = layout.order.empty() ? d : static_cast<size_t>(layout.order[d]);
    out.push_back(floordiv(at[axis], factor_of(axis)));
  }
  for (const Layout::Block& block : layout.blocks)
    out.push_back(mod(at[static_cast<size_t>(block.axis)], block.factor));
  return out;
}

Kernel relayout(const Kernel& kernel, const Layouts& layouts) {
  const auto on_expr = [&](const Expr& expr) -> Expr {
    if (expr.kind() != ExprKind::load) return expr;
    const auto at = layouts.find(expr->id);
    if (at == layouts.end()) return expr;
    return Expr::load(expr->id, expr->storage, physical_point(at->second, expr->at));
  };
  Kernel out = kernel;
  rewrite_exprs(out, on_expr);
  for (Write& write : out.writes) {
    if (const auto at = layouts.find(write.to); at != layouts.end())
      write.at = physical_point(at->second, write.at);
  }
  return out;
}

KernelGraph relayout(KernelGraph graph, const Layouts& layouts) {
  for (const auto& [id, layout] : layouts) {
    Value& value = graph.values[static_cast<size_t>(id)];
    BURIN_CHECK(value.kind == ValueKind::internal && value.layout.is_row_major(),
                "a layout that is not free: " + value.name);
    for (const Layout::Block& block : layout.blocks) {
      const Dim& size = value.shape[static_cast<size_t>(block.axis)];
      BURIN_CHECK(mod(size, block.factor).is_constant(0),
                  "a block that is not full: " + value.name);
    }
    value.shape = physical_shape(layout, value.shape);
  }
  for (Step& step : graph.steps) {
    if (Kernel* kernel = std::get_if<Kernel>(&step)) *kernel = relayout(*kernel, layouts);
  }
  return graph;
}

namespace {

// Kernels that go by rows as these lie in memory: a product that is not all there is (a row
// epilogue, a product back to back with another one), and fused copies.
bool goes_by_rows(const Kernel& kernel, const std::vector<Value>& values) {
  if (split_fused_copies(kernel)) return true;
  for (size_t i = 0; i < kernel.lets.size(); ++i) {
    if (!is_contraction(kernel.lets[i], values)) continue;
    if (i + 1 < kernel.lets.size() || kernel.writes.size() > 1) return true;
  }
  return false;
}

}  // namespace

std::vector<ValueId> free_values(const KernelGraph& graph) {
  std::set<ValueId> bound;
  for (const Step& step : graph.steps) {
    const Kernel* kernel = std::get_if<Kernel>(&step);
    if (kernel && !goes_by_rows(*kernel, graph.values)) continue;
    for (const ValueId id : reads_of(step)) bound.insert(id);
    for (const ValueId id : writes_of(step)) bound.insert(id);
  }
  std::vector<ValueId> out;
  for (size_t v = 0; v < graph.values.size(); ++v) {
    const auto id = static_cast<ValueId>(v);
    if (graph.values[v].kind == ValueKind::internal && graph.values[v].layout.is_row_major() &&
        !bound.contains(id))
      out.push_back(id);
  }
  return out;
}

}  // namespace burin
