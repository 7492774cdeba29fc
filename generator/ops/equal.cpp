// Equal: c = (a == b); NaN equals nothing. Floats since opset 7, strings since 19.
#include "ops/api/math/elementwise.h"
#include "ops/api/strings/strings.h"
#include "support/diagnostics.h"

namespace burin::equal_op {
namespace {

void lower(OpContext& op) {
  const Operand a = op.input(0), b = op.input(1);
  if (a.type() != Type::string || b.type() != Type::string)
    return map_binary(op, Binary::eq, Type::boolean);
  if (op.version() < 19) refuse("unsupported-type", "strings are compared since opset 19");
  const Operand c = op.output(0, Type::boolean, broadcast(op, {a.shape(), b.shape()}));
  KernelBuilder kernel;
  const Indices at = kernel.axes(c.shape());
  kernel.write(c, at,
               is_same(op, kernel, bytes_at(a, a.broadcast_indices(at)),
                       bytes_at(b, b.broadcast_indices(at))));
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
  return binary_op("Equal", types::numeric | types::boolean | types::string, lower, 1);
}

}  // namespace burin::equal_op
