// Tile: the input repeated along every dimension. Since opset 6 with one count per dimension;
// before, with a count and an axis.
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "support/diagnostics.h"

namespace burin::tile_op {
namespace {

std::vector<Dim> repeats_of(OpContext& op, const Operand& x) {
  if (op.version() < 6) {
    const std::vector<Dim> count = op.elements(1, {0, kUnbounded});
    const std::optional<std::vector<Dim>> axis = op.known(2);
    if (count.size() != 1 || !axis || axis->size() != 1 || !(*axis)[0].is_constant())
      refuse("dynamic-shape", "tiles and axis must be known numbers");
    std::vector<Dim> repeats(static_cast<size_t>(x.rank()), Dim(1));
    repeats[static_cast<size_t>(normalize_axis((*axis)[0].constant(), x.rank()))] = count[0];
    return repeats;
  }
  return op.elements(1, {0, kUnbounded});
}

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const std::vector<Dim> repeats = repeats_of(op, x);
  if (static_cast<int>(repeats.size()) != x.rank()) {
    refuse("shape-mismatch", std::to_string(repeats.size()) + " repeats for a tensor of rank " +
                                 std::to_string(x.rank()));
  }
  Shape shape;
  for (size_t d = 0; d < repeats.size(); ++d) {
    if (proven_lt(repeats[d], 0)) refuse("shape-mismatch", "a repeat is negative");
    shape.push_back(x.shape()[d] * repeats[d]);
  }
  const Operand y = op.output(0, x.type(), shape);
  op.map(y, [&](const Indices& at) {
    Indices from;
    for (size_t d = 0; d < at.size(); ++d) {
      // Of an empty dimension nothing is read.
      from.push_back(x.shape()[d].is_constant(0) ? Index(0) : mod(at[d], x.shape()[d]));
    }
    return x.at(std::move(from));
  });
}

}  // namespace

OpDef definition() {
  return {.name = "Tile",
          .inputs = {{"input", types::tensors},
                     {"tiles", types::numeric, Arity::required, until(5)},
                     {"axis", types::numeric, Arity::required, until(5)},
                     {"repeats", types::i64, Arity::required, since(6)}},
          .outputs = {{"output"}},
          .lower = lower};
}

}  // namespace burin::tile_op
