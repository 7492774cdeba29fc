// GatherND: the last dimension of the indices holds coordinates of the first dimensions of the data
// behind batch_dims common ones. Coordinates outside are clipped. Since opset 11.
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "ops/api/movement/movement.h"
#include "support/diagnostics.h"

namespace burin::gather_nd_op {
namespace {

void lower(OpContext& op) {
  const Operand data = op.input(0), indices = op.input(1);
  const int64_t given = op.integer("batch_dims", 0);
  if (indices.rank() == 0 || given < 0 || given >= indices.rank() || given >= data.rank())
    refuse("bad-attribute", "batch_dims is " + std::to_string(given) + " for ranks " +
                                std::to_string(data.rank()) + " and " +
                                std::to_string(indices.rank()));
  const int batch = static_cast<int>(given);
  if (!indices.dim(-1).is_constant())
    refuse("dynamic-shape", "the number of coordinates is not known before the run");
  const int64_t coordinates = indices.dim(-1).constant();
  if (coordinates < 1 || coordinates > data.rank() - batch) {
    refuse("shape-mismatch", std::to_string(coordinates) + " coordinates for data of rank " +
                                 std::to_string(data.rank()) + " with " + std::to_string(batch) +
                                 " batch dimensions");
  }
  for (int d = 0; d < batch; ++d) op.require_equal(data.dim(d), indices.dim(d), "batch dimension");

  Shape shape(indices.shape().begin(), indices.shape().end() - 1);
  const int sliced = batch + static_cast<int>(coordinates);
  shape.insert(shape.end(), data.shape().begin() + sliced, data.shape().end());
  for (int d = batch; d < sliced; ++d) require_pickable(op, product(shape), data.dim(d));
  const Operand y = op.output(0, data.type(), shape);
  op.map(y, [&](const Indices& at) {
    const auto point = at.begin() + (indices.rank() - 1);
    Indices from(at.begin(), at.begin() + batch);
    for (int64_t c = 0; c < coordinates; ++c) {
      Indices entry(at.begin(), point);
      entry.push_back(c);
      from.push_back(
          data_index(indices.at(std::move(entry)), data.dim(batch + static_cast<int>(c))));
    }
    from.insert(from.end(), point, at.end());
    return data.at(std::move(from));
  });
}

}  // namespace

OpDef definition() {
  return {.name = "GatherND",
          .since = 11,
          .inputs = {{"data", types::tensors}, {"indices", types::i64}},
          .outputs = {{"output"}},
          .attributes = {{"batch_dims", AttributeKind::integer, false, since(12)}},
          .lower = lower};
}

}  // namespace burin::gather_nd_op
