#include "select/strips.h"

#include "kernel/divisions.h"
#include "kernel/layout.h"

namespace burin {
namespace {

constexpr int kStrip = 64;           // floats: some vectors, and a fraction of the nearest cache
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

// Every load stays where it is or goes to its neighbour as the axis does.
bool moves_by_one(const Expr& element, int axis, const std::vector<Value>& values) {
  bool fits = true, moves = false;
  visit(element, [&](const ExprNode& node) {
    if (node.kind == ExprKind::cases || node.kind == ExprKind::index) fits = false;
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

}  // namespace

int strip_of(const Expr& element, int lane, int depth, const std::vector<Value>& values,
             const VectorUnit& unit) {
  int operations = 0;
  visit(element, [&](const ExprNode& node) {
    operations += node.kind == ExprKind::unary || node.kind == ExprKind::binary;
  });
  if (operations < kLeastOperations || unit.lanes(4) == 1) return 0;
  if (lane >= 0 && moves_by_one(element, lane, values)) return 0;
  return moves_by_one(element, depth, values) ? kStrip : 0;
}

}  // namespace burin
