// Switch, of burin's own: its operand on each of several paths, of which a predicate says what runs
// (SoD2, Figure 1d). Nothing is copied: output i is the operand, and what reads it runs only with
// path i.
#include "ops/api/core/op_def.h"
#include "ops/api/core/switch_paths.h"
#include "support/diagnostics.h"

namespace burin::switch_op {
namespace {

PathForm form_of(OpContext& op, const Operand& predicate) {
  const int paths = op.output_count();
  if (predicate.type() != Type::boolean) {
    op.require_equal(product(predicate.shape()), 1, "elements of the predicate");
    return PathForm::number;
  }
  if (paths == 2 && product(predicate.shape()).is_constant(1)) return PathForm::flag;
  if (predicate.rank() != 1) {
    refuse("shape-mismatch",
           "a boolean predicate has one element for two paths, or is a list with "
           "one for every path; this one has shape " +
               to_string(predicate.shape()));
  }
  op.require_equal(predicate.dim(0), paths, "elements of the predicate and paths");
  return PathForm::mask;
}

void lower(OpContext& op) {
  const Operand data = op.input(0), predicate = op.input(1);
  const PathForm form = form_of(op, predicate);
  const int paths = op.output_count();
  for (int i = 0; i < paths; ++i) op.forward(i, data);
  const std::optional<std::vector<Dim>> known = op.known(1);
  std::vector<bool> taken;
  for (int i = 0; known && i < paths; ++i) {
    const Dim& element = (*known)[form == PathForm::mask ? static_cast<size_t>(i) : 0];
    if (!element.is_constant()) break;
    taken.push_back(form == PathForm::mask ? !element.is_constant(0) : element.is_constant(i));
  }
  if (taken.size() == static_cast<size_t>(paths)) {
    paths_of(op).route_known(taken);
  } else {
    paths_of(op).route(predicate, form);
  }
}

}  // namespace

OpDef definition() {
  return {.name = "Switch",
          .domain = "burin",
          .since = 1,
          .until = 1,
          .inputs = {{"data", types::tensors | types::sequence | types::optional},
                     {"predicate", types::boolean | types::i32 | types::i64}},
          .outputs = {{"paths", types::tensors, Arity::variadic}},
          .lower = lower,
          .note = "see README: Switch and Combine"};
}

}  // namespace burin::switch_op
