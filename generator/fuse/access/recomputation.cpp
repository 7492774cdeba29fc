#include "fuse/access/recomputation.h"

#include <algorithm>

#include "fuse/access/access.h"
#include "fuse/access/products.h"
#include "kernel/expr/expr_axes.h"

namespace burin {
namespace {

double count(const Dim& dim) { return static_cast<double>(std::max<int64_t>(1, at_hints(dim))); }

}  // namespace

double uses_in_factor(const Kernel& reader, ValueId value, const std::vector<Value>& values) {
  if (reader.lets.size() != 1 || reader.writes.size() != 1) return 0;
  const Let& let = reader.lets[0];
  if (let.op != Combiner::sum || let.body.size() != 1 || let.accumulator[0] != Type::f32) return 0;
  const Expr& body = let.body[0];
  if (body.kind() != ExprKind::binary || body->binary() != Binary::mul) return 0;
  const bool first = loads(body->operands[0], value), second = loads(body->operands[1], value);
  if (first == second || load_points(reader, value).size() != 1 ||
      loads(reader.writes[0].value, value))
    return 0;
  double points = 1;
  for (const int axis : axes_of(body->operands[first ? 0 : 1]))
    points *= count(reader.axes[static_cast<size_t>(axis)].extent);
  return points / count(product(values[static_cast<size_t>(value)].shape));
}

}  // namespace burin
