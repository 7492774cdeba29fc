// Col2Im: blocks [N, C * taps, positions] put back where a sliding window took them from; what
// overlaps is added. A gather, with congruences for strides. Since opset 18.
#include "ops/api/core/op_def.h"
#include "ops/api/math/sliding_window.h"
#include "support/diagnostics.h"

namespace burin::col2im_op {
namespace {

// Dynamic sizes are of at most `most`.
std::vector<Dim> list_of(OpContext& op, int input, const Dim& most, const char* what) {
  if (op.input(input).rank() != 1 || !op.input(input).dim(0).is_constant())
    refuse("dynamic-shape", std::string(what) + " must be a list of known length");
  const std::vector<Dim> list = op.elements(input, {1, most});
  for (const Dim& dim : list) op.require({{dim, 1, dim + 1}}, what);
  return list;
}

void lower(OpContext& op) {
  const Operand x = op.input(0);
  if (x.rank() != 3) refuse("shape-mismatch", "input has rank " + std::to_string(x.rank()));
  const Shape block = list_of(op, 2, x.dim(1), "block_shape");
  const Shape image = list_of(op, 1, kUnbounded, "image_shape");
  const size_t count = image.size();
  if (block.size() != count || count == 0)
    refuse("shape-mismatch", "input, image_shape and block_shape do not fit");
  const std::vector<int64_t> strides = spatial_list(op, "strides", count);
  const std::vector<int64_t> dilations = spatial_list(op, "dilations", count);
  const std::vector<int64_t> pads = spatial_pads(op, count);
  Shape places;
  for (size_t d = 0; d < count; ++d) {
    const Dim reach = (block[d] - 1) * dilations[d] + 1;
    places.push_back(floordiv(image[d] + pads[d] + pads[count + d] - reach, strides[d]) + 1);
    op.require({{places.back(), 0, places.back() + 1}}, "number of positions");
  }
  const Dim taps = product(block), channels = floordiv(x.dim(1), taps);
  op.require_equal(channels * taps, x.dim(1), "channels and block_shape");
  op.require_equal(product(places), x.dim(2), "number of positions");
  Shape shape = {x.dim(0), channels};
  shape.insert(shape.end(), image.begin(), image.end());
  const Operand y = op.output(0, x.type(), shape);

  KernelBuilder kernel;
  const Indices at = kernel.axes(shape);
  Indices tap, place;
  Guard guard;
  for (size_t d = 0; d < count; ++d) {
    tap.push_back(kernel.reduce_axis(block[d], "tap"));
    const Index spread = at[d + 2] + pads[d] - tap[d] * dilations[d];
    place.push_back(floordiv(spread, strides[d]));
    guard.push_back({mod(spread, strides[d]), 0, 1});
    guard.push_back({place[d], 0, places[d]});
  }
  const Expr element =
      x.at({at[0], at[1] * taps + linearize(tap, block), linearize(place, places)});
  // Booleans that overlap are joined.
  const Type sum = x.type() == Type::boolean ? Type::i32 : x.compute();
  const Expr counted = Expr::cases({{guard, Expr::cast(sum, element)}}, Expr::constant(sum, 0));
  kernel.write(y, at, Expr::cast(x.compute(), kernel.reduce(Combiner::sum, tap, counted)));
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
  return {.name = "Col2Im",
          .since = 18,
          .inputs = {{"input", types::numeric | types::boolean},
                     {"image_shape", types::i64},
                     {"block_shape", types::i64}},
          .outputs = {{"output"}},
          .attributes = {{"dilations", AttributeKind::integers},
                         {"pads", AttributeKind::integers},
                         {"strides", AttributeKind::integers}},
          .lower = lower};
}

}  // namespace burin::col2im_op
