#include "fuse/constants/output_bytes.h"

#include <optional>

#include "fuse/constants/byte_forms.h"
#include "kernel/expr/expr_axes.h"
#include "support/at.h"

namespace burin {
namespace {

// The outermost byte that a float is made of, and of numbers that are the same everywhere.
std::optional<Expr> byte_of(const Expr& value, const std::vector<Value>& values) {
  if (value.type() != Type::f32) return std::nullopt;
  Expr one = value;
  for (bool inside = true; inside;) {
    inside = false;
    if (one.kind() == ExprKind::cast && one->mode == CastMode::saturate &&
        is_byte_storage(one->storage)) {
      const Expr rest = with_instead(value, one, Expr::constant(one.type(), 0));
      bool same = axes_of(rest).empty();
      visit(rest, [&](const ExprNode& node) {
        same = same && node.kind != ExprKind::let &&
               (node.kind != ExprKind::load || values[at(node.id)].kind == ValueKind::constant);
      });
      if (!same) return std::nullopt;
      return one;
    }
    for (const Expr& operand : one->operands) {
      if (axes_of(operand).empty() && !has_let(operand)) continue;
      one = operand;
      inside = true;
      break;
    }
  }
  return std::nullopt;
}

}  // namespace

KernelGraph with_bytes_before_outputs(KernelGraph graph) {
  Steps steps;
  for (Step& step : graph.steps) {
    Kernel* const kernel = std::get_if<Kernel>(&step);
    std::optional<Kernel> widened;
    if (kernel && !kernel->lets.empty() && kernel->writes.size() == 1) {
      Write& write = kernel->writes[0];
      const Value output = graph.values[at(write.to)];
      const bool whole = write.how == How::store && write.when.empty() &&
                         output.kind == ValueKind::output && output.layout.is_row_major();
      const std::optional<Expr> byte = whole ? byte_of(write.value, graph.values) : std::nullopt;
      if (byte) {
        Value made;
        made.name = output.name + "/byte";
        made.type = (*byte)->storage;
        made.kind = ValueKind::internal;
        made.shape = output.shape;
        const auto id = static_cast<ValueId>(graph.values.size());
        graph.values.push_back(std::move(made));
        widened.emplace();
        widened->name = kernel->name;
        widened->origins = kernel->origins;
        Write out;
        out.to = write.to;
        for (size_t d = 0; d < output.shape.size(); ++d) {
          out.over.push_back(static_cast<int>(d));
          out.at.push_back(Index::axis(static_cast<int>(d), output.shape[d]));
          widened->axes.push_back({output.shape[d], AxisKind::parallel, {}});
        }
        out.value = with_instead(write.value, *byte, Expr::load(id, (*byte)->storage, out.at));
        widened->writes.push_back(std::move(out));
        write.to = id;
        write.value = *byte;
      }
    }
    steps.push_back(std::move(step));
    if (widened) steps.emplace_back(std::move(*widened));
  }
  graph.steps = std::move(steps);
  return graph;
}

}  // namespace burin
