// ai.onnx.ml LabelEncoder of numbers: the value that stands beside the key that x is, else a
// default. Keys are compared one by one; of equal ones the first counts.
#include "kernel/tensor.h"
#include "ops/api/learning/ml.h"
#include "support/diagnostics.h"

namespace burin::ml_label_encoder_op {
namespace {

// What an attribute lists, as integers, as floats or, since version 4, as a tensor.
struct Numbers {
  Tensor tensor;
  bool given = false;
};

Numbers numbers_of(OpContext& op, const std::string& what) {
  if (op.has(what + "_strings"))
    refuse("bad-attribute", what + " are strings", "export the model with numbers");
  if (op.has(what + "_tensor")) {
    const Tensor& tensor = op.tensor(what + "_tensor");
    if (tensor.type == Type::string)
      refuse("bad-attribute", what + " are strings", "export the model with numbers");
    return {tensor, true};
  }
  HostTensor host;
  if (op.has(what + "_int64s")) {
    const std::vector<int64_t> list = op.integers(what + "_int64s");
    host = make_tensor(Type::i64, {static_cast<int64_t>(list.size())}, list);
  } else {
    const std::vector<double> list = op.reals(what + "_floats", {});
    host = make_tensor(Type::f32, {static_cast<int64_t>(list.size())}, list);
  }
  if (host.elements() == 0) return {};
  return {{host.type, host.shape, to_constant(host), {}}, true};
}

Expr default_of(OpContext& op, Type type) {
  if (op.has("default_tensor")) {
    const Tensor& tensor = op.tensor("default_tensor");
    if (tensor.type != type || tensor.elements() != 1)
      refuse("bad-attribute", "default_tensor is no value");
    const ScalarValue one = load_function(type)(tensor.content.data, 0);
    return is_float(type) ? Expr::constant(type, one.number) : Expr::constant(type, one.integer);
  }
  return is_float(type) ? Expr::constant(type, op.real("default_float", -0.0))
                        : Expr::constant(type, op.integer("default_int64", -1));
}

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const Numbers keys = numbers_of(op, "keys"), values = numbers_of(op, "values");
  if (!keys.given || !values.given || keys.tensor.elements() != values.tensor.elements())
    refuse("bad-attribute", "keys and values are not as many numbers");
  if (keys.tensor.type != x.type())
    refuse("unsupported-type", "X is " + std::string(to_string(x.type())) + ", keys are " +
                                   std::string(to_string(keys.tensor.type)));
  const int64_t count = keys.tensor.elements();
  const auto list = [&](const char* name, Tensor tensor) {
    tensor.shape = {count};
    return op.constant_operand(name, tensor);
  };
  const Operand key = list("keys", keys.tensor), value = list("values", values.tensor);
  const Type type = values.tensor.type;
  const Operand y = op.output(0, type, x.shape());
  KernelBuilder kernel;
  const Indices at = kernel.axes(x.shape());
  const Index k = kernel.reduce_axis(count);
  const Expr is = compare(Binary::eq, x.at(at), key.at({k}));
  const std::vector<Expr> found = kernel.reduce_tuple(
      Combiner::first_max, {k},
      {Expr::select(is, Expr::constant(Type::i64, 1), Expr::constant(Type::i64, 0)),
       value.at({k})});
  const Expr any = compare(Binary::gt, found[0], Expr::constant(Type::i64, 0));
  kernel.write(y, at, Expr::select(any, found[1], default_of(op, compute_type(type))));
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
  return ml_op({.name = "LabelEncoder",
                .since = 2,
                .inputs = {{"X", types::features}},
                .outputs = {{"Y"}},
                .attributes = {{"keys_int64s", AttributeKind::integers},
                               {"keys_floats", AttributeKind::reals},
                               {"keys_strings", AttributeKind::texts},
                               {"keys_tensor", AttributeKind::tensor, false, since(4)},
                               {"values_int64s", AttributeKind::integers},
                               {"values_floats", AttributeKind::reals},
                               {"values_strings", AttributeKind::texts},
                               {"values_tensor", AttributeKind::tensor, false, since(4)},
                               {"default_int64", AttributeKind::integer},
                               {"default_float", AttributeKind::real},
                               {"default_string", AttributeKind::text},
                               {"default_tensor", AttributeKind::tensor, false, since(4)}},
                .lower = lower,
                .note = "of numbers"});
}

}  // namespace burin::ml_label_encoder_op
