// TensorScatter: a cache with an update written into it along axis, in each batch from an index of
// its own on; `circular` goes on at the front behind the end. A place outside is clipped. Since
// opset 24.
#include "ops/api/core/op_def.h"
#include "ops/api/movement/scattering.h"
#include "support/diagnostics.h"

namespace burin::tensor_scatter_op {
namespace {

constexpr int64_t kFarthest = int64_t{1} << 40;  // where a write may begin

void lower(OpContext& op) {
  const Operand cache = op.input(0), update = op.input(1);
  if (update.type() != cache.type())
    refuse("type-mismatch", "past_cache and update must have one type");
  if (cache.rank() < 2 || update.rank() != cache.rank())
    refuse("shape-mismatch", "past_cache and update must have one rank, 2 or more");
  const int axis = normalize_axis(op.integer("axis", -2), cache.rank());
  if (axis == 0) refuse("bad-attribute", "axis is that of the batch");
  const std::string mode = op.text("mode", "linear");
  const bool circular = mode == "circular";
  if (!circular && mode != "linear") refuse("bad-attribute", "mode is " + quoted(mode));
  const Dim extent = cache.dim(axis), count = update.dim(axis);
  for (int d = 0; d < cache.rank(); ++d) {
    if (d != axis) op.require_equal(update.dim(d), cache.dim(d), "dimension of the update");
  }
  op.require({{count, 0, extent + 1}}, "length of the update");
  if (op.has_input(2)) {
    if (op.input(2).rank() != 1) refuse("shape-mismatch", "write_indices must have one dimension");
    op.require_equal(op.input(2).dim(0), cache.dim(0), "number of write_indices");
  }
  const Operand y = copied_data(op, cache);
  KernelBuilder kernel;
  const Indices at = kernel.axes(update.shape());
  Indices to = at;
  Index& place = to[static_cast<size_t>(axis)];
  if (op.has_input(2)) {
    const Expr begin = Expr::cast(Type::i64, op.input(2).at({at[0]}));
    const Expr zero = Expr::constant(Type::i64, 0);
    const Expr last = circular ? Expr::constant(Type::i64, kFarthest) : Expr::index(extent - count);
    place += Index::data(max(min(begin, last), zero).ptr(),
                         {0, circular ? kFarthest : (extent - count).range().hi});
  }
  if (circular) place = mod(place, max(extent, 1));
  kernel.write(y, to, update.at(at));
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
  return {.name = "TensorScatter",
          .since = 24,
          .inputs = {{"past_cache", types::tensors},
                     {"update", types::tensors},
                     {"write_indices", types::i64, Arity::optional}},
          .outputs = {{"present_cache"}},
          .attributes = {{"axis", AttributeKind::integer}, {"mode", AttributeKind::text}},
          .lower = lower};
}

}  // namespace burin::tensor_scatter_op
