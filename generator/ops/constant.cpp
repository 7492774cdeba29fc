// Constant: the tensor, number, string or list of these in the node's attribute.
#include "kernel/tensor.h"
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "support/diagnostics.h"

namespace burin::constant_op {
namespace {

Tensor to_model_tensor(const HostTensor& host) {
  return {host.type, host.shape, to_constant(host), {}};
}

Tensor content(OpContext& op) {
  if (op.node().attributes.size() != 1)
    refuse("bad-attribute", "exactly one attribute must give the value");
  if (op.has("value")) return op.tensor("value");
  if (op.has("sparse_value")) return op.tensor("sparse_value");
  if (op.has("value_string")) return {Type::string, {}, {}, {op.text("value_string", "")}};
  if (op.has("value_strings")) {
    const std::vector<std::string> list = op.texts("value_strings", {});
    return {Type::string, {static_cast<int64_t>(list.size())}, {}, list};
  }
  if (op.has("value_int"))
    return to_model_tensor(
        make_tensor(Type::i64, {}, std::vector<int64_t>{op.integer("value_int")}));
  if (op.has("value_float"))
    return to_model_tensor(
        make_tensor(Type::f32, {}, std::vector<double>{op.real_or_nan("value_float", 0)}));
  if (op.has("value_ints")) {
    const std::vector<int64_t> list = op.integers("value_ints");
    return to_model_tensor(make_tensor(Type::i64, {static_cast<int64_t>(list.size())}, list));
  }
  const std::vector<double> list = op.reals_or_nan("value_floats");
  return to_model_tensor(make_tensor(Type::f32, {static_cast<int64_t>(list.size())}, list));
}

void lower(OpContext& op) {
  const Tensor tensor = content(op);
  op.forward(0, op.constant_operand("value", tensor));
}

}  // namespace

OpDef definition() {
  return {.name = "Constant",
          .outputs = {{"output"}},
          .attributes = {{"value", AttributeKind::tensor, true, until(10)},
                         {"value", AttributeKind::tensor, false, since(11)},
                         {"sparse_value", AttributeKind::tensor, false, since(11)},
                         {"value_string", AttributeKind::text, false, since(12)},
                         {"value_strings", AttributeKind::texts, false, since(12)},
                         {"value_float", AttributeKind::real, false, since(12)},
                         {"value_floats", AttributeKind::reals, false, since(12)},
                         {"value_int", AttributeKind::integer, false, since(12)},
                         {"value_ints", AttributeKind::integers, false, since(12)}},
          .lower = lower};
}

}  // namespace burin::constant_op
