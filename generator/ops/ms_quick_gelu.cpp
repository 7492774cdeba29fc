// com.microsoft QuickGelu: x * sigmoid(alpha * x).
#include "ops/api/math/activation.h"
#include "ops/api/math/elementwise.h"
#include "ops/api/math/fused.h"

namespace burin::ms_quick_gelu_op {
namespace {

void lower(OpContext& op) {
  const double alpha = op.real("alpha", 1.702);
  map_unary(op, [&](const Expr& x) { return x * sigmoid(x * alpha); });
}

}  // namespace

OpDef definition() {
  OpDef def = unary_op("QuickGelu", types::floats, lower);
  def.attributes = {{"alpha", AttributeKind::real}};
  return ms_op(std::move(def));
}

}  // namespace burin::ms_quick_gelu_op
