#include "select/products/operand_packing.h"

#include <algorithm>

#include "kernel/index/divisions.h"
#include "kernel/layout.h"

namespace burin {
namespace {

constexpr int kPackedPoints = 64;    // floats: some vectors, and a fraction of the nearest cache
constexpr int kLeastOperations = 2;  // below, moving twice costs more than computing apart

// How far an address moves with an axis; nullopt where it is no multiple of a number.
std::optional<int64_t> stride_along(const Index& address, int axis) {
  int64_t stride = 0;
  for (const Index::Term& term : address.terms()) {
    bool uses = false;
    for (const Index& atom : term.atoms) uses = uses || atom.uses_axis(axis);
    if (!uses) continue;
    if (term.atoms.size() != 1 || term.atoms[0].kind() != IndexKind::axis) return std::nullopt;
    stride = term.coefficient;
  }
  return stride;
}

// Whether a choice between values is the same for all points of the axis.
bool chosen_once(const ExprNode& cases, int axis) {
  for (const Expr::Case& one : cases.cases) {
    for (const Condition& condition : one.guard) {
      for (const Index* index : {&condition.index, &condition.lo, &condition.hi}) {
        if (index->uses_axis(axis)) return false;
      }
    }
  }
  return true;
}

// Every load stays where it is or goes to its neighbour as the axis does.
bool moves_by_one(const Expr& element, int axis, const std::vector<Value>& values) {
  bool fits = true, moves = false;
  visit(element, [&](const ExprNode& node) {
    if (node.kind == ExprKind::index) fits = false;
    if (node.kind == ExprKind::cases) fits = fits && chosen_once(node, axis);
    if (node.kind == ExprKind::let) {
      for (const Index& at : node.at) fits = fits && !at.uses_axis(axis);
    }
    if (node.kind != ExprKind::load) return;
    const Value& value = values[static_cast<size_t>(node.id)];
    const Index at = address(value.layout, value.shape, node.at);
    const std::optional<int64_t> stride = stride_along(at, axis);
    fits = fits && !at.has_data() && stride && (*stride == 0 || *stride == 1);
    moves = moves || stride == 1;
  });
  return fits && moves;
}

// Quotients and remainders that depend on the axis, in conditions and where loads lie.
int divisions_of(const Expr& element, int axis, const std::vector<Value>& values) {
  std::vector<Index> divisions;
  visit(element, [&](const ExprNode& node) {
    for (const Expr::Case& one : node.cases) {
      for (const Condition& condition : one.guard) collect_divisions(condition.index, divisions);
    }
    if (node.kind != ExprKind::load) return;
    const Value& value = values[static_cast<size_t>(node.id)];
    collect_divisions(address(value.layout, value.shape, node.at), divisions);
  });
  return static_cast<int>(
      std::count_if(divisions.begin(), divisions.end(),
                    [&](const Index& division) { return division.uses_axis(axis); }));
}

}  // namespace

int pack_points_of(const Expr& element, int lane, bool lanes_vary, int depth,
                   const std::vector<Value>& values, const VectorUnit& unit) {
  int operations = lanes_vary ? kLeastOperations : 0;
  visit(element, [&](const ExprNode& node) {
    operations += node.kind == ExprKind::unary || node.kind == ExprKind::binary;
  });
  // Where a lane lies takes work as well, once per lane in a piece and not once per point.
  if (lane >= 0) operations += divisions_of(element, lane, values);
  if (operations < kLeastOperations || unit.lanes(4) == 1) return 0;
  if (lane >= 0 && moves_by_one(element, lane, values)) return 0;
  if (!moves_by_one(element, depth, values)) return 0;
  return element.kind() == ExprKind::load ? kCopied : kPackedPoints;
}

}  // namespace burin
