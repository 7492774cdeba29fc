#include "plans/support/graph_builder.h"

namespace burin::test {
namespace {

Symbol symbol(const std::string& name, SymbolOrigin origin, int64_t min, int64_t max,
              int64_t hint) {
  return std::make_shared<const SymbolInfo>(SymbolInfo{name, origin, min, max, hint});
}

// Rows and columns of a matrix as axes 0 and 1.
std::vector<Axis> axes_of(const std::vector<Dim>& shape) {
  std::vector<Axis> axes;
  for (const Dim& extent : shape) axes.push_back({extent, AxisKind::parallel, ""});
  return axes;
}

std::vector<int> all(size_t count) {
  std::vector<int> over;
  for (size_t i = 0; i < count; ++i) over.push_back(static_cast<int>(i));
  return over;
}

}  // namespace

Symbol param(const std::string& name, int64_t min, int64_t max, int64_t hint) {
  return symbol(name, SymbolOrigin::param, min, max, hint);
}
Symbol run_symbol(const std::string& name, int64_t min, int64_t max) {
  return symbol(name, SymbolOrigin::run, min, max, 0);
}
Symbol iteration(const std::string& name, int64_t max) {
  return symbol(name, SymbolOrigin::iter, 0, max, 0);
}

ValueId GraphBuilder::value(ValueKind kind, std::vector<Dim> shape, Type type) {
  const auto id = static_cast<ValueId>(graph.values.size());
  graph.values.push_back({"t" + std::to_string(id), type, std::move(shape), kind, {}});
  if (kind == ValueKind::input) graph.inputs.push_back(id);
  if (kind == ValueKind::output) graph.outputs.push_back(id);
  return id;
}
ValueId GraphBuilder::input(std::vector<Dim> shape, Type type) {
  return value(ValueKind::input, std::move(shape), type);
}
ValueId GraphBuilder::internal(std::vector<Dim> shape, Type type) {
  return value(ValueKind::internal, std::move(shape), type);
}
ValueId GraphBuilder::output(std::vector<Dim> shape, Type type) {
  return value(ValueKind::output, std::move(shape), type);
}
const std::vector<Dim>& GraphBuilder::shape(ValueId id) const {
  return graph.values[static_cast<size_t>(id)].shape;
}
Type GraphBuilder::type(ValueId id) const { return graph.values[static_cast<size_t>(id)].type; }

std::vector<Index> GraphBuilder::axes(const std::vector<Dim>& shape) {
  std::vector<Index> indices;
  for (size_t i = 0; i < shape.size(); ++i) {
    indices.push_back(Index::axis(static_cast<int>(i), shape[i]));
  }
  return indices;
}

Expr GraphBuilder::load(ValueId id, std::vector<Index> at) const {
  return Expr::load(id, type(id), std::move(at));
}

void GraphBuilder::map(ValueId to, const Expr& value, std::vector<Let> lets) {
  Kernel kernel;
  kernel.name = "k" + std::to_string(to);
  kernel.axes = axes_of(shape(to));
  kernel.lets = std::move(lets);
  kernel.writes.push_back({all(shape(to).size()), to, axes(shape(to)), value, {}, How::store});
  step(std::move(kernel));
}

void GraphBuilder::unary(ValueId to, ValueId x) {
  map(to, Expr::unary(Unary::exp, load(x, axes(shape(to)))));
}

void GraphBuilder::binary(ValueId to, ValueId a, ValueId b) {
  map(to, load(a, axes(shape(to))) + load(b, axes(shape(to))));
}

void GraphBuilder::copy(ValueId to, ValueId x) {
  const std::vector<Index> at = axes(shape(to));
  const Index element = at[0] * shape(to)[1] + at[1];
  const Dim& columns = shape(x)[1];
  map(to, load(x, {floordiv(element, columns), mod(element, columns)}));
}

void GraphBuilder::slice(ValueId to, ValueId x, const Dim& row) {
  const std::vector<Index> at = axes(shape(to));
  map(to, load(x, {at[0] + row, at[1]}));
}

void GraphBuilder::transpose(ValueId to, ValueId x) {
  const std::vector<Index> at = axes(shape(to));
  map(to, load(x, {at[1], at[0]}));
}

void GraphBuilder::normalise_rows(ValueId to, ValueId x) {
  const std::vector<Index> at = axes(shape(to));
  const Let sum{{0}, {1}, Combiner::sum, {load(x, at)}, {Type::f32}};
  map(to, load(x, at) / Expr::let(0, Type::f32, {at[0]}), {sum});
}

void GraphBuilder::concat(ValueId to, const std::vector<ValueId>& parts) {
  const std::vector<Index> at = axes(shape(to));
  std::vector<Expr::Case> cases;
  Dim row = 0;
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    const Dim end = row + shape(parts[i])[0];
    cases.push_back({{{at[0], row, end}}, load(parts[i], {at[0] - row, at[1]})});
    row = end;
  }
  map(to, Expr::cases(std::move(cases), load(parts.back(), {at[0] - row, at[1]})));
}

void GraphBuilder::split(const std::vector<ValueId>& parts, ValueId x) {
  Kernel kernel;
  kernel.name = "split";
  Dim row = 0;
  for (const ValueId part : parts) {
    const int first = static_cast<int>(kernel.axes.size());
    std::vector<Index> at;
    for (const Dim& extent : shape(part)) {
      at.push_back(Index::axis(static_cast<int>(kernel.axes.size()), extent));
      kernel.axes.push_back({extent, AxisKind::parallel, ""});
    }
    kernel.writes.push_back(
        {{first, first + 1}, part, at, load(x, {at[0] + row, at[1]}), {}, How::store});
    row += shape(part)[0];
  }
  step(std::move(kernel));
}

void GraphBuilder::add_row(ValueId to, const Index& row, ValueId x) {
  Kernel kernel;
  kernel.name = "add_row";
  const Index column = Index::axis(0, shape(x)[1]);
  kernel.axes = {{shape(x)[1], AxisKind::parallel, ""}};
  kernel.writes.push_back({{0}, to, {row, column}, load(x, {0, column}), {}, How::add});
  step(std::move(kernel));
}

void GraphBuilder::set_row(ValueId to, const Index& row, ValueId x) {
  add_row(to, row, x);
  std::get<Kernel>(open_.back()->back()).writes[0].how = How::store;
}

}  // namespace burin::test
