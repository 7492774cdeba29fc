// ai.onnx.ml OneHotEncoder: a new last dimension, 1 at the category that x is, else 0. What
// is no category has zeros everywhere, or ends the run where `zeros` is 0.
#include "kernel/procedures/procedures.h"
#include "kernel/tensor.h"
#include "ops/api/learning/ml.h"
#include "ops/api/strings/strings.h"
#include "support/diagnostics.h"

namespace burin::ml_one_hot_encoder_op {
namespace {

void stop_at_unknown(OpContext& op, const Operand& y) {
  const Operand unknown = op.temporary("unknown", Type::boolean, {});
  KernelBuilder kernel;
  Indices at;
  for (const Dim& extent : y.shape()) at.push_back(kernel.reduce_axis(extent));
  const Indices rows(at.begin(), at.end() - 1);
  const Expr most = kernel.reduce(Combiner::max, {at.back()}, y.at(at));
  const Expr none =
      Expr::cast(Type::i64, Expr::unary(Unary::logical_not, compare(Binary::gt, most, y.zero())));
  const Expr any = rows.empty() ? none : kernel.reduce(Combiner::max, rows, none);
  kernel.write(unknown, {}, compare(Binary::gt, any, whole(0)));
  op.emit(kernel);
  op.emit(stop_if(unknown.value(), Stop::undefined));
}

Operand lower_strings(OpContext& op, const Operand& x) {
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
  return y;
}

Operand lower_numbers(OpContext& op, const Operand& x) {
  const std::vector<int64_t> cats = op.integers("cats_int64s");
  const auto count = static_cast<int64_t>(cats.size());
  const HostTensor host = make_tensor(Type::i64, {count}, cats);
  const Operand list =
      op.constant_operand("categories", {host.type, host.shape, to_constant(host), {}});
  Shape shape = x.shape();
  shape.push_back(count);
  const Operand y = op.output(0, Type::f32, shape);
  op.map(y, [&](const Indices& at) {
    const Expr is =
        compare(Binary::eq, Expr::cast(Type::i64, x.at(Indices(at.begin(), at.end() - 1))),
                list.at({at.back()}));
    return Expr::select(is, Expr::constant(Type::f32, 1.0), Expr::constant(Type::f32, 0.0));
  });
  return y;
}

void lower(OpContext& op) {
  const Operand x = op.input(0);
  if (op.has("cats_strings") != (x.type() == Type::string))
    refuse("unsupported-type",
           "X is " + std::string(to_string(x.type())) + ", which the categories are not");
  const Operand y = x.type() == Type::string ? lower_strings(op, x) : lower_numbers(op, x);
  if (op.integer("zeros", 1) == 0) stop_at_unknown(op, y);
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
