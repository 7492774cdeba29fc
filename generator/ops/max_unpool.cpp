// MaxUnpool: zeros, with each element of X at the place that MaxPool found it, which is a row-major
// position in the tensor that the pooling attributes give. A larger output_shape adds zeros behind.
// Positions outside are clipped. Since opset 9.
#include "ops/api/core/op_def.h"
#include "ops/api/math/sliding_window.h"
#include "support/diagnostics.h"

namespace burin::max_unpool_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0), places = op.input(1);
  const size_t count = spatial_shape(x).size();
  if (places.rank() != x.rank()) refuse("shape-mismatch", "X and I must have one shape");
  for (int d = 0; d < x.rank(); ++d) op.require_equal(x.dim(d), places.dim(d), "X and I");
  const Shape size = kernel_shape(op, count);
  const std::vector<int64_t> strides = spatial_list(op, "strides", count);
  const std::vector<int64_t> pads = spatial_pads(op, count);
  Shape pooled = {x.dim(0), x.dim(1)};
  for (size_t d = 0; d < count; ++d) {
    pooled.push_back((x.shape()[d + 2] - 1) * strides[d] + size[d] - pads[d] - pads[count + d]);
    op.require({{pooled.back(), 1, pooled.back() + 1}}, "extent before pooling");
  }
  Shape shape = pooled;
  if (op.has_input(2)) {
    const Operand given = op.input(2);
    if (given.rank() != 1) refuse("shape-mismatch", "output_shape must have one dimension");
    op.require_equal(given.dim(0), x.rank(), "entries of output_shape");
    shape = op.elements(2, {0, kUnbounded});
    if (shape.size() != pooled.size()) refuse("shape-mismatch", "output_shape has a wrong length");
    for (size_t d = 0; d < shape.size(); ++d)
      op.require({{pooled[d], 0, shape[d] + 1}}, "output_shape");
  }
  const Operand y = op.output(0, x.type(), shape);
  op.map(y, [&](const Indices&) { return y.zero(); });

  KernelBuilder kernel;
  Indices at;  // places may be equal
  for (const Dim& extent : x.shape()) at.push_back(kernel.axis(extent, {}, AxisKind::sequential));
  const Dim total = product(pooled);
  const Expr last = Expr::index(total - 1), zero = Expr::constant(Type::i64, 0);
  const int64_t most = total.range().hi;
  const Index place = Index::data(max(min(places.at(at), last), zero).ptr(),
                                  {0, most == kUnbounded ? kUnbounded : most - 1});
  kernel.write(y, delinearize(place, pooled), x.at(at));
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
  return {.name = "MaxUnpool",
          .since = 9,
          .inputs = {{"X", types::floats},
                     {"I", types::i64},
                     {"output_shape", types::i64, Arity::optional}},
          .outputs = {{"output"}},
          .attributes = {{"kernel_shape", AttributeKind::integers, true},
                         {"strides", AttributeKind::integers},
                         {"pads", AttributeKind::integers}},
          .lower = lower};
}

}  // namespace burin::max_unpool_op
