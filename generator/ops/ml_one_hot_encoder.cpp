// ai.onnx.ml OneHotEncoder: a new last dimension, 1 at the category that x is, else 0. What
// is no category has zeros everywhere.
#include "kernel/tensor.h"
#include "ops/api/learning/ml.h"
#include "ops/api/strings/strings.h"
#include "support/diagnostics.h"

namespace burin::ml_one_hot_encoder_op {
namespace {

void lower_strings(OpContext& op, const Operand& x) {
  const Operand list = list_of(op, "categories", op.texts("cats_strings", {}));
  Shape shape = x.shape();
  shape.push_back(list.dim(0));
  const Operand y = op.output(0, Type::f32, shape);
  KernelBuilder kernel;
  const Indices at = kernel.axes(shape);
  const Expr same = is_same(op, kernel, bytes_at(x, Indices(at.begin(), at.end() - 1)),
                            bytes_at(list, {at.back()}));
  kernel.write(y, at,
               Expr::select(same, Expr::constant(Type::f32, 1.0), Expr::constant(Type::f32, 0.0)));
  op.emit(kernel);
}

void lower(OpContext& op) {
  if (op.integer("zeros", 1) == 0)
    refuse("bad-attribute", "zeros is 0, which makes an unknown category an error");
  const Operand x = op.input(0);
  if (op.has("cats_strings") != (x.type() == Type::string))
    refuse("unsupported-type",
           "X is " + std::string(to_string(x.type())) + ", which the categories are not");
  if (x.type() == Type::string) return lower_strings(op, x);
  const std::vector<int64_t> cats = op.integers("cats_int64s");
  const auto count = static_cast<int64_t>(cats.size());
  const HostTensor host = make_tensor(Type::i64, {count}, cats);
  const Operand list =
      op.constant_operand("categories", {host.type, host.shape, to_constant(host), {}});
  Shape shape = x.shape();
  shape.push_back(count);
  op.map(op.output(0, Type::f32, shape), [&](const Indices& at) {
    const Expr is =
        compare(Binary::eq, Expr::cast(Type::i64, x.at(Indices(at.begin(), at.end() - 1))),
                list.at({at.back()}));
    return Expr::select(is, Expr::constant(Type::f32, 1.0), Expr::constant(Type::f32, 0.0));
  });
}

}  // namespace

OpDef definition() {
  return ml_op({.name = "OneHotEncoder",
                .inputs = {{"X", types::features | types::string}},
                .outputs = {{"Y"}},
                .attributes = {{"cats_int64s", AttributeKind::integers},
                               {"cats_strings", AttributeKind::texts},
                               {"zeros", AttributeKind::integer}},
                .lower = lower,
                .note = "categories are integers or strings"});
}

}  // namespace burin::ml_one_hot_encoder_op
