// StringConcat: strings put one behind the other, element by element with broadcasting. The run
// stops with a status where a result has no room. Since opset 20.
#include "ops/api/core/op_def.h"
#include "ops/api/strings/strings.h"

namespace burin::string_concat_op {
namespace {

void lower(OpContext& op) {
  const Operand x = op.input(0), y = op.input(1);
  const int64_t bytes = op.string_bytes();
  const Operand z = op.output(0, Type::string, broadcast(op, {x.shape(), y.shape()}));
  const Operand begins = op.temporary("begins", Type::i64, z.shape()),
                ends = op.temporary("ends", Type::i64, z.shape());
  KernelBuilder lengths;
  const Indices each = lengths.axes(z.shape());
  const Expr first = length_of(op, lengths, bytes_at(x, x.broadcast_indices(each)));
  const Expr second = length_of(op, lengths, bytes_at(y, y.broadcast_indices(each)));
  lengths.write(begins, each, first);
  lengths.write(ends, each, first + second);
  op.emit(lengths);
  // Asked of the run, not of a size that nothing is made of.
  const Dim longest = largest_of(op, "bytes of strings", ends, 2 * bytes);
  op.require({{longest, 0, bytes + 1}}, "strings of at most " + std::to_string(bytes) + " bytes");
  op.map(z, [&](const Indices& at) {
    const Expr begin = begins.at(at), byte = Expr::index(byte_axis());
    const Expr behind = y.byte_at(y.broadcast_indices(at), clipped(byte - begin, bytes));
    return Expr::select(compare(Binary::lt, byte, begin), x.broadcast_at(at), behind);
  });
}

}  // namespace

OpDef definition() {
  return {.name = "StringConcat",
          .since = 20,
          .inputs = {{"X", types::string}, {"Y", types::string}},
          .outputs = {{"Z"}},
          .lower = lower};
}

}  // namespace burin::string_concat_op
