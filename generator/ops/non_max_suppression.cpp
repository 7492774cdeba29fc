// NonMaxSuppression: boxes that survive greedy suppression, as rows (batch, class, box). How many
// there are is known after the run. The thresholds must be known before it. Since opset 10.
#include <bit>

#include "ops/api/op_def.h"
#include "ops/api/procedure.h"
#include "ops/api/scalars.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

// A threshold that the procedure gets as bits.
float threshold(OpContext& op, int input, const char* what) {
  if (!op.has_input(input)) return 0;
  const std::optional<double> value = scalar_constant(op, input);
  if (!value) {
    refuse("dynamic-value", std::string(what) + " is not known before the run",
           "make it a constant");
  }
  return static_cast<float>(*value);
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
    wanted = op.elements(2, {0, count.range().hi}, [&](int64_t, const Expr& e) {
      return max(min(e, Expr::index(count)), Expr::constant(Type::i64, 0));
    })[0];
  }
  const Dim each = max(min(wanted, count), 0), most = batches * classes * each;
  const float overlap = threshold(op, 3, "iou_threshold");
  if (!(overlap >= 0 && overlap <= 1))
    refuse("bad-attribute", "iou_threshold is " + std::to_string(overlap));
  const float score = threshold(op, 4, "score_threshold");
  const auto bits = [](float value) { return Dim(int64_t{std::bit_cast<uint32_t>(value)}); };
  const Symbol found = op.run_symbol("selected", {0, most.range().hi});
  Procedure procedure;
  procedure.function = "non_max_suppression";
  procedure.element = Type::f32;
  procedure.reads = {boxes.value(), scores.value()};
  procedure.arguments = {
      batches, classes, count, each, bits(overlap), bits(score), op.has_input(4) ? 1 : 0, centred};
  procedure.scratch_bytes = count * 8;
  emit_counted(op, std::move(procedure), found, most, {{0, Type::i64, {Index::symbol(found), 3}}});
}

}  // namespace

OpDef op_non_max_suppression() {
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

}  // namespace burin
