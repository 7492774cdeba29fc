// ScatterND: data with slices replaced (or combined, since opset 16) by updates at coordinates that
// the last dimension of the indices holds. A coordinate outside is clipped. Since opset 11.
#include "ops/api/core/op_def.h"
#include "ops/api/movement/known_places.h"
#include "ops/api/movement/movement.h"
#include "ops/api/movement/scattering.h"
#include "support/diagnostics.h"

namespace burin::scatter_nd_op {
namespace {

Expr combined(How how, const Expr& old, const Expr& update) {
  switch (how) {
    case How::store:
      return update;
    case How::add:
      return old + update;
    case How::mul:
      return old * update;
    case How::min:
      return min(old, update);
    case How::max:
      return max(old, update);
  }
  return update;
}

// One map, where it is known which place gets which update: an assignment to a slice.
void map_known(OpContext& op, const std::vector<Coordinate>& coordinates, const Shape& points,
               How how) {
  const Operand data = op.input(0), updates = op.input(2);
  const Operand y = op.output(0, data.type(), data.shape());
  op.map(y, [&](const Indices& at) {
    const auto rest = at.begin() + static_cast<std::ptrdiff_t>(coordinates.size());
    Update update = update_at(coordinates, Indices(at.begin(), rest), points);
    Indices from = update.point;
    from.insert(from.end(), rest, at.end());
    const Expr old = data.at(at);
    return Expr::cases({{update.when, combined(how, old, updates.at(from))}}, old);
  });
}

void lower(OpContext& op) {
  const Operand data = op.input(0), indices = op.input(1), updates = op.input(2);
  if (updates.type() != data.type()) refuse("type-mismatch", "data and updates must have one type");
  if (indices.rank() == 0 || data.rank() == 0)
    refuse("shape-mismatch", "data and indices must have dimensions");
  if (!indices.dim(-1).is_constant())
    refuse("dynamic-shape", "the number of coordinates is not known before the run");
  const int64_t given = indices.dim(-1).constant();
  if (given < 0 || given > data.rank()) {
    refuse("shape-mismatch",
           std::to_string(given) + " coordinates for data of rank " + std::to_string(data.rank()));
  }
  const int coordinates = static_cast<int>(given);
  const Shape points(indices.shape().begin(), indices.shape().end() - 1);
  Shape shape = points;
  shape.insert(shape.end(), data.shape().begin() + coordinates, data.shape().end());
  if (updates.rank() != static_cast<int>(shape.size())) {
    refuse("shape-mismatch",
           "updates have shape " + to_string(updates.shape()) + ", not " + to_string(shape));
  }
  for (size_t d = 0; d < shape.size(); ++d)
    op.require_equal(updates.shape()[d], shape[d], "updates");
  const How how = reduction_of(op);
  for (int c = 0; c < coordinates; ++c) require_pickable(op, product(shape), data.dim(c));
  const Shape& extents = data.shape();
  if (const auto known = even_coordinates(
          op, 1, {extents.begin(), extents.begin() + static_cast<std::ptrdiff_t>(given)})) {
    map_known(op, *known, points, how);
    return;
  }
  const Operand y = copied_data(op, data);

  KernelBuilder kernel;
  Indices at;
  for (size_t d = 0; d < shape.size(); ++d) {
    at.push_back(
        kernel.axis(shape[d], {}, d < points.size() ? AxisKind::sequential : AxisKind::parallel));
  }
  const auto point_end = at.begin() + static_cast<std::ptrdiff_t>(points.size());
  Indices to;
  for (int c = 0; c < coordinates; ++c) {
    Indices entry(at.begin(), point_end);
    entry.push_back(c);
    to.push_back(data_index(indices.at(std::move(entry)), data.dim(c)));
  }
  to.insert(to.end(), point_end, at.end());
  kernel.write(y, to, updates.at(at), {}, how);
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
  return {
      .name = "ScatterND",
      .since = 11,
      .inputs = {{"data", types::tensors}, {"indices", types::i64}, {"updates", types::tensors}},
      .outputs = {{"output"}},
      .attributes = {{"reduction", AttributeKind::text, false, since(16)}},
      .lower = lower};
}

}  // namespace burin::scatter_nd_op
