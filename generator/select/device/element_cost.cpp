#include "select/device/element_cost.h"

namespace burin {
namespace {

// Operations of one element, as far as a choice between plans needs them.
constexpr double kIndexDivisionWork = 8, kConditionWork = 4;

double work_of(const Index& index) {
  double work = 0;
  for (const Index::Term& term : index.terms()) {
    for (const Index& atom : term.atoms) {
      if (atom.kind() == IndexKind::axis || atom.kind() == IndexKind::symbol) continue;
      if (atom.kind() == IndexKind::data) continue;
      work += kIndexDivisionWork;
      for (const Index& operand : atom.operands()) work += work_of(operand);
    }
  }
  return work;
}

}  // namespace

double work_of(const Expr& expr, const OpenClDevice& device) {
  double work = kLeastStagedWork;
  visit(expr, [&](const ExprNode& node) {
    if (node.kind == ExprKind::unary) work += device.function_cycles;
    if (node.kind == ExprKind::binary)
      work += node.binary() == Binary::div ? device.division_cycles : 1;
    for (const Expr::Case& one : node.cases)
      work += kConditionWork * static_cast<double>(one.guard.size());
    for (const Index& index : node.at) work += work_of(index);
  });
  return work;
}

}  // namespace burin
