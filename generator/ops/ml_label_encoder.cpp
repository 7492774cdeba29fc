// ai.onnx.ml LabelEncoder: the value that stands beside the key that x is, else a default. Keys are
// compared one by one; of equal ones the first counts, and since version 4 NaN is the key of NaN.
// Until version 1 the classes are a list of strings, and the places in it what stands beside them.
#include <cstring>

#include "kernel/tensor.h"
#include "ops/api/learning/lookup.h"
#include "ops/api/learning/ml.h"
#include "support/diagnostics.h"

namespace burin::ml_label_encoder_op {
namespace {

// What an attribute lists, as strings, integers, floats or, since version 4, as a tensor.
struct Numbers {
  Tensor tensor;
  bool given = false;
};

Numbers numbers_of(OpContext& op, const std::string& what) {
  if (op.has(what + "_strings")) return {list_tensor(op.texts(what + "_strings", {})), true};
  if (op.has(what + "_tensor")) {
    Tensor tensor = op.tensor(what + "_tensor");
    tensor.shape = {tensor.elements()};
    return {std::move(tensor), true};
  }
  HostTensor host;
  if (op.has(what + "_int64s")) {
    const std::vector<int64_t> list = op.integers(what + "_int64s");
    host = make_tensor(Type::i64, {static_cast<int64_t>(list.size())}, list);
  } else {
    const std::vector<double> list = op.reals_or_nan(what + "_floats");
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
  return is_float(type) ? Expr::constant(type, op.real_or_nan("default_float", -0.0))
                        : Expr::constant(type, op.integer("default_int64", -1));
}

std::string default_string(OpContext& op) {
  if (!op.has("default_tensor")) return op.text("default_string", "_Unused");
  const Tensor& tensor = op.tensor("default_tensor");
  if (tensor.type != Type::string || tensor.strings.size() != 1)
    refuse("bad-attribute", "default_tensor is no value");
  return tensor.strings[0];
}

// The values, with the default behind them.
Tensor with_default(OpContext& op, Tensor values) {
  if (values.type == Type::string) {
    values.strings.push_back(default_string(op));
  } else {
    HostTensor host = to_tensor(values.type, values.shape, values.content);
    const Expr otherwise = default_of(op, compute_type(values.type));
    HostTensor longer = make_tensor(values.type, {host.elements() + 1});
    for (int64_t k = 0; k < host.elements(); ++k) longer.set(k, host.get(k));
    ScalarValue last;
    last.number = otherwise->number;
    last.integer = otherwise->integer;
    longer.set(host.elements(), last);
    values.content = to_constant(longer);
  }
  ++values.shape[0];
  return values;
}

void lower_classes(OpContext& op) {
  std::vector<std::string> classes = op.texts("classes_strings", {});
  std::vector<int64_t> places;
  for (size_t k = 0; k < classes.size(); ++k) places.push_back(static_cast<int64_t>(k));
  const HostTensor keys = make_tensor(Type::i64, {static_cast<int64_t>(places.size())}, places);
  const bool to_places = op.input(0).type() == Type::string;
  const Tensor strings = list_tensor(std::move(classes)),
               numbers = {Type::i64, keys.shape, to_constant(keys), {}};
  emit_lookup(op, to_places ? strings : numbers, with_default(op, to_places ? numbers : strings));
}

void lower(OpContext& op) {
  if (op.version() == 1) return lower_classes(op);
  const Numbers keys = numbers_of(op, "keys"), values = numbers_of(op, "values");
  if (!keys.given || !values.given || keys.tensor.elements() != values.tensor.elements())
    refuse("bad-attribute", "keys and values are not as many numbers");
  emit_lookup(op, keys.tensor, with_default(op, values.tensor));
}

}  // namespace

OpDef definition() {
  return ml_op({.name = "LabelEncoder",
                .inputs = {{"X", types::features | only(Type::i16) | types::string}},
                .outputs = {{"Y"}},
                .attributes = {{"classes_strings", AttributeKind::texts, false, until(1)},
                               {"keys_int64s", AttributeKind::integers},
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
                .lower = lower});
}

}  // namespace burin::ml_label_encoder_op
