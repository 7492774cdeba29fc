#include "ops/api/layers/embedded_tokens.h"

#include "ops/api/layers/normalization.h"
#include "ops/api/math/sums_of_products.h"
#include "ops/api/movement/gathering.h"
#include "ops/api/movement/movement.h"
#include "support/diagnostics.h"

namespace burin {

void emit_embedded_tokens(OpContext& op, const TokenInputs& inputs, Type type,
                          const TableReader& read) {
  const Operand ids = op.input(inputs.ids), words = op.input(inputs.words),
                places = op.input(inputs.positions);
  if (ids.rank() != 2 || words.rank() != 2 || places.rank() != 2)
    refuse("shape-mismatch", "input_ids and the tables must have rank 2");
  const Dim batch = ids.dim(0), length = ids.dim(1), width = words.dim(1);
  op.require_equal(places.dim(1), width, "width of the position table");
  for (const int i : {inputs.gamma, inputs.beta})
    require_broadcastable(op, op.input(i).shape(), {width}, "gamma and beta");
  require_pickable(op, batch * length, words.dim(0));
  require_pickable(op, batch * length, places.dim(0));
  const bool segments = op.has_input(inputs.segments) && op.has_input(inputs.segment_table);
  const auto word = index_reader(op, inputs.ids, words.dim(0));
  std::function<Index(const Indices&)> segment, place;
  if (segments) {
    const Operand which = op.input(inputs.segments), table = op.input(inputs.segment_table);
    if (which.rank() != 2 || table.rank() != 2)
      refuse("shape-mismatch", "segment_ids and their table must have rank 2");
    for (int d = 0; d < 2; ++d) op.require_equal(which.dim(d), ids.dim(d), "shape of segment_ids");
    op.require_equal(table.dim(1), width, "width of the segment table");
    require_pickable(op, batch * length, table.dim(0));
    segment = index_reader(op, inputs.segments, table.dim(0));
  }
  if (inputs.position_ids >= 0 && op.has_input(inputs.position_ids)) {
    const Operand given = op.input(inputs.position_ids);
    if (given.rank() != 2) refuse("shape-mismatch", "position_ids must have rank 2");
    const bool shared = given.dim(0).is_constant(1);
    if (!shared) op.require_equal(given.dim(0), batch, "batch of position_ids");
    op.require_equal(given.dim(1), length, "length of position_ids");
    const auto read = index_reader(op, inputs.position_ids, places.dim(0));
    place = [read, shared](const Indices& at) {
      return read(shared ? Indices{0, at[1]} : Indices{at[0], at[1]});
    };
  } else {
    op.require({{length, 0, places.dim(0) + 1}}, "positions");
    place = [](const Indices& at) { return at[1]; };
  }
  const Shape shape = {batch, length, width};
  const Operand y = op.output(0, type, shape);
  const Operand sum =
      op.has_output(2) ? op.output(2, type, shape) : op.temporary("sum", type, shape);
  op.map(sum, [&](const Indices& at) {
    const Indices token = {at[0], at[1]};
    Expr value = read(inputs.words, {word(token), at[2]});
    value = value + read(inputs.positions, {place(token), at[2]});
    if (!segments) return value;
    return value + read(inputs.segment_table, {segment(token), at[2]});
  });
  KernelBuilder kernel;
  const Indices at = kernel.axes(shape);
  const Moments moments = moments_of(kernel, {at[2]}, sum.at(at), width);
  const Expr inverse = inverse_root(moments.variance, op.real("epsilon", 1e-12));
  kernel.write(y, at,
               (sum.at(at) - moments.mean) * inverse * read(inputs.gamma, {at[2]}) +
                   read(inputs.beta, {at[2]}));
  op.emit(kernel);
  if (!op.has_output(1)) return;
  const Operand kept = op.output(1, Type::i32, {batch});
  KernelBuilder counter;
  const Index b = counter.axis(batch), i = counter.reduce_axis(length, "token");
  const Expr one = Expr::constant(Type::i32, 1), none = Expr::constant(Type::i32, 0);
  if (op.has_input(inputs.mask)) {
    const Operand mask = op.input(inputs.mask);
    if (mask.rank() != 2) refuse("shape-mismatch", "mask must have rank 2");
    for (int d = 0; d < 2; ++d) op.require_equal(mask.dim(d), ids.dim(d), "shape of mask");
    const Expr is_kept = compare(Binary::eq, mask.at({b, i}), one);
    counter.write(kept, {b}, counter.reduce(Combiner::sum, {i}, Expr::select(is_kept, one, none)));
  } else {
    counter.write(kept, {b}, none);
  }
  op.emit(counter);
}

}  // namespace burin
