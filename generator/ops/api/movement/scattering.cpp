#include "ops/api/movement/scattering.h"

#include "ops/api/movement/movement.h"
#include "support/diagnostics.h"

namespace burin {

How reduction_of(const OpContext& op) {
  const std::string name = op.text("reduction", "none");
  if (name == "none") return How::store;
  if (op.input(0).type() == Type::string)
    refuse("bad-attribute", "reduction is " + quoted(name) + ", and strings are only stored");
  if (name == "add") return How::add;
  if (name == "mul") return How::mul;
  if (name == "min" && op.version() >= 18) return How::min;
  if (name == "max" && op.version() >= 18) return How::max;
  refuse("bad-attribute",
         "reduction is " + quoted(name) + " at opset " + std::to_string(op.version()));
}

Operand copied_data(OpContext& op, const Operand& data) {
  const Operand y = op.output(0, data.type(), data.shape());
  op.map(y, [&](const Indices& at) { return data.at(at); });
  return y;
}

void map_scatter_elements(OpContext& op, int64_t given_axis, How how) {
  const Operand data = op.input(0), indices = op.input(1), updates = op.input(2);
  const int axis = normalize_axis(given_axis, data.rank());
  if (updates.type() != data.type()) refuse("type-mismatch", "data and updates must have one type");
  if (indices.rank() != data.rank() || updates.rank() != data.rank()) {
    refuse("shape-mismatch", "data, indices and updates have ranks " + std::to_string(data.rank()) +
                                 ", " + std::to_string(indices.rank()) + " and " +
                                 std::to_string(updates.rank()));
  }
  for (int d = 0; d < data.rank(); ++d) {
    op.require_equal(indices.dim(d), updates.dim(d), "indices and updates");
    if (d != axis) op.require({{indices.dim(d), 0, data.dim(d) + 1}}, "indices dimension");
  }
  require_pickable(op, product(updates.shape()), data.dim(axis));
  const Operand y = copied_data(op, data);
  KernelBuilder kernel;
  Indices at;
  for (int d = 0; d < indices.rank(); ++d) {
    at.push_back(
        kernel.axis(indices.dim(d), {}, d == axis ? AxisKind::sequential : AxisKind::parallel));
  }
  Indices to = at;
  to[static_cast<size_t>(axis)] = data_index(indices.at(at), data.dim(axis));
  kernel.write(y, to, updates.at(at), {}, how);
  op.emit(kernel);
}

}  // namespace burin
