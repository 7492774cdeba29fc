#include <algorithm>

#include "kernel/expr/expr_axes.h"
#include "ops/api/core/op_context.h"
#include "support/check.h"

namespace burin {
namespace {

std::vector<int> without(std::vector<int> axes, const std::vector<int>& removed) {
  axes.erase(std::remove_if(axes.begin(), axes.end(),
                            [&](int axis) {
                              return std::find(removed.begin(), removed.end(), axis) !=
                                     removed.end();
                            }),
             axes.end());
  return axes;
}

}  // namespace

Index KernelBuilder::axis(const Dim& extent, std::string name, AxisKind kind) {
  const Index index = Index::axis(static_cast<int>(kernel_.axes.size()), extent);
  if (index.kind() == IndexKind::axis) kernel_.axes.push_back({extent, kind, std::move(name)});
  return index;
}

Indices KernelBuilder::axes(const Shape& extents) {
  Indices out;
  for (const Dim& extent : extents) out.push_back(axis(extent));
  return out;
}

std::vector<int> KernelBuilder::ids(const Indices& axes) const {
  std::vector<int> out;
  for (const Index& axis : axes) {
    if (axis.kind() == IndexKind::axis) out.push_back(axis.axis_id());
  }
  std::sort(out.begin(), out.end());
  return out;
}

Indices KernelBuilder::at(const std::vector<int>& axes) const {
  Indices out;
  for (const int axis : axes)
    out.push_back(axis == kByteAxis
                      ? byte_axis()
                      : Index::axis(axis, kernel_.axes[static_cast<size_t>(axis)].extent));
  return out;
}

std::vector<Expr> KernelBuilder::reduce_tuple(Combiner op, const Indices& reduced,
                                              const std::vector<Expr>& body) {
  Let let;
  let.reduced = ids(reduced);
  let.op = op;
  let.body = body;
  for (const Expr& part : body) {
    let.accumulator.push_back(part.type());
    for (const int axis : axes_of(part)) let.over.push_back(axis);
  }
  std::sort(let.over.begin(), let.over.end());
  let.over.erase(std::unique(let.over.begin(), let.over.end()), let.over.end());
  let.over = without(std::move(let.over), let.reduced);
  const int number = next_let();
  const Indices at = this->at(let.over);
  kernel_.lets.push_back(std::move(let));
  std::vector<Expr> out;
  for (size_t c = 0; c < body.size(); ++c)
    out.push_back(Expr::let(number, body[c].type(), at, static_cast<int>(c)));
  return out;
}

Expr KernelBuilder::reduce(Combiner op, const Indices& reduced, const Expr& body) {
  return reduce_tuple(op, reduced, {body})[0];
}

Expr KernelBuilder::let(const Indices& over, const Expr& body) {
  Let let;
  let.over = ids(over);
  let.body = {body};
  let.accumulator = {body.type()};
  Indices at = this->at(let.over);
  kernel_.lets.push_back(std::move(let));
  return Expr::let(next_let() - 1, body.type(), std::move(at));
}

void KernelBuilder::write(const Operand& to, Indices at, const Expr& value, Guard when, How how) {
  BURIN_CHECK(at.size() == to.shape().size(), "rank of a write");
  BURIN_CHECK(value.type() == to.compute(), "type of a write");
  if (to.type() == Type::string) at.push_back(byte_axis());
  Write write;
  for (const int axis : axes_of(value)) write.over.push_back(axis);
  for (const Index& index : at) index.collect_axes(write.over);
  for (const Condition& condition : when) condition.index.collect_axes(write.over);
  std::sort(write.over.begin(), write.over.end());
  write.over.erase(std::unique(write.over.begin(), write.over.end()), write.over.end());
  write.to = to.value();
  write.at = std::move(at);
  write.value = value;
  write.when = std::move(when);
  write.how = how;
  kernel_.writes.push_back(std::move(write));
}

Kernel with_bytes(Kernel kernel, int64_t string_bytes) {
  const auto is_byte = [](int axis) { return axis == kByteAxis; };
  const auto has_bytes = [&](const auto& part) {
    return std::any_of(part.over.begin(), part.over.end(), is_byte);
  };
  if (std::none_of(kernel.lets.begin(), kernel.lets.end(), has_bytes) &&
      std::none_of(kernel.writes.begin(), kernel.writes.end(), has_bytes))
    return kernel;
  const auto own = static_cast<int>(kernel.axes.size());
  BURIN_CHECK(own < kByteAxis, "more axes than a kernel has");
  kernel.axes.push_back({string_bytes, AxisKind::parallel, "byte"});
  std::vector<Index> axes(kByteAxis + 1, Index(0));
  for (int axis = 0; axis <= own; ++axis)
    axes[static_cast<size_t>(axis)] =
        Index::axis(axis, kernel.axes[static_cast<size_t>(axis)].extent);
  axes[kByteAxis] = axes[static_cast<size_t>(own)];
  for (Let& let : kernel.lets) {
    std::replace_if(let.over.begin(), let.over.end(), is_byte, own);
    for (Expr& body : let.body) body = substitute_axes(body, axes);
  }
  for (Write& write : kernel.writes) {
    std::replace_if(write.over.begin(), write.over.end(), is_byte, own);
    for (Index& index : write.at) index = index.substitute_axes(axes);
    write.value = substitute_axes(write.value, axes);
    write.when = substitute_axes(write.when, axes);
  }
  return kernel;
}

}  // namespace burin
