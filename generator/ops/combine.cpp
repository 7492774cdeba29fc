// Combine, of burin's own: what the paths of a Switch that ran give (SoD2, Figure 1d). Every path
// puts its tensor into the result where it ends. Paths run from left to right, so that the last one
// that ran stands (`merge` = "last"); "first" takes the first, "sum" adds them. A run in which none
// did stops with a status.
#include <algorithm>

#include "kernel/procedures/procedures.h"
#include "ops/api/core/op_def.h"
#include "ops/api/core/region.h"
#include "ops/api/core/switch_paths.h"
#include "support/diagnostics.h"

namespace burin::combine_op {
namespace {

using Arm = PathContext::Arm;

enum class Merge : uint8_t { first, last, sum };

Merge merge_of(OpContext& op, Type type) {
  const std::string text = op.text("merge", "last");
  if (text == "last") return Merge::last;
  if (text == "first") return Merge::first;
  if (text != "sum")
    refuse("bad-attribute", "attribute 'merge' is " + quoted(text) + ", not first, last or sum");
  if (type == Type::boolean) refuse("unsupported-type", "the sum of booleans; take first or last");
  return Merge::sum;
}

Expr arms_that_run(const std::vector<Arm>& arms) {
  Expr count = Expr::constant(Type::i64, 0);
  for (const Arm& arm : arms) count = count + Expr::cast(Type::i64, arm.runs);
  return count;
}

Expr none_runs(const std::vector<Arm>& arms) {
  return compare(Binary::eq, arms_that_run(arms), Expr::constant(Type::i64, 0));
}

Shape shape_of(OpContext& op, const std::vector<Arm>& arms, bool alternatives) {
  Shape shape = arms[0].value.shape();
  for (const Arm& arm : arms) {
    if (arm.value.tuple()) refuse("unsupported-type", "sequences and optionals are not combined");
    if (arm.value.type() != arms[0].value.type()) {
      refuse("type-mismatch", "the paths give " + std::string(to_string(arms[0].value.type())) +
                                  " and " + std::string(to_string(arm.value.type())));
    }
    if (arm.value.rank() != arms[0].value.rank()) {
      refuse("dynamic-rank", "the paths give shapes " + to_string(arms[0].value.shape()) + " and " +
                                 to_string(arm.value.shape()));
    }
  }
  for (size_t d = 0; d < shape.size(); ++d) {
    std::vector<Dim> extents;
    for (const Arm& arm : arms) extents.push_back(arm.value.shape()[d]);
    const bool alike = std::all_of(extents.begin(), extents.end(),
                                   [&](const Dim& extent) { return extent == extents[0]; });
    if (!alike && !alternatives) {
      refuse("shape-mismatch",
             "paths of which several or none may run give shapes of different extents, such as " +
                 to_string(extents[0]) + " and " +
                 to_string(*std::find_if(extents.begin(), extents.end(),
                                         [&](const Dim& one) { return one != extents[0]; })));
    }
    shape[d] = merged_extent(op, extents, [&](size_t k, const std::function<void()>& body) {
      paths_of(op).in_arm(arms[k], body);
    });
  }
  return shape;
}

// Puts what an arm gives into the result. Where several may run, it does so unless one that comes
// before it in the order of precedence runs too.
void give(OpContext& op, const std::vector<Arm>& arms, size_t k, Merge merge, const Operand& y) {
  if (merge == Merge::sum) {
    KernelBuilder kernel;
    const Indices at = kernel.axes(arms[k].value.shape());
    kernel.write(y, at, arms[k].value.at(at), {}, How::add);
    op.emit(kernel);
    return;
  }
  std::vector<Arm> others;
  for (size_t i = 0; i < arms.size(); ++i) {
    if (merge == Merge::first ? i < k : i > k) others.push_back(arms[i]);
  }
  if (others.empty()) return copy_value(op, arms[k].value, y);
  auto stands = std::make_shared<If>();
  stands->condition = none_runs(others);
  stands->then_steps = collected(op, [&] { copy_value(op, arms[k].value, y); });
  op.emit(Step(std::move(stands)));
}

void lower(OpContext& op) {
  PathContext& paths = paths_of(op);
  const std::vector<Arm> arms = paths.arms();
  if (arms.empty()) refuse("dynamic-value", "none of the paths runs, whatever the inputs are");
  const bool alternatives = paths.alternatives();
  const Merge merge = merge_of(op, arms[0].value.type());
  if (arms.size() == 1 && arms[0].always) {
    op.forward(0, arms[0].value);
  } else {
    // The check stands before the paths: an illegal predicate runs none of them.
    if (!paths.certain()) {
      const Operand none = op.temporary("no_path_ran", Type::boolean, {});
      op.map(none, [&](const Indices&) { return none_runs(arms); });
      op.emit(stop_if(none.value(), Stop::no_path));
    }
    Operand y;
    const Shape shape = shape_of(op, arms, alternatives);
    // What the file says of the shape is checked where the path has found it.
    const Steps checks = collected(op, [&] { y = op.output(0, arms[0].value.type(), shape); });
    if (!alternatives) op.map(y, [&](const Indices&) { return y.zero(); });
    for (size_t k = 0; k < arms.size(); ++k) {
      paths.in_arm(arms[k], [&] {
        for (const Step& check : checks) op.emit(Step(check));
        if (alternatives) {
          copy_value(op, arms[k].value, y);
        } else {
          give(op, arms, k, merge, y);
        }
      });
    }
  }
  if (!op.has_output(1)) return;
  const Operand count = op.output(1, Type::i64, {});
  op.map(count, [&](const Indices&) { return arms_that_run(arms); });
}

}  // namespace

OpDef definition() {
  return {.name = "Combine",
          .domain = "burin",
          .since = 1,
          .until = 1,
          .inputs = {{"paths", types::tensors | types::path, Arity::variadic}},
          .outputs = {{"output"}, {"ran", types::i64, Arity::optional}},
          .attributes = {{"merge", AttributeKind::text}},
          .lower = lower,
          .note = "see README: Switch and Combine"};
}

}  // namespace burin::combine_op
