// NonMaxSuppression: boxes that survive greedy suppression, as rows (batch, class, box). How many
// there are is known after the run. Since opset 10.
#include "kernel/tensor.h"
#include "ops/api/core/op_def.h"
#include "ops/api/core/procedure.h"
#include "ops/api/core/scalars.h"
#include "support/diagnostics.h"

namespace burin::non_max_suppression_op {
namespace {

// A threshold, 0 where it is absent.
Expr threshold(OpContext& op, int input) {
  if (!op.has_input(input)) return Expr::constant(Type::f32, 0.0);
  op.require_equal(product(op.input(input).shape()), 1, "elements of a threshold");
  return op.input(input).scalar();
}

// Both thresholds as one tensor, which the procedure reads.
Operand thresholds_of(OpContext& op) {
  const std::optional<double> overlap = scalar_constant(op, 3);
  if (overlap && !(*overlap >= 0 && *overlap <= 1))
    refuse("bad-attribute", "iou_threshold is " + std::to_string(*overlap));
  const auto known = [&](int input) {
    return op.has_input(input) ? scalar_constant(op, input) : std::optional(0.0);
  };
  if (known(3) && known(4)) {
    const std::vector<double> numbers = {*known(3), *known(4)};
    const HostTensor host = make_tensor(Type::f32, {2}, numbers);
    return op.constant_operand("thresholds", {host.type, host.shape, to_constant(host), {}});
  }
  const Operand both = op.temporary("thresholds", Type::f32, {2});
  KernelBuilder kernel;
  kernel.write(both, {Index(0)}, threshold(op, 3));
  kernel.write(both, {Index(1)}, threshold(op, 4));
  op.emit(kernel);
  return both;
}

void lower(OpContext& op) {
  const Operand boxes = op.input(0), scores = op.input(1);
  if (boxes.rank() != 3 || scores.rank() != 3)
    refuse("shape-mismatch", "boxes and scores must have rank 3");
  op.require_equal(boxes.dim(0), scores.dim(0), "batches");
  op.require_equal(boxes.dim(1), scores.dim(2), "number of boxes");
  op.require_equal(boxes.dim(2), 4, "coordinates of a box");
  const int64_t centred = op.integer("center_point_box", 0);
  if (centred != 0 && centred != 1)
    refuse("bad-attribute", "center_point_box is " + std::to_string(centred));
  const Dim batches = scores.dim(0), classes = scores.dim(1), count = boxes.dim(1);
  Dim wanted = 0;
  if (op.has_input(2)) {
    op.require_equal(product(op.input(2).shape()), 1, "elements of max_output_boxes_per_class");
    wanted = op.elements(2, {0, count}, [&](int64_t, const Expr& e) {
      return max(min(e, Expr::index(count)), Expr::constant(Type::i64, 0));
    })[0];
  }
  const Dim each = max(min(wanted, count), 0), most = batches * classes * each;
  const Operand thresholds = thresholds_of(op);
  const Symbol found = op.run_symbol("selected", {0, most});
  Procedure procedure;
  procedure.function = "non_max_suppression";
  procedure.element = Type::f32;
  procedure.reads = {boxes.value(), scores.value(), thresholds.value()};
  procedure.arguments = {batches, classes, count, each, op.has_input(4) ? 1 : 0, centred};
  procedure.scratch_bytes = count * 8;
  emit_counted(op, std::move(procedure), found, most, {{0, Type::i64, {Index::symbol(found), 3}}});
}

}  // namespace

OpDef definition() {
  return {.name = "NonMaxSuppression",
          .since = 10,
          .inputs = {{"boxes", types::f32},
                     {"scores", types::f32},
                     {"max_output_boxes_per_class", types::i64, Arity::optional},
                     {"iou_threshold", types::f32, Arity::optional},
                     {"score_threshold", types::f32, Arity::optional}},
          .outputs = {{"selected_indices"}},
          .attributes = {{"center_point_box", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin::non_max_suppression_op
