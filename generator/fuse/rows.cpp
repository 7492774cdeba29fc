#include "fuse/rows.h"

#include <algorithm>
#include <set>

#include "fuse/cascade.h"
#include "kernel/expr_axes.h"
#include "kernel/layout.h"

namespace burin {
namespace {

bool contains(const std::vector<int>& axes, int axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

// A sum of products whose factors run over different rows: a product of matrices, a convolution.
bool is_contraction(const Let& let) {
  if (let.op != Combiner::sum || let.body.size() != 1) return false;
  const Expr& body = let.body[0];
  if (body.kind() != ExprKind::binary || body->binary() != Binary::mul) return false;
  const std::vector<int> a = axes_of(body->operands[0]), b = axes_of(body->operands[1]);
  return std::any_of(let.over.begin(), let.over.end(),
                     [&](int axis) { return contains(a, axis) != contains(b, axis); });
}

bool may_join(const Kernel& kernel) {
  return kernel.writes.size() == 1 &&
         std::none_of(kernel.lets.begin(), kernel.lets.end(), is_contraction);
}

// The axis along which neighbours of the result are neighbours in memory; -1: none.
int contiguous_axis(const Write& write, const std::vector<Value>& values) {
  const Index address = linearize(write.at, values[static_cast<size_t>(write.to)].shape);
  for (const Index::Term& term : address.terms()) {
    if (term.coefficient == 1 && term.atoms.size() == 1 && term.atoms[0].kind() == IndexKind::axis)
      return term.atoms[0].axis_id();
  }
  return -1;
}

}  // namespace

std::optional<Kernel> join_rows(const Kernel& producer, const Kernel& reader,
                                const std::vector<Value>& values, int64_t recomputed_operations) {
  if (producer.lets.empty() || !may_join(producer) || !may_join(reader)) return std::nullopt;
  const std::optional<Joint> joint = find_joint(producer, reader);
  if (!joint) return std::nullopt;
  std::set<int> rows;  // in the reader
  for (const Let& let : joint->producer.lets) {
    for (const int axis : let.over) {
      const int moved = joint->axis[static_cast<size_t>(axis)];
      if (moved < 0) return std::nullopt;
      rows.insert(moved);
    }
  }
  if (rows.empty()) return std::nullopt;
  const Write& write = joint->reader.writes[0];
  const int inner = contiguous_axis(write, values);
  for (const int axis : rows) {
    if (!contains(write.over, axis)) return std::nullopt;
    for (const Let& let : joint->reader.lets) {
      if (!contains(let.over, axis)) return std::nullopt;
    }
    if (joint->reader.lets.empty() && axis == inner) return std::nullopt;
  }
  return joined(*joint, recomputed_operations);
}

}  // namespace burin
